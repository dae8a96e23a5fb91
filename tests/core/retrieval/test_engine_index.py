"""Indexes in search engines: filled shard by shard, continued after an engine that died, refused where they are of something
else; recall by hand. The engine here is a list that can be told to fail."""

from typing import Any

import numpy as np
import pytest

from core.cancellation import Cancelled, cancel_when
from core.errors import EngineFailed, EngineRefused
from core.retrieval import engine_index
from core.retrieval.engine_index import EngineIndex, RecallSample, SearchEngine, make_stamp, require_package, split_request


class ListEngine(SearchEngine):
    """Keeps rows in memory and compares by inner product; `lost` rows are found by exact search alone."""

    label = "Shelf"
    errors = (ConnectionError,)

    def __init__(self) -> None:
        super().__init__("town", "http://shelf")
        self.stamp: str | None = None
        self.rows: dict[int, Any] = {}
        self.lost: set[int] = set()
        self.finished = self.asked = 0
        self.fails_at: int | None = None
        """First row of the shard at which the engine dies, with half of it stored."""
        self.is_down = self.is_locked = False

    def describe(self) -> str:
        return "a list"

    def read_stamp(self) -> str | None:
        return self.stamp

    def create(self, stamp: str, rows: Any) -> None:
        self.stamp = stamp

    def count(self) -> int:
        return len(self.rows)

    def add(self, first: int, rows: Any) -> None:
        if first == self.fails_at:
            self.rows[first] = rows[0]
            raise ConnectionError("the pipe broke.\nand more")
        self.rows |= dict(enumerate(rows, first))

    def finish(self) -> None:
        self.finished += 1

    def search(self, query: Any, k: int, is_exact: bool = False) -> list[tuple[int, float]]:
        self.asked += 1
        if self.is_down:
            raise ConnectionError("refused")
        scores = {row: float(vector @ query) for row, vector in self.rows.items() if is_exact or row not in self.lost}
        return sorted(scores.items(), key=lambda pair: -pair[1])[:k]

    def explain_refusal(self, error: Exception) -> str | None:
        return "refuses the key: set KEY." if self.is_locked else None


class Corpus:
    """Seven passages, of which it counts those that are read."""

    def __init__(self, count: int = 7) -> None:
        self.vectors = np.eye(count, dtype=np.float32)
        self.read: list[int] = []

    def read_rows(self, first: int, end: int) -> Any:
        self.read += range(first, end)
        return self.vectors[first:end]


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_index, "SHARD_PASSAGES", 2)


def stamp(**facts: Any) -> dict[str, Any]:
    return make_stamp(**{"passages": 7, "corpus": "b2:a", "chunking": {"chunk_tokens": 256}, **facts})


def test_each_passage_is_read_and_stored_once() -> None:
    engine, corpus, told = ListEngine(), Corpus(), list[str]()
    index = EngineIndex(engine, stamp())
    index.fill(corpus.read_rows, told.append)
    assert (corpus.read, sorted(engine.rows), engine.finished) == (list(range(7)), list(range(7)), 1)
    EngineIndex(engine, stamp()).fill(corpus.read_rows)
    assert corpus.read == list(range(7)), "a complete index is not read again"


@pytest.mark.fault(56)
def test_an_engine_that_dies_while_indexing_goes_on_at_its_first_incomplete_shard() -> None:
    engine, corpus = ListEngine(), Corpus()
    engine.fails_at = 4
    with pytest.raises(EngineFailed) as failed:
        EngineIndex(engine, stamp()).fill(corpus.read_rows)
    assert str(failed.value) == (
        "Shelf at http://shelf failed while passages 5 to 6 of 7 were indexed (the pipe broke): see that it runs, then start "
        "the same run again; what is stored is kept."
    )
    assert sorted(engine.rows) == [0, 1, 2, 3, 4], "half a shard is stored"
    engine.fails_at, corpus.read = None, []
    EngineIndex(engine, stamp()).fill(corpus.read_rows)
    assert (corpus.read, sorted(engine.rows)) == ([4, 5, 6], list(range(7)))


def test_a_stop_between_two_shards_keeps_what_is_stored() -> None:
    engine, corpus = ListEngine(), Corpus()
    with pytest.raises(Cancelled), cancel_when(lambda: len(engine.rows) >= 4):
        EngineIndex(engine, stamp()).fill(corpus.read_rows)
    assert sorted(engine.rows) == [0, 1, 2, 3]


@pytest.mark.fault(57)
@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"corpus": "b2:other"}, "was made from other documents: "),
        ({"chunking": {"chunk_tokens": 128}}, "was made from other chunks (chunk_tokens 128 there, 256 now): "),
        ({"language": "zh"}, "was made for another language: "),
        ({"shard": 500}, "was made by another version of Benchwright: "),
    ],
)
def test_an_index_of_something_else_is_refused_by_what_differs(other: dict[str, Any], sentence: str) -> None:
    engine, corpus = ListEngine(), Corpus()
    EngineIndex(engine, stamp(**other)).fill(corpus.read_rows)
    before, corpus.read = dict(engine.rows), []
    with pytest.raises(EngineRefused) as refused:
        EngineIndex(engine, stamp()).fill(corpus.read_rows)
    assert f"The index town in Shelf at http://shelf {sentence}" in str(refused.value)
    assert "engine_index" in str(refused.value) and (engine.rows, corpus.read) == (before, [])


