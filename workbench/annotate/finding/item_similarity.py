"""Find items that are similar to an item or a text, by the cosine between embeddings of their questions or answers. Each text
is embedded once, in the background; the vectors are stored in the workspace if the model allows it. If the model does not
support a language, the spelling of texts is compared instead of their meaning, and the result says so."""

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
"""Name of the embedding model for the languages that it supports."""
LEXICAL_MODEL = "lexical_vectors"
MAX_SAMPLED_TEXTS = 500
"""Maximum number of texts of a language whose tokens are counted in order to check that the model suits the language."""
REFIT_FACTOR = 2
"""When the number of texts has grown by this factor, the vectors that compare spelling are computed anew."""
MAX_INDEXES = 2
"""Maximum number of vector indexes in memory; each is for the questions or the answers of one language. 100,000 texts take 150
MB with MiniLM."""
Side = Literal["question", "answer"]


@dataclass(frozen=True, slots=True)
class SimilarityQuery:
    """A search for items that are similar to a text or to an item, which is given by its id."""

    item: str = ""
    text: str = ""
    of: Side = "question"
    """What is compared of the items: question or answer."""

    @property
    def is_asked(self) -> bool:
        """Return whether the query names an item or a text to compare with."""
        return bool(self.item or self.text.strip())


@dataclass(frozen=True, slots=True)
class SimilarItems:
    """Items ranked by their similarity to a text or an item."""

    cosines: Mapping[str, float]
    """Dict from item id to cosine, most similar item first, without the item that was searched for."""
    model: str
    is_lexical: bool
    """Whether the spelling of texts was compared instead of their meaning."""
    left_out: int
    """Number of items that cannot be compared, because they are in another language, have no words, or are too long for the
    model."""


@dataclass(frozen=True, slots=True)
class _Index:
    """The vectors of the questions, or of the answers, of all items of one language."""

    model: Embedder
    fitted: int
    """Number of texts on which the model was fitted."""
    revisions: Mapping[str, int]
    """Dict from item id to revision, for all items that were read."""
    places: Mapping[str, int]
    """Dict from item id to the item's row in `vectors`, for all items that can be compared."""
    vectors: Any


class ItemVectors:
    """Computes and caches the vectors of a workspace's items, and sorts items by similarity."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._indexes = BackgroundCache(max_results=MAX_INDEXES)
        self._texts = BackgroundCache()
        self._last: dict[tuple[str, Side], _Index] = {}
        self.message = ""
        """Progress of the computation in the background, in words; "" if none runs."""

    def rank(self, query: SimilarityQuery, among: Sequence[str]) -> RunningWork[SimilarItems]:
        """Sort the items `among` by their similarity to the query, in the background. Raises BenchError if there is nothing to
        compare with."""
        text, language = self._read_query(query)
        key = (language, query.of, finding.fingerprint(self._db, language))
        working = self._indexes.get(key, partial(self._build_index, language, query.of))
        index = working.value
        if index is None:
            return RunningWork(None, working.seconds)
        if query.item in index.places:
            vector = index.vectors[index.places[query.item]]
        else:  # the first text loads the model, which takes seconds
            encoding = self._texts.get((*key[:2], index.fitted, text), partial(_encode, index.model, text))
            if encoding.value is None:
                return RunningWork(None, encoding.seconds)
            vector = encoding.value
        return RunningWork(_compare(index, vector, [item for item in among if item != query.item]))

    def close(self) -> None:
        """Wait until the running background work has ended."""
        self._indexes.close()
        self._texts.close()

    def _read_query(self, query: SimilarityQuery) -> tuple[str, str]:
        """Return the text to compare with, and its language."""
        if not query.item:
            return query.text.strip(), detect_language(query.text, self._find_most_frequent_language())
        item = items.get(self._db, query.item)
        text = item.question if query.of == "question" else next(iter(item.answers), "")
        if not text.strip():
            raise BenchError(f"{item.id} has no {query.of} to compare with: choose another item.")
        return text, item.language

    def _find_most_frequent_language(self) -> str:
        """Return the language of most items, which is assumed for a text whose language is unclear."""
        totals = Counter[str]()
        for count in items.count_items(self._db):
            totals[count.language] += count.items
        return totals.most_common(1)[0][0] if totals else UNKNOWN

    def _build_index(self, language: str, of: Side) -> _Index:
        """Return the vector index of a language. The last index is used again, and only texts that are new or changed are
        embedded."""
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
            raise BenchError(f"There is no item in {language} to compare with: use words from existing items.")
        return embedder(LEXICAL_MODEL, texts, language)

    def _report(self, message: str) -> None:
        self.message = message


def fits_model(model: Embedder, text: str) -> bool:
    """Return whether the text is short enough for the model. A text with at most as many characters as the model can read
    tokens always fits, so its tokens are not counted."""
    return model.max_tokens is None or len(text) <= model.max_tokens or model.count_tokens(text) <= model.max_tokens


def _encode(model: Embedder, text: str) -> Any:
    """Return the text's vector. Raises BenchError if the text is too long for the model."""
    if not fits_model(model, text):
        raise BenchError(f"The text is longer than the {model.max_tokens} tokens that {model.name} can read: shorten it.")
    return model.encode([text])[0]


def _compare(index: _Index, vector: Any, among: Sequence[str]) -> SimilarItems:
    """Sort the items `among` by the cosine between their vectors and `vector`; a zero vector is similar to nothing."""
    import numpy as np

    compared = [item for item in among if item in index.places] if vector.any() else []
    cosines = index.vectors[[index.places[item] for item in compared]] @ vector if compared else np.zeros(0)
    order = np.argsort(-cosines, kind="stable")
    ranked = {compared[place]: float(cosines[place]) for place in order.tolist()}
    return SimilarItems(ranked, index.model.name, index.model.is_lexical, len(among) - len(compared))
