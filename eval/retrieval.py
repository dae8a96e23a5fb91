"""What systems search: the release's documents of one language, cut into chunks and indexed by a retriever. A language that the
retriever cannot answer is left out and counted, never answered badly; and Tools over the documents for each question."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from core.chunks import chunk
from core.embeddings import embedder
from core.errors import BenchError
from core.nouns import Document, Hit, Span
from eval.retriever import Embedders, Means, Retriever, Search
from eval.settings import whole
from eval.system import Ask, Look, Question, Tools, unknown_span

CHUNK_TOKENS = 256
"""Default of the setting chunk_tokens."""
MEANS = Means()
"""Core's own models, and no query known before it is asked."""


class Prepared(NamedTuple):
    """Retrieval, ready for a run."""

    searches: Mapping[str, Search]
    """By language."""
    not_run: tuple[Mapping[str, Any], ...]
    """{"language", "n", "why"} for each language whose questions are left out."""
    chunks: Mapping[str, int]
    """Number of chunks by language."""
    own: Callable[[Question], Search] | None = None
    """The search of each question by itself, in the place of `searches`: that of its own documents."""


def prepare(
    documents: Sequence[Document], questions: Sequence[Question], retriever: Retriever, settings: Mapping[str, Any],
    embedders: Embedders = embedder, expects: bool = True,
) -> Prepared:  # fmt: skip
    """Retrieval for every language that is asked in, with models from `embedders`; `expects` = the questions' queries may be
    encoded beforehand. Raises BenchError, with the first reason, when none is left."""
    if retriever.of_the_question:
        return Prepared({}, (), {}, _of_the_question(documents, retriever, settings, embedders))
    counts: dict[str, int] = {}
    for question in questions:
        counts[question.language] = counts.get(question.language, 0) + 1
    searches: dict[str, Search] = {}
    chunks: dict[str, int] = {}
    not_run: list[Mapping[str, Any]] = []
    for language, n in sorted(counts.items()):
        queries = [q.query for q in questions if q.language == language and expects]
        means = Means(embedder=embedders, queries=queries)
        try:
            searches[language], chunks[language] = prepare_retrieval(documents, language, retriever, settings, means)
        except BenchError as error:
            not_run.append({"language": language, "n": n, "why": str(error)})
    if not_run and not searches:
        raise BenchError(not_run[0]["why"])
    return Prepared(searches, tuple(not_run), chunks)


def prepare_retrieval(
    documents: Sequence[Document], language: str, retriever: Retriever, settings: Mapping[str, Any], means: Means = MEANS
) -> tuple[Search, int]:
    """(search, number of chunks) over all documents of that language, in `chunk_tokens` with `chunk_overlap`. Raises BenchError
    when there is no such document or the retriever refuses the language or the length."""
    own = {**retriever.settings, **settings}
    tokens, overlap = whole(own, "chunk_tokens", CHUNK_TOKENS, 1), whole(own, "chunk_overlap", 0)
    if overlap >= tokens:
        raise BenchError(f"chunk_overlap is {overlap} and chunk_tokens {tokens}: an overlap must be smaller than the chunk.")
    if not any(document.language == language for document in documents):
        raise BenchError(f"There is no document in {language} to search: add one, or leave its questions out.")
    offsets = retriever.offsets(own)
    spans: list[Span] = []
    texts: list[str] = []
    for document in documents:
        if document.language == language:
            for span in chunk(document, tokens, overlap, offsets=offsets):
                spans.append(span)
                texts.append(document.text[span.start : span.end])
    return retriever.build(spans, texts, language, own, means), len(spans)


def _of_the_question(
    documents: Sequence[Document], retriever: Retriever, settings: Mapping[str, Any], embedders: Embedders
) -> Callable[[Question], Search]:  # fmt: skip
    """A question's search over the documents that belong to it; the index is made when it is first asked. One whose documents
    are not there, or in another language, finds nothing."""
    shelf = {document.id: document for document in documents}

    def own(question: Question) -> Search:
        pages = [shelf[name] for name in question.given if name in shelf and shelf[name].language == question.language]
        made: list[Search] = []

        def search(query: str, k: int) -> list[Hit]:
            if pages and not made:
                made.append(prepare_retrieval(pages, question.language, retriever, settings, Means(embedder=embedders))[0])
            return made[0](query, k) if made else []

        return search

    return own


def tools_over(
    documents: Sequence[Document], searches: Mapping[str, Search], ask: Ask | None, context: int | None,
    own: Callable[[Question], Search] | None = None, embedders: Embedders = embedder, look: Look | None = None,
) -> Callable[[Question], Tools]:  # fmt: skip
    """Tools for each question: the agent `ask` with its `context` window and its inside (`look`), its `own` search, or that of
    its language, and models from `embedders`."""
    shelf = {document.id: document for document in documents}
    entire = {document.text: Span(document.id, 0, len(document.text)) for document in documents}

    def text(span: Span) -> str:
        document = shelf.get(span.document)
        return document.text[span.start : span.end] if document else ""

    def locate(passage: str, first: Sequence[str]) -> Span:
        wanted = passage.strip()
        if not wanted:
            return unknown_span(passage)
        if wanted in entire:
            return entire[wanted]
        near = [shelf[name] for name in first if name in shelf]
        for document in (*near, *documents):
            at = document.text.find(wanted)
            if at >= 0:
                return Span(document.id, at, at + len(wanted))
        return unknown_span(passage)

    def tools(question: Question) -> Tools:
        search = own(question) if own else searches.get(question.language)
        return Tools(
            ask=ask, retrieve=search, text=text, document=shelf.get, context=context, locate=locate, embedder=embedders,
            look=look,
        )  # fmt: skip

    return tools

