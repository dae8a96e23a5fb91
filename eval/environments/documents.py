"""Offer a system the documents in the form of an encyclopedia: Search opens a page by its title, and Lookup shows the
paragraphs of this page that contain a word, one per call. After another page is opened, Lookup starts at the top of that
page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.errors import BenchError
from core.functions.functions import Function, FunctionResult, Parameter, Registry, finish_function
from core.nouns import Document, Span
from eval.environment import Environment, EnvironmentSources

MAX_SIMILAR_TITLES = 5
"""Maximum number of similar titles that Search lists if no page has the title."""
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_WORDS = {
    "en": {
        "missing": "There is no page {title!r}. Similar: {similar}.",
        "nothing": "There is no page {title!r}, and none like it.",
        "again": "(page {i}/{n} of this title; search again for the next) ",
        "none": "No results.",
        "over": "No more results.",
        "closed": "No page is open: call Search with a title first.",
    },
    "zh": {
        "missing": "没有题为“{title}”的页面。相近的有：{similar}。",
        "nothing": "没有题为“{title}”的页面，也没有相近的。",
        "again": "（同名页面第 {i}/{n} 个，再次搜索可看下一个）",
        "none": "没有结果。",
        "over": "没有更多结果。",
        "closed": "还没有打开页面：请先用标题调用 Search。",
    },
}


@dataclass
class _Reading:
    """The state of a system that reads the documents as an encyclopedia: the open page, and how far the system has read."""

    place: int | None = None
    """Index of the page that Search opened last."""
    titled: tuple[int, ...] = ()
    """Indexes of the pages that have the title searched last."""
    word: str = ""
    shown: int = 0
    """Number of paragraphs that Lookup has shown for the current word."""


def _open(sources: EnvironmentSources, now: str | None, language: str) -> Registry:
    if not sources.documents and not sources.is_of_question:
        raise BenchError(
            "The environment 'documents' has no document to open: add documents before the release is frozen, or use only "
            "tables with --set environment=tables."
        )
    return _make_registry(sources, now, language, _Reading())


def _make_registry(sources: EnvironmentSources, now: str | None, language: str, at: _Reading) -> Registry:
    words = _WORDS.get(language, _WORDS["en"])

    def search(entity: str) -> FunctionResult:
        pages = sources.titles.find_exact(entity)
        if not pages:
            at.place, at.titled, at.word, at.shown = None, (), "", 0
            titles = _list_similar_titles(sources, entity)
            sentence = words["missing" if titles else "nothing"].format(title=entity, similar="; ".join(titles))
            return FunctionResult(titles, sentence)
        turn = (pages.index(at.place) + 1) % len(pages) if at.titled == pages and at.place in pages else 0
        at.place, at.titled, at.word, at.shown = pages[turn], pages, "", 0
        document = sources.documents[pages[turn]]
        first = split_paragraphs(document)[:1]
        again = words["again"].format(i=turn + 1, n=len(pages)) if len(pages) > 1 else ""
        return FunctionResult(document.title, again + (_read_span(document, first[0]) if first else ""), tuple(first))

    def lookup(keyword: str) -> FunctionResult:
        if at.place is None:
            raise BenchError(words["closed"])
        document = sources.documents[at.place]
        if keyword.casefold() != at.word:
            at.word, at.shown = keyword.casefold(), 0
        hits = [span for span in split_paragraphs(document) if at.word in _read_span(document, span).casefold()]
        if at.shown >= len(hits):
            return FunctionResult(None, words["over" if hits else "none"])
        at.shown += 1
        span = hits[at.shown - 1]
        text = _read_span(document, span)
        return FunctionResult(text, f"(Result {at.shown}/{len(hits)}) {text}", (span,))

    return Registry(
        [
            Function(
                name="Search",
                description="Opens the page with that title and shows its first paragraph; where there is none, names similar "
                "titles.",
                zh="打开该标题的页面并显示第一段；没有时列出相近的标题。",
                parameters=(Parameter("entity", "string", "A title.", zh="标题。"),),
                returns="the first paragraph.",
                zh_returns="第一段。",
                match="exact",
                call=search,
            ),
            Function(
                name="Lookup",
                description="Shows the next paragraph of the open page that holds a keyword, in upper or lower case.",
                zh="在打开的页面中显示下一个含有关键词的段落，不区分大小写。",
                parameters=(Parameter("keyword", "string", "A word or phrase.", zh="词或短语。"),),
                returns="one paragraph, with its number among all that hold it.",
                zh_returns="一个段落及其序号。",
                call=lookup,
            ),
            finish_function(),
        ],
        now,
        language,
        branch=lambda: _make_registry(sources, now, language, replace(at)),
    )


def split_paragraphs(document: Document) -> list[Span]:
    """Return the paragraphs of the document: the stretches of text between blank lines."""
    text, spans, start = document.text, [], 0
    for end, after in [*((line.start(), line.end()) for line in _BLANK_LINE.finditer(text)), (len(text), len(text))]:
        piece = text[start:end]
        if piece.strip():
            begin = start + len(piece) - len(piece.lstrip())
            spans.append(Span(document.id, begin, begin + len(piece.strip())))
        start = after
    return spans


def _read_span(document: Document, span: Span) -> str:
    return document.text[span.start : span.end]


def _list_similar_titles(sources: EnvironmentSources, entity: str) -> Sequence[str]:
    """Return titles similar to the requested title, then titles of documents that mention the requested title."""
    places = [match.places[0] for match in sources.titles.search(entity, MAX_SIMILAR_TITLES)]
    hits = sources.search(entity, 4 * MAX_SIMILAR_TITLES) if sources.search else []
    places += [sources.places[hit.span.document] for hit in hits if hit.span.document in sources.places]
    return list(dict.fromkeys(sources.documents[place].title for place in places))[:MAX_SIMILAR_TITLES]


ENVIRONMENT = Environment(label="Documents: open a page, look a word up", open=_open)
