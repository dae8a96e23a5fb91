"""Search passages with search engines (OpenSearch, Qdrant, ...): their common settings, the stamp that identifies what an index
contains, and the search itself. An index is filled part by part, so that the vectors of a corpus are never in memory all at
once."""

import heapq
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from core.catalog import pick
from core.errors import BenchError
from core.ids import content_hash
from core.inner_network import check_reachable
from core.model_uses import note_model_use
from core.nouns import Hit
from core.retrieval.embeddings import Embedder
from core.retrieval.engine_index import RECALL_DEPTH, RECALL_QUERIES, EngineIndex, SearchEngine, make_stamp
from core.retrieval.search import QueryVectors, encode_index_rows
from core.text.cutters import open_cutter
from core.text.language import find_row
from core.text.words import words
from eval.embedding_settings import EMBEDDING_SETTINGS, check_texts, load_embedder
from eval.retriever import Passages, RetrieverContext, Search, retrievers
from eval.settings import Setting, Settings, read_settings

Comparison = Literal["dot", "euclidean", "manhattan"]
"""Ways in which a search engine compares vectors. Cosines are computed as inner products of vectors of length 1, because then
no engine refuses a vector of zeros."""
WORDS_VERSION = 1
"""Version of the splitting into words, as part of an index's stamp. Increase this version if core.text.words splits the same
texts into other words."""
CHECKED_TEXTS = 1_000
"""Maximum number of passages on which an embedding model is tested before an index is filled; half of this number are the
longest passages."""
ROLE = "search engine"
INDEX_SETTING = Setting(
    "",
    "Name of the index in the engine; the language is added to the name. Empty = the name depends on the content, "
    "so that other chunks or another model give another index.",
    kind="name",
)
CANDIDATES_SETTING = Setting(
    100, "Number of passages that an approximate search looks at; a higher number raises both recall and time.", 1
)
WORD_SETTINGS = {"engine_index": INDEX_SETTING}
"""Settings that all search engines which search by words have in common."""
VECTOR_SETTINGS = {**EMBEDDING_SETTINGS, "engine_index": INDEX_SETTING, "engine_candidates": CANDIDATES_SETTING}
"""Settings that all search engines which search by vectors have in common."""


def address_setting(default: str, example: str) -> Setting:
    """Return the setting that gives a search engine's address."""
    return Setting(default, f"Address of the engine, without a password: {example}.", kind="address")


@dataclass(frozen=True, kw_only=True, slots=True)
class EngineRequest:
    """The parameters for opening one index of a search engine."""

    index: str
    folder: Path
    """Folder in which an embedded search engine keeps its index."""
    environment: Mapping[str, str]
    comparison: Comparison = "dot"
    candidates: int = 100
    address: str = ""
    user: str = ""


OpenEngine = Callable[[EngineRequest], SearchEngine]


def build_vector_search(open_engine: OpenEngine, passages: Passages, settings: Settings, context: RetrieverContext) -> Search:
    """Fill an index of a search engine with the passages' vectors, measure the index's recall, and return a function that
    searches it. Raises BenchError if the embedding model cannot embed the passages, EngineRefused or EngineFailed if the engine
    cannot be used."""
    if settings["embedding_model"] == "lexical_vectors":
        raise BenchError(
            "The vectors of lexical_vectors are fitted to each corpus, so no engine can store them: use the retriever dense, "
            "or set embedding_model to another model."
        )
    model = load_embedder(settings, context.embedder, (), passages.language)
    stamp = _make_stamp(passages, context, "vectors", model)
    index = _open_index(open_engine, stamp, passages, settings, context, model)

    def read_vectors(first: int, end: int) -> Any:
        return encode_index_rows(model, passages.texts[first:end])

    check_texts(model, _select_texts(passages), passages.language)
    index.fill(read_vectors, context.report_progress)
    readable = [query for query in context.queries if model.max_tokens is None or model.count_tokens(query) <= model.max_tokens]
    queries = QueryVectors(model, readable)
    _note_recall(index, passages, readable, queries, read_vectors)

    def search(query: str, k: int) -> list[Hit]:
        vector = queries.encode([query])[0]
        return [Hit(passages.spans[row], score) for row, score in index.search(vector, k)] if vector.any() and k > 0 else []

    return search


def build_word_search(open_engine: OpenEngine, passages: Passages, settings: Settings, context: RetrieverContext) -> Search:
    """Fill an index of a search engine with the passages' words, and return a function that searches the index. The engine
    receives words from core.text.words instead of text, so that it ranks by the same words as the retriever bm25. Raises
    EngineRefused or EngineFailed if the engine cannot be used."""
    language = passages.language
    index = _open_index(open_engine, _make_stamp(passages, context, "words"), passages, settings, context)

    def read_words(first: int, end: int) -> list[list[str]]:
        return [words(text, language) for text in passages.texts[first:end]]

    index.fill(read_words, context.report_progress)
    note_model_use(ROLE, f"{index.engine.label} {index.engine.index}", passages=len(passages.spans), search="exact")

    def search(query: str, k: int) -> list[Hit]:
        asked = words(query, language)
        return [Hit(passages.spans[row], score) for row, score in index.search(asked, k)] if asked and k > 0 else []

    return search


