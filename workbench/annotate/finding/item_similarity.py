"""Finds items similar to an item or a text, by the cosine of their questions or answers. Vectors are computed in the
background, once for each text. The workspace stores them where the model allows it. For languages that the model does not know,
spelling is compared, and the result says so."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from core.errors import BenchError
from core.retrieval.embeddings import Embedder, embedder, explain_unusable
from core.retrieval.vector_cache import cache_embedder
from core.text.detection import detect_language
from core.text.language import UNKNOWN
from store.corpus.vectors import StoredVectors
from store.engine.database import Database
from store.items import finding, items
from workbench.background_cache import BackgroundCache, RunningWork

MODEL = "minilm"
"""Model for the languages that it supports."""
LEXICAL_MODEL = "lexical_vectors"
MAX_SAMPLED_TEXTS = 500
"""Maximum number of texts whose tokens are counted to check that the model suits a language."""
REFIT_FACTOR = 2
"""Growth factor of the number of texts at which lexical vectors are fitted again."""
MAX_INDEXES = 2
"""Maximum number of indexes in memory, one per language and side of items: 100,000 texts take 150 MB with MiniLM."""
Side = Literal["question", "answer"]


@dataclass(frozen=True, slots=True)
class SimilarityQuery:
    """The item (by id) or text to compare items with."""

    item: str = ""
    text: str = ""
    of: Side = "question"
    """Side of the items that is compared."""

    @property
    def is_asked(self) -> bool:
        """Return whether there is anything to compare with."""
        return bool(self.item or self.text.strip())


@dataclass(frozen=True, slots=True)
class SimilarItems:
    """Items by their similarity, the most similar first."""

    cosines: Mapping[str, float]
    """Cosine by item, most similar first, without the query's item."""
    model: str
    is_lexical: bool
    """Whether the comparison is by spelling instead of meaning."""
    left_out: int
    """Number of items that cannot be compared: in another language, without words, or longer than the model reads."""


@dataclass(frozen=True, slots=True)
class _Index:
    """The vectors of one side of all items of a language."""

    model: Embedder
    fitted: int
    """Number of texts at the time of fitting."""
    revisions: Mapping[str, int]
    """Revision of every item that was read, by item id."""
    places: Mapping[str, int]
    """Row of each item that can be compared, by item id."""
    vectors: Any


class ItemVectors:
    """The vectors of a workspace's items."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._indexes = BackgroundCache(max_results=MAX_INDEXES)
        self._texts = BackgroundCache()
        self._last: dict[tuple[str, Side], _Index] = {}
        self.message = ""
        """Progress of the background work in words."""

    def rank(self, query: SimilarityQuery, among: Sequence[str]) -> RunningWork[SimilarItems]:
        """Return those items by their similarity, once computed. Raises BenchError when there is nothing to compare with."""
        text, language = self._read_query(query)
        key = (language, query.of, finding.fingerprint(self._db, language))
        working = self._indexes.get(key, partial(self._build_index, language, query.of))
        index = working.value
        if index is None:
            return RunningWork(None, working.seconds)
        if query.item in index.places:
            vector = index.vectors[index.places[query.item]]
        else:  # encoding the first text loads the model, which takes seconds
            encoding = self._texts.get((*key[:2], index.fitted, text), partial(_encode, index.model, text))
            if encoding.value is None:
                return RunningWork(None, encoding.seconds)
            vector = encoding.value
        return RunningWork(_compare(index, vector, [item for item in among if item != query.item]))

    def close(self) -> None:
        """Wait for the work under way."""
        self._indexes.close()
        self._texts.close()

    def _read_query(self, query: SimilarityQuery) -> tuple[str, str]:
        """Return (the text to compare with, its language)."""
        if not query.item:
            return query.text.strip(), detect_language(query.text, self._find_most_frequent_language())
        item = items.get(self._db, query.item)
        text = item.question if query.of == "question" else next(iter(item.answers), "")
        if not text.strip():
            raise BenchError(f"{item.id} has no {query.of} to compare with: choose another item.")
        return text, item.language

    def _find_most_frequent_language(self) -> str:
        """Return the language of most items, for a text with an unclear language."""
        totals = Counter[str]()
        for count in items.count_items(self._db):
            totals[count.language] += count.items
        return totals.most_common(1)[0][0] if totals else UNKNOWN

    def _build_index(self, language: str, of: Side) -> _Index:
        """Build the index from the last index and all new texts."""
        import numpy as np

        last = self._last.get((language, of))
        rows = finding.load_texts(self._db, language, of, last.revisions if last else {})
        if last and last.model.is_lexical and len(rows) > REFIT_FACTOR * last.fitted:
            last, rows = None, finding.load_texts(self._db, language, of, {})
        new = {item: text for item, _, text in rows if text is not None and text.strip()}
        model = last.model if last else self._choose_model(language, list(new.values()))
        fitting = {item: text for item, text in new.items() if fits_model(model, text)}
        vectors = model.encode(list(fitting.values())) if fitting else None
        revisions = {item: revision for item, revision, _ in rows}
        stay = [] if last is None else [i for i in last.places if i not in new and last.revisions[i] == revisions.get(i)]
        parts = [last.vectors[[last.places[item] for item in stay]]] if last is not None and stay else []
        parts += [vectors] if vectors is not None else []
        self.message = ""
        places = {item: n for n, item in enumerate([*stay, *fitting])}
        joined = np.concatenate(parts) if parts else np.zeros((0, 1), np.float32)
        index = _Index(model, last.fitted if last else len(rows), revisions, places, joined)
        self._last[language, of] = index
        while len(self._last) > MAX_INDEXES:
            del self._last[next(iter(self._last))]
        return index

    def _choose_model(self, language: str, texts: Sequence[str]) -> Embedder:
        model = embedder(MODEL)
        if language in model.languages and explain_unusable(model, language, texts[:MAX_SAMPLED_TEXTS]) is None:
            return cache_embedder(model, StoredVectors(self._db), self._report)
        if not texts:
            raise BenchError(f"There is no item in {language} to compare with: take words that items of this workspace hold.")
        return embedder(LEXICAL_MODEL, texts, language)

    def _report(self, message: str) -> None:
        self.message = message


def fits_model(model: Embedder, text: str) -> bool:
    """Return whether the model reads the whole text; a token has at least one character."""
    return model.max_tokens is None or len(text) <= model.max_tokens or model.count_tokens(text) <= model.max_tokens


def _encode(model: Embedder, text: str) -> Any:
    """Return the text's vector. Raises BenchError when the model does not read the whole text."""
    if not fits_model(model, text):
        raise BenchError(f"The text is longer than {model.name} reads ({model.max_tokens} tokens): shorten it.")
    return model.encode([text])[0]


def _compare(index: _Index, vector: Any, among: Sequence[str]) -> SimilarItems:
    """Rank by the inner product with each vector; nothing is similar to a text that is empty to the model."""
    import numpy as np

    compared = [item for item in among if item in index.places] if vector.any() else []
    cosines = index.vectors[[index.places[item] for item in compared]] @ vector if compared else np.zeros(0)
    order = np.argsort(-cosines, kind="stable")
    ranked = {compared[place]: float(cosines[place]) for place in order.tolist()}
    return SimilarItems(ranked, index.model.name, index.model.is_lexical, len(among) - len(compared))
