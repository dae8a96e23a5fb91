"""The history of an item: every revision with its words and its maker; of decisions, what the reader may know."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Span
from store.corpus import documents
from store.items import items
from workbench import Workbench
from workbench.annotate.reviewing.reviews import DecisionRequest

TEXT = "The bridge was built by Marta Quill. It is 212 metres long."
DOCUMENT = Document(content_hash(TEXT), TEXT, "The bridge", domain="arts")
BUILT, LONG = Span(DOCUMENT.id, 0, 36), Span(DOCUMENT.id, 37, 59)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        documents.add(bench.database, [DOCUMENT])
        items.add(
            bench.database,
            [Item("a", "explicit_factoid", "Who built it?", ("Quill",), (BUILT,), 1, "arts", given=(DOCUMENT.id,))],
            by="gpt",
        )
        yield bench


def press(key: str, person: str, **fields: Any) -> DecisionRequest:
    return DecisionRequest(
        **{
            "key": key,
            "person": person,
            "item": "a",
            "revision": 1,
            "decision": "accept",
            "question": "Who built it?",
            "answer": "Quill",
            "evidence": (BUILT,),
        }
        | fields
    )


def seen(bench: Workbench, person: str) -> list[tuple[str, str]]:
    return [(one.person, one.decision) for one in bench.reviews.history("a", person).decisions]


def test_each_revision_is_told_with_its_maker_and_its_evidence(bench: Workbench) -> None:
    bench.reviews.settle(press("k", "Ada", question="Who built the bridge?", evidence=(BUILT, LONG)))
    first, second = bench.reviews.history("a", "Bo").revisions
    assert (first.revision, first.by, first.question, len(first.evidence)) == (1, "gpt", "Who built it?", 1)
    assert (second.revision, second.by, second.question) == (2, "Ada", "Who built the bridge?")
    assert [place.start for place in second.evidence] == [0, 37] and second.at >= first.at


def test_while_an_item_waits_nobody_sees_what_others_decided(bench: Workbench) -> None:
    bench.reviews.settle(press("k", "Ada", decision="discard", reason="trivial", comment="too easy"))
    bench.reviews.undo("Ada", "u")
    assert seen(bench, "Bo") == [] and seen(bench, "") == []
    assert seen(bench, "Ada") == [("Ada", "discard"), ("Ada", "undo")]
    assert bench.reviews.history("a", "Ada").decisions[0].comment == "too easy"


def test_of_a_decided_item_the_decision_that_stands_is_told_and_no_other(bench: Workbench) -> None:
    bench.reviews.settle(press("k1", "Ada"))
    bench.reviews.settle(press("k2", "Bo", decision="discard", reason="trivial"))
    assert seen(bench, "Cy") == [("Bo", "discard")]
    assert seen(bench, "Ada") == [("Ada", "accept"), ("Bo", "discard")]


def test_words_typed_and_discarded_are_told(bench: Workbench) -> None:
    bench.reviews.settle(press("k", "Ada", decision="discard", reason="trivial", answer="Marta Quill"))
    [one] = bench.reviews.history("a", "Ada").decisions
    assert one.words["answer"] == "Marta Quill"


def test_an_unknown_item_is_told(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="No item b"):
        bench.reviews.history("b", "Ada")
