"""Prepare retrieval for a run: cut the release's documents of each language into chunks, and let the retriever index them.
Questions in a language that the retriever cannot search are left out and counted."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from core.cancellation import Cancelled
from core.errors import AgentError, BenchError, BudgetReached, EngineFailed, EngineRefused
from core.functions.functions import Registry
from core.nouns import Document, Hit, Span
from core.progress_reporter import ProgressReporter
from core.retrieval.chunks import Offsets, chunk
from core.retrieval.embeddings import embedder
from core.text.language import find_row, may_match
from eval.retriever import Embedders, Passages, Retriever, RetrieverContext, Search
from eval.running.runner import RunStopped
from eval.settings import Settings, read_choice, read_settings, read_whole_number
from eval.system import AskInRun, AttentionProbe, Question, Tools, make_unknown_span

CHUNK_TOKENS = 256
"""Default of the setting chunk_tokens, the number of tokens of a chunk."""
SEARCH_LANGUAGE = "search_language"
"""Setting that says in which languages the documents are that a question searches."""
SEARCH_LANGUAGES = ("own", "other", "all")
"""Values of SEARCH_LANGUAGE, the default first: documents in the question's own language, in all other languages, or in all
languages."""
CUTTING_VERSION = 1
"""Version of the cutting of documents into chunks. Increase this version if the same documents give other chunks; stored chunks
and indexes are then made again."""
DEFAULT_CONTEXT = RetrieverContext()
"""Default context of a retriever: it loads core's models, and the queries of the run are not known in advance."""


class PreparedRetrieval(NamedTuple):
    """The search functions of a run, with facts about its chunks."""

    searches: Mapping[str, Search]
    """A dict from language to the search function over its documents."""
    not_run: tuple[Mapping[str, Any], ...]
    """The questions left out, as a {"language", "n", "why"} record for each language that cannot be searched."""
    chunks: Mapping[str, int]
    """A dict from language to its number of chunks."""
    own: Callable[[Question], Search] | None = None
    """Returns the search function over the documents of one question; None = all questions use the search functions in
    `searches`."""
    given: Callable[[Question], Sequence[Document]] | None = None
    """Returns the documents that belong to the question, best first; None = no question has documents of its own."""


def prepare_retrieval(
    documents: Sequence[Document],
    questions: Sequence[Question],
    retriever: Retriever,
    settings: Settings,
    context: RetrieverContext = DEFAULT_CONTEXT,
    expects: bool = True,
) -> PreparedRetrieval:
    """Return the search functions for all languages of the questions. With `expects`, the retriever gets the questions' queries
    in advance, so that it can encode them in batches. Raises BenchError with the first reason if no language can be
    searched."""
    settings = read_settings(retriever.settings, settings)
    if retriever.is_of_question:
        if read_choice(settings, SEARCH_LANGUAGE, SEARCH_LANGUAGES) != "own":
            raise BenchError(
                f"The setting {SEARCH_LANGUAGE} is for retrievers that search the whole corpus, but this retriever searches "
                "the documents of one question: choose another retriever, or leave the setting out."
            )
        given = _select_given(documents, settings)
        return PreparedRetrieval({}, (), {}, _search_given(given, retriever, settings, context.embedder), given)
    searches: dict[str, Search] = {}
    chunks: dict[str, int] = {}
    not_run: list[Mapping[str, Any]] = []
    for language, n in sorted(Counter(question.language for question in questions).items()):
        own = replace(context, queries=[q.query for q in questions if q.language == language and expects])
        try:
            searches[language], chunks[language] = prepare_search(documents, language, retriever, settings, own)
        except (RunStopped, Cancelled, EngineRefused):  # an engine that cannot be used ends the run, not only one language
            raise
        except (BudgetReached, AgentError, EngineFailed) as error:  # a model behind an endpoint, or an engine, failed
            raise RunStopped(str(error), reason="budget" if isinstance(error, BudgetReached) else "endpoint") from error
        except BenchError as error:
            not_run.append({"language": language, "n": n, "why": str(error)})
    if not_run and not searches:
        raise BenchError(not_run[0]["why"])
    return PreparedRetrieval(searches, tuple(not_run), chunks)


def prepare_search(
    documents: Sequence[Document],
    language: str,
    retriever: Retriever,
    settings: Settings,
    context: RetrieverContext = DEFAULT_CONTEXT,
) -> tuple[Search, int]:
    """Return (the search function over all documents that may be in the language, the number of their chunks). `language` is
    that of the questions. By the setting search_language, the documents are in all other languages or in any language instead.

    The settings chunk_tokens and chunk_overlap define the chunks. Raises BenchError if there is no such document, or if the
    retriever refuses the language or the chunk length."""
    settings = read_settings(retriever.settings, settings)
    tokens = read_whole_number(settings, "chunk_tokens", CHUNK_TOKENS, 1)
    overlap = read_whole_number(settings, "chunk_overlap", 0)
    if overlap >= tokens:
        raise BenchError(f"chunk_overlap is {overlap} and chunk_tokens is {tokens}: an overlap must be smaller than the chunk.")
    searched = read_choice(settings, SEARCH_LANGUAGE, SEARCH_LANGUAGES)
    by_id = {one.id: one for one in documents if searched == "all" or may_match(one.language, language) == (searched == "own")}
    if not by_id:
        where = f"in another language than {language}" if searched == "other" else f"in {language}"
        raise BenchError(f"There is no document {where} to search: add one, or leave questions in this language out.")
    language = language if searched == "own" else _choose_cutting({document.language for document in by_id.values()}, language)
    model = retriever.load_chunk_model(settings, context.embedder)
    origin = {
        "documents": list(by_id),
        "language": language,
        "chunk_tokens": tokens,
        "chunk_overlap": overlap,
        "cut_by": model and model.identity,
        "version": CUTTING_VERSION,
    }
    own = replace(context, chunks=origin)
    offsets, ids = model.offsets if model else None, list(by_id)
    report, corpus = context.report_progress, list(by_id.values())
    arrays = own.load_arrays("chunks", lambda: _cut_documents(corpus, tokens, overlap, offsets, report))
    cuts = zip(*(arrays[name].tolist() for name in ("document", "start", "end")), strict=True)
    spans = [Span(ids[number], start, end) for number, start, end in cuts]
    return retriever.build(Passages(spans, PassageTexts(by_id, spans), language), settings, own), len(spans)


