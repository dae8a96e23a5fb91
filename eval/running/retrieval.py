"""What systems search: the release's documents of one language, cut into chunks and indexed by a retriever. A language that the
retriever cannot answer is left out and counted, never answered badly; and Tools over the documents for each question."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, overload

from core.errors import BenchError
from core.functions.functions import Registry
from core.nouns import Document, Hit, Span
from core.progress_reporter import ProgressReporter
from core.retrieval.chunks import Offsets, chunk
from core.retrieval.embeddings import embedder
from eval.retriever import Embedders, Retriever, RetrieverContext, Search
from eval.running.runner import RunStopped
from eval.running.settings import read_whole_number
from eval.system import AskInRun, AttentionProbe, Question, Tools, make_unknown_span

CHUNK_TOKENS = 256
"""Default of the setting chunk_tokens."""
CUTTING_VERSION = 1
"""Goes up when the same documents are cut otherwise: kept chunks and indexes are then made anew."""
MEANS = RetrieverContext()
"""Core's own models, and no query known before it is asked."""


class PreparedRetrieval(NamedTuple):
    """Retrieval, ready for a run."""

    searches: Mapping[str, Search]
    """By language."""
    not_run: tuple[Mapping[str, Any], ...]
    """{"language", "n", "why"} for each language whose questions are left out."""
    chunks: Mapping[str, int]
    """Number of chunks by language."""
    own: Callable[[Question], Search] | None = None
    """The search of each question by itself, in the place of `searches`: that of its own documents."""
    given: Callable[[Question], Sequence[Document]] | None = None
    """Those documents, best first."""


def prepare(
    documents: Sequence[Document],
    questions: Sequence[Question],
    retriever: Retriever,
    settings: Mapping[str, Any],
    means: RetrieverContext = MEANS,
    expects: bool = True,
) -> PreparedRetrieval:
    """Retrieval for every language that is asked in, by these `means`; `expects` = the questions' queries may be encoded
    beforehand. Raises BenchError, with the first reason, when none is left."""
    if retriever.of_the_question:
        given = _select_given(documents, retriever, settings)
        return PreparedRetrieval({}, (), {}, _of_the_question(given, retriever, settings, means.embedder), given)
    counts: dict[str, int] = {}
    for question in questions:
        counts[question.language] = counts.get(question.language, 0) + 1
    searches: dict[str, Search] = {}
    chunks: dict[str, int] = {}
    not_run: list[Mapping[str, Any]] = []
    for language, n in sorted(counts.items()):
        queries = [q.query for q in questions if q.language == language and expects]
        own = replace(means, queries=queries)
        try:
            searches[language], chunks[language] = prepare_search(documents, language, retriever, settings, own)
        except RunStopped:
            raise
        except BenchError as error:
            not_run.append({"language": language, "n": n, "why": str(error)})
    if not_run and not searches:
        raise BenchError(not_run[0]["why"])
    return PreparedRetrieval(searches, tuple(not_run), chunks)


def prepare_search(
    documents: Sequence[Document],
    language: str,
    retriever: Retriever,
    settings: Mapping[str, Any],
    means: RetrieverContext = MEANS,
) -> tuple[Search, int]:
    """(search, number of chunks) over all documents of that language, in `chunk_tokens` with `chunk_overlap`. Raises BenchError
    when there is no such document or the retriever refuses the language or the length."""
    own = {**retriever.settings, **settings}
    tokens, overlap = read_whole_number(own, "chunk_tokens", CHUNK_TOKENS, 1), read_whole_number(own, "chunk_overlap", 0)
    if overlap >= tokens:
        raise BenchError(f"chunk_overlap is {overlap} and chunk_tokens {tokens}: an overlap must be smaller than the chunk.")
    shelf = {document.id: document for document in documents if document.language == language}
    if not shelf:
        raise BenchError(f"There is no document in {language} to search: add one, or leave its questions out.")
    model = retriever.reads_with(own)
    come_from = {
        "documents": list(shelf),
        "language": language,
        "chunk_tokens": tokens,
        "chunk_overlap": overlap,
        "cut_by": model and model.identity,
        "version": CUTTING_VERSION,
    }
    own_means = replace(means, chunks=come_from)
    offsets = model.offsets if model else None
    arrays = own_means.load_arrays("chunks", lambda: _cut(list(shelf.values()), tokens, overlap, offsets, means.tell))
    names = list(shelf)
    cuts = zip(*(arrays[name].tolist() for name in ("document", "start", "end")), strict=True)
    spans = [Span(names[number], start, end) for number, start, end in cuts]
    return retriever.build(spans, PassageTexts(shelf, spans), language, own, own_means), len(spans)