def describe_engine(name: str, settings: Mapping[str, Any], environment: Mapping[str, str]) -> str:
    """Return the version of the retriever's search engine, and which features or plug-ins the engine lacks. Raises BenchError
    for a retriever without an engine and for unknown settings, EngineRefused or EngineFailed if the engine cannot be used."""
    retriever = pick(retrievers(), name, "retriever")
    if retriever.open_engine is None:
        engines = ", ".join(sorted(other for other, one in retrievers().items() if one.open_engine))
        raise BenchError(f"The retriever {name} searches in memory, without a search engine: name one of {engines}.")
    own = read_settings(retriever.settings, settings)
    address, user = own.get("engine_address", ""), own.get("engine_user", "")
    check_reachable(address)
    with tempfile.TemporaryDirectory(prefix="benchwright-") as folder:
        request = EngineRequest(
            index="benchwright_doctor", folder=Path(folder), environment=environment, address=address, user=user
        )
        engine = retriever.open_engine(request)
        try:
            return EngineIndex(engine, make_stamp(passages=0)).describe()
        finally:
            engine.close()


def _open_index(
    open_engine: OpenEngine,
    stamp: dict[str, Any],
    passages: Passages,
    settings: Settings,
    context: RetrieverContext,
    model: Embedder | None = None,
) -> EngineIndex:
    """Open the index named in the settings or, if the settings name none, the index named after the hash of the stamp, which
    describes the index's content."""
    name = settings["engine_index"]
    similarity = "dot" if model is None or model.similarity == "cosine" else model.similarity
    request = EngineRequest(
        index=f"{name}_{passages.language.lower().replace('-', '_')}" if name else _name_index(stamp),
        folder=context.engine_folder or _make_folder(context),
        environment=context.environment,
        comparison=similarity,
        candidates=settings.get("engine_candidates", CANDIDATES_SETTING.default),
        address=settings.get("engine_address", ""),
        user=settings.get("engine_user", ""),
    )
    check_reachable(request.address)
    engine = open_engine(request)
    context.close_later(engine.close)
    return EngineIndex(engine, stamp)


def _name_index(stamp: Mapping[str, Any]) -> str:
    return f"benchwright_{content_hash(dict(stamp)).removeprefix('b2:')[:12]}"


def _make_folder(context: RetrieverContext) -> Path:
    """Return a temporary folder that is deleted after the run."""
    folder = tempfile.TemporaryDirectory(prefix="benchwright-")
    context.close_later(folder.cleanup)
    return Path(folder.name)


def _make_stamp(passages: Passages, context: RetrieverContext, search: str, model: Embedder | None = None) -> dict[str, Any]:
    """Return the stamp of an index: a dict that says from what passages the index is made, and how."""
    origin = dict(context.chunks or {"documents": [span.triple for span in passages.spans]})
    documents, language = origin.pop("documents"), origin.pop("language", passages.language)
    facts: dict[str, Any] = {"words": {"version": WORDS_VERSION, "cutter": _name_cutter(passages.language)}}
    if model is not None:
        vectors = {"vectors": model.vector_key("document"), "similarity": model.similarity}
        facts = {"model": Path(model.name).name, "embedding": vectors}
        if origin.get("cut_by") == model.identity:  # the same model with another prompt for queries cuts the same chunks
            origin["cut_by"] = "embedding model"
    return make_stamp(
        search=search,
        passages=len(passages.spans),
        corpus=content_hash(documents),
        language=language,
        chunking=origin,
        **facts,
    )


def _name_cutter(language: str) -> str:
    """Return the name of the package that splits text in the language into words; "" if the language needs no package or it is
    not installed."""
    package = find_row(language).cutter
    return package if open_cutter(package) is not None else ""


def _select_texts(passages: Passages) -> Sequence[str]:
    """Return passages on which to test an embedding model: the longest passages, and passages that are spread evenly over the
    corpus."""
    half, count = CHECKED_TEXTS // 2, len(passages.spans)
    longest = heapq.nlargest(half, range(count), key=lambda row: passages.spans[row].end - passages.spans[row].start)
    rows = sorted({*longest, *range(0, count, max(1, count // half))})
    return [passages.texts[row] for row in rows]


def _note_recall(
    index: EngineIndex,
    passages: Passages,
    asked: Sequence[str],
    queries: QueryVectors,
    read_vectors: Callable[[int, int], Any],
) -> None:
    """Measure the recall of the engine's approximate search on a sample of the run's questions, and add it to the run's record.
    If the questions are not known beforehand, a sample of the passages is used as queries."""
    sample = _spread(list(dict.fromkeys(asked)), RECALL_QUERIES)
    rows = _spread(range(len(passages.spans)), RECALL_QUERIES)

    def read_sample() -> Iterator[Any]:
        if sample:
            yield from queries.encode(sample)
        else:
            for row in rows:
                yield from read_vectors(row, row + 1)

    vectors = [vector for vector in read_sample() if vector.any()]
    recall = index.measure_recall(vectors)
    note_model_use(
        ROLE,
        f"{index.engine.label} {index.engine.index}",
        passages=len(passages.spans),
        search="approximate",
        **{f"recall@{RECALL_DEPTH}": round(recall.recall, 4), "lowest": round(recall.lowest, 4)} if recall else {},
        sample=f"{recall.n} {'questions' if sample else 'passages'}" if recall else None,
    )


def _spread(values: Sequence[Any], most: int) -> list[Any]:
    """Return at most `most` of the values, evenly spaced in the sequence."""
    return list(values) if len(values) <= most else [values[number * len(values) // most] for number in range(most)]