def _choose_cutting(languages: Collection[str], asked: str) -> str:
    """Return the language by whose rules texts in these languages, and questions in the language `asked`, are cut into words:
    one without spaces between words if there is one, because its rules cut the words of other scripts too; else the only
    language of the texts, or the one that is asked in."""
    unspaced = sorted(one for one in {*languages, asked} if not find_row(one).separator)
    if unspaced:
        return unspaced[0]
    return next(iter(languages)) if len(languages) == 1 else asked


class PassageTexts(Sequence[str]):
    """The texts of spans, each cut out of its document when it is accessed, so that the corpus is in memory only once."""

    def __init__(self, documents: Mapping[str, Document], spans: Sequence[Span]) -> None:
        self._documents, self._spans = documents, spans

    def __len__(self) -> int:
        return len(self._spans)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[number] for number in range(len(self))[place]]
        span = self._spans[place]
        return self._documents[span.document].text[span.start : span.end]


def _cut_documents(
    documents: Sequence[Document], tokens: int, overlap: int, offsets: Offsets | None, report: Callable[[str], None]
) -> dict[str, Any]:
    """Return the chunks of all documents, in order, as arrays: index of the document, start, end."""
    progress = ProgressReporter(report, "index: cutting", "documents", len(documents))
    cuts: list[tuple[int, int, int]] = []
    for number, document in enumerate(documents):
        cuts += [(number, span.start, span.end) for span in chunk(document, tokens, overlap, offsets=offsets)]
        progress.report_progress(number + 1)
    columns = np.array(cuts, np.int64).reshape(-1, 3)
    return {"document": columns[:, 0], "start": columns[:, 1], "end": columns[:, 2]}


def _select_given(documents: Sequence[Document], settings: Settings) -> Callable[[Question], Sequence[Document]]:
    """Return a function that returns the documents that belong to a question, at most as many as the setting `pages` says.
    Documents that are missing or in another language are left out."""
    by_id = {document.id: document for document in documents}
    count = settings["pages"] or None

    def select_given(question: Question) -> Sequence[Document]:
        own = [by_id[name] for name in question.given[:count] if name in by_id]
        return [document for document in own if may_match(document.language, question.language)]

    return select_given


def _search_given(
    given: Callable[[Question], Sequence[Document]], retriever: Retriever, settings: Settings, embedders: Embedders
) -> Callable[[Question], Search]:
    """Return a function that returns, for a question, the search function over the documents that belong to it; they are
    indexed at the first query."""

    def search_own(question: Question) -> Search:
        pages = given(question)
        built: list[Search] = []

        def search(query: str, k: int) -> list[Hit]:
            if pages and not built:
                context = RetrieverContext(embedder=embedders)
                built.append(prepare_search(pages, question.language, retriever, settings, context)[0])
            return built[0](query, k) if built else []

        return search

    return search_own


def make_tools(
    documents: Sequence[Document],
    searches: Mapping[str, Search],
    ask: AskInRun | None,
    context: int | None,
    own: Callable[[Question], Search] | None = None,
    embedders: Embedders = embedder,
    probe: AttentionProbe | None = None,
    functions: Callable[[Question], Registry] | None = None,
) -> Callable[[Question], Tools]:
    """Return a function that makes the Tools with which a system answers a question: the agent (`ask`, its context window
    `context`, and `probe`), the search function (from `own` if given, else the one for the question's language in `searches`),
    embedding models (from `embedders`), and the functions that the system may call (from `functions`)."""
    by_id = {document.id: document for document in documents}
    whole = {document.text: Span(document.id, 0, len(document.text)) for document in documents}

    def text(span: Span) -> str:
        document = by_id.get(span.document)
        return document.text[span.start : span.end] if document else ""

    def locate(passage: str, first: Sequence[str]) -> Span:
        stripped = passage.strip()
        if not stripped:
            return make_unknown_span(passage)
        if stripped in whole:
            return whole[stripped]
        for document in (*(by_id[name] for name in first if name in by_id), *documents):
            if (at := document.text.find(stripped)) >= 0:
                return Span(document.id, at, at + len(stripped))
        return make_unknown_span(passage)

    def tools(question: Question) -> Tools:
        return Tools(
            ask=ask,
            retrieve=own(question) if own else searches.get(question.language),
            text=text,
            document=by_id.get,
            context=context,
            locate=locate,
            embedder=embedders,
            probe=probe,
            functions=functions(question) if functions else None,
        )

    return tools