class PassageTexts(Sequence[str]):
    """The texts of spans, cut when they are looked at."""

    def __init__(self, shelf: Mapping[str, Document], spans: Sequence[Span]) -> None:
        self._shelf, self._spans = shelf, spans

    def __len__(self) -> int:
        return len(self._spans)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self._text(span) for span in self._spans[place]]
        return self._text(self._spans[place])

    def _text(self, span: Span) -> str:
        return self._shelf[span.document].text[span.start : span.end]


def _cut(
    documents: Sequence[Document], tokens: int, overlap: int, offsets: Offsets | None, tell: Callable[[str], None]
) -> dict[str, Any]:
    """The chunks of all documents, in order, as arrays: number of the document, start, end."""
    import numpy as np

    telling = ProgressReporter(tell, "index: cutting", "documents", len(documents))
    found: list[tuple[int, int, int]] = []
    for number, document in enumerate(documents):
        found += [(number, span.start, span.end) for span in chunk(document, tokens, overlap, offsets=offsets)]
        telling.report_progress(number + 1)
    columns = np.array(found, np.int64).reshape(-1, 3)
    return {"document": columns[:, 0], "start": columns[:, 1], "end": columns[:, 2]}


def _select_given(
    documents: Sequence[Document], retriever: Retriever, settings: Mapping[str, Any]
) -> Callable[[Question], Sequence[Document]]:
    """The documents that belong to a question, or the first `pages` of them; those that are not there, or in another language,
    are left out."""
    shelf = {document.id: document for document in documents}
    most = read_whole_number({**retriever.settings, **settings}, "pages", 0) or None

    def select_given(question: Question) -> Sequence[Document]:
        found = [shelf[name] for name in question.given[:most] if name in shelf]
        return [document for document in found if document.language == question.language]

    return select_given


def _of_the_question(
    given: Callable[[Question], Sequence[Document]], retriever: Retriever, settings: Mapping[str, Any], embedders: Embedders
) -> Callable[[Question], Search]:
    """A question's search over its given documents; the index is made when it is first asked. One without any finds nothing."""

    def search_own_pages(question: Question) -> Search:
        pages = given(question)
        made: list[Search] = []

        def search(query: str, k: int) -> list[Hit]:
            if pages and not made:
                made.append(
                    prepare_search(pages, question.language, retriever, settings, RetrieverContext(embedder=embedders))[0]
                )
            return made[0](query, k) if made else []

        return search

    return search_own_pages


def make_tools(
    documents: Sequence[Document],
    searches: Mapping[str, Search],
    ask: AskInRun | None,
    context: int | None,
    own: Callable[[Question], Search] | None = None,
    embedders: Embedders = embedder,
    look: AttentionProbe | None = None,
    functions: Callable[[Question], Registry] | None = None,
) -> Callable[[Question], Tools]:
    """Tools for each question: the agent `ask` with its `context` window and its inside (`look`), its `own` search, or that of
    its language, models from `embedders`, and the `functions` that are open to it."""
    shelf = {document.id: document for document in documents}
    entire = {document.text: Span(document.id, 0, len(document.text)) for document in documents}

    def text(span: Span) -> str:
        document = shelf.get(span.document)
        return document.text[span.start : span.end] if document else ""

    def locate(passage: str, first: Sequence[str]) -> Span:
        wanted = passage.strip()
        if not wanted:
            return make_unknown_span(passage)
        if wanted in entire:
            return entire[wanted]
        near = [shelf[name] for name in first if name in shelf]
        for document in (*near, *documents):
            at = document.text.find(wanted)
            if at >= 0:
                return Span(document.id, at, at + len(wanted))
        return make_unknown_span(passage)

    def tools(question: Question) -> Tools:
        search = own(question) if own else searches.get(question.language)
        return Tools(
            ask=ask,
            retrieve=search,
            text=text,
            document=shelf.get,
            context=context,
            locate=locate,
            embedder=embedders,
            look=look,
            functions=functions(question) if functions else None,
        )

    return tools
