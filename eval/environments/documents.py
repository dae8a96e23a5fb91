"""Documents read as a person leafs through an encyclopedia: a page is opened by its title, its paragraphs are looked through
for a word, one a call. A new page begins its look-ups anew."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.errors import BenchError
from core.functions.functions import Function, FunctionResult, Parameter, Registry, finish_function
from core.nouns import Document, Span
from eval.environment import Environment, EnvironmentSources

MOST_SIMILAR = 5
"""Titles that are named when none fits."""
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
    """Where a reader is."""

    place: int | None = None
    """The page that is open."""
    asked: tuple[int, ...] = ()
    """The pages of the title that was searched last."""
    word: str = ""
    seen: int = 0
    """Results for that word that were shown."""


def _open(ground: EnvironmentSources, now: str | None, language: str) -> Registry:
    if not ground.documents and not ground.is_of_question:
        raise BenchError("The environment documents has no document to open: add some, or choose another environment.")
    return _registry(ground, now, language, _Reading())


def _registry(ground: EnvironmentSources, now: str | None, language: str, at: _Reading) -> Registry:
    words = _WORDS.get(language, _WORDS["en"])

    def search(entity: str) -> FunctionResult:
        found = ground.titles.find_exact(entity)
        if not found:
            at.place, at.asked, at.word, at.seen = None, (), "", 0
            titles = _list_similar_titles(ground, entity)
            return FunctionResult(
                titles, words["missing" if titles else "nothing"].format(title=entity, similar="; ".join(titles))
            )
        turn = (found.index(at.place) + 1) % len(found) if at.asked == found and at.place in found else 0
        at.place, at.asked, at.word, at.seen = found[turn], found, "", 0
        document = ground.documents[found[turn]]
        first = split_paragraphs(document)[:1]
        again = words["again"].format(i=turn + 1, n=len(found)) if len(found) > 1 else ""
        return FunctionResult(document.title, again + (_text(document, first[0]) if first else ""), tuple(first))

    def lookup(keyword: str) -> FunctionResult:
        if at.place is None:
            raise BenchError(words["closed"])
        document = ground.documents[at.place]
        if keyword.casefold() != at.word:
            at.word, at.seen = keyword.casefold(), 0
        hits = [span for span in split_paragraphs(document) if at.word in _text(document, span).casefold()]
        if at.seen >= len(hits):
            return FunctionResult(None, words["over" if hits else "none"])
        at.seen += 1
        span = hits[at.seen - 1]
        text = _text(document, span)
        return FunctionResult(text, f"(Result {at.seen}/{len(hits)}) {text}", (span,))

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
        branch=lambda: _registry(ground, now, language, replace(at)),
    )


def split_paragraphs(document: Document) -> list[Span]:
    """Its paragraphs: what stands between blank lines."""
    text, found, start = document.text, [], 0
    for end, after in [*((line.start(), line.end()) for line in _BLANK_LINE.finditer(text)), (len(text), len(text))]:
        piece = text[start:end]
        if piece.strip():
            begin = start + len(piece) - len(piece.lstrip())
            found.append(Span(document.id, begin, begin + len(piece.strip())))
        start = after
    return found


def _text(document: Document, span: Span) -> str:
    return document.text[span.start : span.end]


def _list_similar_titles(ground: EnvironmentSources, entity: str) -> Sequence[str]:
    """Titles like it, then titles of documents that tell of it."""
    places = [match.places[0] for match in ground.titles.search(entity, MOST_SIMILAR)]
    told = ground.search(entity, 4 * MOST_SIMILAR) if ground.search else []
    places += [ground.places[hit.span.document] for hit in told if hit.span.document in ground.places]
    return list(dict.fromkeys(ground.documents[place].title for place in places))[:MOST_SIMILAR]


ENVIRONMENT = Environment(label="Documents: open a page, look a word up", open=_open)
