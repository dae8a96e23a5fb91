"""Evidence beside passages, worked by hand; results that are kept are made once and failures are tried again."""

import threading
from functools import partial

import pytest

from core.errors import BenchError
from core.nouns import Document, Span
from store import documents
from store.database import Database
from workbench.evaluate.evidence_found import found_of
from workbench.kept import Kept

TEXT = "The bridge was built in 1901. Marta Quill designed it. The mill burnt."
DOCUMENT = Document("d", TEXT, "Bridge")


def test_overlaps_are_marked_and_measured() -> None:
    with Database.open(":memory:") as database:
        documents.add(database, [DOCUMENT])
        gold = Span("d", 30, 54)  # the second sentence
        found = found_of(database, [Span("d", 0, 42), Span("d", 36, 70), Span("x", 0, 5)], [gold])
    first, second, unknown = found.passages or ()
    assert first.shares == [(1, 0.5)] and second.shares == [(1, 0.75)] and unknown.shares == []
    assert "".join(text for text, _ in first.pieces) == TEXT[:42] and first.pieces[-1] == (TEXT[30:42], True)
    assert found.gold[0].shares == [(1, 0.5), (2, 0.75)] and found.covered == [1.0]
    assert unknown.title == "" and unknown.pieces == []


def test_offsets_are_code_points_whatever_the_letters() -> None:
    text = "😀 é 中文 and \u0065\u0301 end"
    with Database.open(":memory:") as database:
        documents.add(database, [Document("d", text, "Letters")])
        found = found_of(database, [Span("d", 2, 6)], [Span("d", 4, 9)])
    assert "".join(part for part, _ in (found.passages or ())[0].pieces) == text[2:6]
    assert [part for part, is_both in found.gold[0].pieces if is_both] == [text[4:6]]


def test_what_is_kept_is_made_once_and_told_of_while_it_is_under_way() -> None:
    kept, go, made = Kept(), threading.Event(), []

    def make() -> str:
        go.wait(10)
        made.append(1)
        return "done"

    assert kept.get("a", make, patience=0.01).value is None
    assert not kept.get("a", make).is_ready
    go.set()
    assert kept.now("a", make) == "done" and kept.get("a", make).value == "done" and made == [1]
    kept.close()


def test_a_failure_is_raised_once_and_then_tried_again() -> None:
    kept, ends = Kept(), iter([BenchError("Not now."), None])

    def make() -> str:
        if error := next(ends):
            raise error
        return "done"

    with pytest.raises(BenchError, match="Not now"):
        kept.now("a", make)
    assert kept.now("a", make) == "done"
    kept.close()


def test_the_oldest_results_go_first() -> None:
    kept, made = Kept(most=2), []

    def make(key: str) -> str:
        made.append(key)
        return key

    for key in ("a", "b", "c", "b", "a"):
        kept.now(key, partial(make, key))
    assert made == ["a", "b", "c", "a"]
    kept.close()