@pytest.mark.fault(57)
def test_another_model_is_named_and_not_its_hash() -> None:
    engine, corpus = ListEngine(), Corpus()
    of = {"vectors": "b2:1", "similarity": "cosine"}
    EngineIndex(engine, stamp(model="minilm", embedding=of)).fill(corpus.read_rows)
    with pytest.raises(EngineRefused, match=r"with another embedding model.*\(model minilm there, bge now\): "):
        EngineIndex(engine, stamp(model="bge", embedding=of | {"vectors": "b2:2"})).fill(corpus.read_rows)
    EngineIndex(engine, stamp(model="a copy", embedding=of)).fill(corpus.read_rows)


@pytest.mark.fault(57)
@pytest.mark.parametrize("theirs", ["", "not JSON", "[1]", '{"made_by": "somebody"}'])
def test_data_of_somebody_else_stays_as_it_is(theirs: str) -> None:
    engine, corpus = ListEngine(), Corpus()
    engine.stamp, engine.rows = theirs, {0: "theirs"}
    with pytest.raises(EngineRefused, match="has something named town that Benchwright did not make; it stays as it is"):
        EngineIndex(engine, stamp()).fill(corpus.read_rows)
    assert (engine.stamp, engine.rows, engine.finished) == (theirs, {0: "theirs"}, 0)


@pytest.mark.fault(57)
def test_rows_that_something_else_wrote_are_noticed() -> None:
    engine, corpus = ListEngine(), Corpus()
    index = EngineIndex(engine, stamp())
    index.fill(corpus.read_rows)
    engine.rows[99] = np.ones(7, np.float32) * 9
    with pytest.raises(EngineFailed, match="returned a row that this program did not write into the index town"):
        index.search(corpus.vectors[0], 2)
    with pytest.raises(EngineRefused, match="holds 8 rows and was made from 7 passages"):
        EngineIndex(engine, stamp()).fill(corpus.read_rows)


@pytest.mark.fault(56)
def test_a_dead_engine_is_asked_three_times_and_not_for_every_question() -> None:
    engine, corpus = ListEngine(), Corpus()
    index = EngineIndex(engine, stamp())
    index.fill(corpus.read_rows)
    engine.is_down = True
    for _ in range(5):
        with pytest.raises(EngineFailed, match=r"^Shelf at http://shelf failed while it was searched \(refused\)"):
            index.search(corpus.vectors[0], 1)
    assert engine.asked == 3


def test_one_failed_search_between_others_is_forgotten() -> None:
    engine, corpus = ListEngine(), Corpus()
    index = EngineIndex(engine, stamp())
    index.fill(corpus.read_rows)
    for _ in range(4):
        engine.is_down = True
        with pytest.raises(EngineFailed):
            index.search(corpus.vectors[0], 1)
        engine.is_down = False
        assert index.search(corpus.vectors[0], 1) == [(0, 1.0)]


def test_a_refused_key_is_a_refusal_at_the_start_and_a_failure_later() -> None:
    engine, corpus = ListEngine(), Corpus()
    engine.is_locked, engine.fails_at = True, 0
    with pytest.raises(EngineRefused, match=r"^Shelf at http://shelf refuses the key: set KEY\.$"):
        EngineIndex(engine, stamp()).fill(corpus.read_rows)


def test_equal_scores_stand_in_the_order_of_the_corpus() -> None:
    engine = ListEngine()
    index = EngineIndex(engine, stamp(passages=3))
    index.fill(lambda first, end: np.ones((end - first, 2), np.float32))
    engine.rows = dict(reversed(engine.rows.items()))
    assert [row for row, _ in index.search(np.ones(2, np.float32), 3)] == [0, 1, 2]


def test_recall_is_the_share_of_the_ten_best_that_approximate_search_finds() -> None:
    engine = ListEngine()
    index = EngineIndex(engine, stamp(passages=30))
    index.fill(lambda first, end: np.array([[30 - row, 1.0] for row in range(first, end)], np.float32))
    up, flat = np.array([1, 0], np.float32), np.array([0, 1], np.float32)
    engine.lost = {0, 3, 20}
    assert index.measure_recall([up]) == RecallSample(0.8, 0.8, 1), "rows 0 and 3 are missed, and 20 is not among the best"
    assert index.measure_recall([flat]) == RecallSample(1.0, 1.0, 1), "of equal similarities any will do"
    assert index.measure_recall([up, flat]) == RecallSample(0.9, 0.8, 2)
    assert index.measure_recall([]) is None


def test_a_missing_package_is_named() -> None:
    with pytest.raises(EngineRefused, match="LanceDB needs the Python package lancedb, which is not installed"):  # noqa: SIM117
        with require_package("LanceDB", "lancedb"):
            raise ImportError


def test_requests_are_split_by_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_index, "REQUEST_NUMBERS", 10)
    assert [(first, len(part)) for first, part in split_request(range(7), 4)] == [(0, 2), (2, 2), (4, 2), (6, 1)]
    assert [(first, len(part)) for first, part in split_request(range(2), 400)] == [(0, 1), (1, 1)]
