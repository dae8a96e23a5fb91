"""Items like an item or a text, by the cosine of their questions or answers: vectors are made beside the page, once for each
text, and kept in the workspace where the model is one whose vectors can be. Languages without a model that knows them are
compared by spelling, and the result says so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from core.errors import BenchError
from core.retrieval.embeddings import Embedder, embedder, explain_unusable
from core.retrieval.vector_cache import cache_embedder
from core.text.scripts import detect_language
from store.corpus.vectors import StoredVectors
from store.engine.database import Database
from store.items import finding, items
from workbench.kept import BackgroundCache, RunningWork

MODEL = "minilm"
"""What languages are compared with that it knows."""
LEXICAL = "lexical_vectors"
SAMPLE = 500
"""Texts whose tokens are looked at before the model is used."""
REFITTED = 2
"""Lexical vectors are fitted anew when there are so many times as many texts as they were fitted on."""
KEPT = 2
"""Languages, or sides of items, whose vectors stay in memory: 100,000 texts are 150 MB by MiniLM."""
Side = Literal["question", "answer"]


@dataclass(frozen=True, slots=True)
class Like:
    """What the items are to be like: an item by its id, or a text."""

    item: str = ""
    text: str = ""
    of: Side = "question"
    """Which side of the items is compared."""

    @property
    def is_asked(self) -> bool:
        return bool(self.item or self.text.strip())


@dataclass(frozen=True, slots=True)
class Alike:
    """Items by their likeness, the most alike first."""

    cosines: Mapping[str, float]
    """Item -> cosine, in order; the item that was asked with is none of them."""
    model: str
    is_lexical: bool
    left_out: int
    """Items that could not be compared: of another language, without words, or longer than the model reads."""


@dataclass(frozen=True, slots=True)
class _Index:
    """The vectors of one side of all items of a language."""

    model: Embedder
    fitted: int
    """Texts that there were when the model was made."""
    revisions: Mapping[str, int]
    """Every item that was looked at."""
    places: Mapping[str, int]
    """Item -> its row; those that can be compared."""
    vectors: Any


class ItemVectors:
    """The vectors of a workspace's items."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._kept = BackgroundCache(most=KEPT)
        self._texts = BackgroundCache()
        self._last: dict[tuple[str, Side], _Index] = {}
        self.said = ""
        """How far the work is that is under way."""

    def ranked(self, like: Like, among: Sequence[str]) -> RunningWork[Alike]:
        """Those items by their likeness, as far as that is known. Raises BenchError when there is nothing to compare with."""
        text, language = self._asked(like)
        key = (language, like.of, finding.fingerprint(self._db, language))
        working = self._kept.get(key, partial(self._index, language, like.of))
        index = working.value
        if index is None:
            return RunningWork(None, working.seconds)
        if like.item in index.places:
            vector = index.vectors[index.places[like.item]]
        else:  # the first text that is encoded loads the model, which takes seconds
            asked = self._texts.get((*key[:2], index.fitted, text), partial(_encoded, index.model, text))
            if asked.value is None:
                return RunningWork(None, asked.seconds)
            vector = asked.value
        return RunningWork(_compare(index, vector, [one for one in among if one != like.item]))

    def close(self) -> None:
        """Wait for what is under way."""
        self._kept.close()
        self._texts.close()

    def _asked(self, like: Like) -> tuple[str, str]:
        """(the text to compare with, its language)."""
        if not like.item:
            return like.text.strip(), detect_language(like.text)
        item = items.get(self._db, like.item)
        text = item.question if like.of == "question" else next(iter(item.answers), "")
        if not text.strip():
            raise BenchError(f"{item.id} has no {like.of} to compare with: choose another item.")
        return text, item.language

    def _index(self, language: str, of: Side) -> _Index:
        import numpy as np

        last = self._last.get((language, of))
        rows = finding.load_texts(self._db, language, of, last.revisions if last else {})
        if last and last.model.is_lexical and len(rows) > REFITTED * last.fitted:
            last, rows = None, finding.load_texts(self._db, language, of, {})
        new = {item: text for item, _, text in rows if text is not None and text.strip()}
        model = last.model if last else self._model(language, list(new.values()))
        fitting = {item: text for item, text in new.items() if _fits(model, text)}
        vectors = model.encode(list(fitting.values())) if fitting else None
        revisions = {item: revision for item, revision, _ in rows}
        stay = [] if last is None else [i for i in last.places if i not in new and last.revisions[i] == revisions.get(i)]
        parts = [last.vectors[[last.places[item] for item in stay]]] if last is not None and stay else []
        parts += [vectors] if vectors is not None else []
        self.said = ""
        made = _Index(
            model,
            last.fitted if last else len(rows),
            revisions,
            {item: n for n, item in enumerate([*stay, *fitting])},
            np.concatenate(parts) if parts else np.zeros((0, 1), np.float32),
        )
        self._last[language, of] = made
        while len(self._last) > KEPT:
            del self._last[next(iter(self._last))]
        return made

    def _model(self, language: str, texts: Sequence[str]) -> Embedder:
        model = embedder(MODEL)
        if language in model.languages and explain_unusable(model, language, texts[:SAMPLE]) is None:
            return cache_embedder(model, StoredVectors(self._db), self._tell)
        if not texts:
            raise BenchError(f"There is no item in {language} to compare with: take words that items of this workspace hold.")
        return embedder(LEXICAL, texts, language)

    def _tell(self, message: str) -> None:
        self.said = message


def _fits(model: Embedder, text: str) -> bool:
    """Whether the model reads all of it; a token has one character at least."""
    return model.max_tokens is None or len(text) <= model.max_tokens or model.count_tokens(text) <= model.max_tokens


def _encoded(model: Embedder, text: str) -> Any:
    """The text's vector. Raises BenchError when the model does not read all of it."""
    if not _fits(model, text):
        raise BenchError(f"The text is longer than {model.name} reads ({model.max_tokens} tokens): shorten it.")
    return model.encode([text])[0]


def _compare(index: _Index, vector: Any, among: Sequence[str]) -> Alike:
    """By the inner product with every vector that is asked for; a text that the model sees nothing in is like none."""
    import numpy as np

    known = [item for item in among if item in index.places] if vector.any() else []
    cosines = index.vectors[[index.places[item] for item in known]] @ vector if known else np.zeros(0)
    order = np.argsort(-cosines, kind="stable")
    found = {known[place]: float(cosines[place]) for place in order.tolist()}
    return Alike(found, index.model.name, index.model.is_lexical, len(among) - len(known))
