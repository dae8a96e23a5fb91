"""Guidelines: versions that stay, the words beside an item, and which decisions were made under older ones."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.nouns import Item, Review
from store.engine.columns import current_time
from store.items import items
from store.reviews import reviews
from store.reviews.state import list_differences
from workbench import Workbench
from workbench.annotate.desk.desk_data import DeskGuideline
from workbench.annotate.desk.guidelines import EVERY_TASK, describe_version
from workbench.annotate.reviewing.reviews import DecisionRequest

FACT, WHY = "explicit_factoid", "explicit_rationale"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        items.add(
            bench.database,
            [
                Item(name, task, f"Why {name}?", ("Thus.",), (), 1, "arts")
                for name, task in (("a", FACT), ("b", FACT), ("c", WHY))
            ],
        )
        yield bench
        assert list_differences(bench.database) == []


def press(item: str, key: str, **fields: Any) -> DecisionRequest:
    return DecisionRequest(
        **{
            "key": key,
            "person": "Ada",
            "item": item,
            "revision": 1,
            "decision": "accept",
            "question": f"Why {item}?",
            "answer": "Thus.",
            "evidence": (),
        }
        | fields
    )


def guideline_of(bench: Workbench, key: str) -> object:
    review = reviews.get(bench.database, key)
    assert review is not None
    return review.details.get("guideline")


def test_every_text_stays_and_the_newest_counts(bench: Workbench) -> None:
    bench.guidelines.save(FACT, "One.\r\n", by="Ada", note=" first\nwords ")
    bench.guidelines.save(FACT, "Two.", by="Bo")
    card = bench.guidelines.card(FACT)
    told = [(v.version, v.text, v.note, v.by) for v in card.versions]
    assert told == [(1, "One.", "first words", "Ada"), (2, "Two.", "", "Bo")]
    assert card.text == "Two." and card.current == card.versions[1] and card.versions[1].at
    assert {line.task: line.version for line in bench.guidelines.list_lines()}[FACT] == 2


def test_the_text_that_counts_is_no_new_version_and_an_older_one_is(bench: Workbench) -> None:
    for text in ("One.", "One.", "Two.", "One."):
        bench.guidelines.save(FACT, text, by="Ada")
    assert [v.text for v in bench.guidelines.card(FACT).versions] == ["One.", "Two.", "One."]
    bench.guidelines.save(WHY, "", by="Ada")
    assert bench.guidelines.card(WHY).versions == ()


@pytest.mark.parametrize(
    ("task", "text", "by", "sentence"),
    [
        (FACT, "Words.", " ", "Give your name first"),
        ("no_task", "Words.", "Ada", "No task 'no_task'"),
        (FACT, "a" * 50_001, "Ada", "50,001 characters"),
        (FACT, "a\0b", "Ada", "NUL"),
    ],
)
def test_what_cannot_be_saved_is_told(bench: Workbench, task: str, text: str, by: str, sentence: str) -> None:
    with pytest.raises(BenchError, match=sentence):
        bench.guidelines.save(task, text, by=by)
    assert bench.guidelines.card(FACT).versions == ()


def test_beside_an_item_stands_the_text_for_all_then_its_tasks_own(bench: Workbench) -> None:
    assert bench.reviews.desk("a", "Ada").guideline is None
    bench.guidelines.save(FACT, "Facts.", by="Ada")
    bench.guidelines.save(EVERY_TASK, "All.", by="Ada")
    assert bench.reviews.desk("a", "Ada").guideline == DeskGuideline(2, "All.\n\nFacts.", "<p>All.</p>\n<p>Facts.</p>\n", False)
    assert bench.reviews.desk("c", "Ada").guideline.text == "All."
    bench.guidelines.save(FACT, "", by="Ada")
    assert bench.reviews.desk("a", "Ada").guideline == DeskGuideline(3, "All.", "<p>All.</p>\n", False)


def test_tasks_with_the_same_text_beside_them_have_the_same_key(bench: Workbench) -> None:
    def keys() -> tuple[str, str]:
        return describe_version(bench.database, FACT), describe_version(bench.database, WHY)

    assert keys() == ("", "")
    bench.guidelines.save(EVERY_TASK, "For all.", by="Ada")
    for_all = keys()
    assert for_all[0] == for_all[1] != ""
    bench.guidelines.save(FACT, "One fact.", by="Ada")
    assert keys()[1] == for_all[1] != keys()[0]
    bench.guidelines.save(FACT, "", by="Ada")
    assert keys() == for_all, "what was withdrawn stands beside nothing"


def test_a_decision_carries_the_version_that_was_on_the_screen(bench: Workbench) -> None:
    bench.reviews.settle(press("c", "before"))
    bench.guidelines.save(FACT, "One.", by="Ada")
    bench.guidelines.save(FACT, "Two.", by="Ada")
    bench.reviews.settle(press("a", "k1", guideline=1))
    bench.reviews.settle(press("b", "k2"))
    assert (guideline_of(bench, "before"), guideline_of(bench, "k1"), guideline_of(bench, "k2")) == (None, 1, 2)
    bench.reviews.settle(press("b", "k3", guideline=99))
    assert guideline_of(bench, "k3") == 2


def test_a_changed_guideline_marks_what_was_decided_under_the_old_one(bench: Workbench) -> None:
    bench.reviews.settle(press("a", "k1"))
    bench.guidelines.save(FACT, "One.", by="Ada")
    bench.reviews.settle(press("b", "k2", decision="discard", reason="trivial"))
    bench.reviews.settle(press("c", "k3"))
    [row] = bench.guidelines.card(FACT).older
    assert (row.task, row.items, row.without, row.first) == (FACT, 1, 1, "a")
    assert bench.reviews.desk("a", "Bo").guideline.is_newer
    assert not bench.reviews.desk("b", "Bo").guideline.is_newer

    bench.guidelines.save(EVERY_TASK, "All.", by="Ada")
    older = bench.guidelines.card(EVERY_TASK).older
    assert [(row.task, row.items, row.without) for row in older] == [(FACT, 2, 1), (WHY, 1, 1)]
    for name in ("a", "b", "c"):
        bench.reviews.settle(press(name, f"again {name}"))
    assert bench.guidelines.card(EVERY_TASK).older == ()


def test_a_decision_without_a_version_counts_under_the_version_of_its_time(bench: Workbench) -> None:
    """Decisions in bulk and in two phases, and those that opinions settle, record no version."""
    for name, details, role in (("a", {"bulk": "job"}, ""), ("b", {"phases": ["labels", "answers"]}, ""), ("c", {}, "settled")):
        if name == "b":
            bench.guidelines.save(EVERY_TASK, "All.", by="Ada")
        made = Review(f"k{name}", name, 1, "Ada", "accept", at=current_time(), details=details, role=role)  # type: ignore[arg-type]
        reviews.decide(bench.database, made)
    assert [(row.task, row.items, row.without) for row in bench.guidelines.card(EVERY_TASK).older] == [(FACT, 1, 1)]
    assert [bench.reviews.desk(name, "Bo").guideline.is_newer for name in "abc"] == [True, False, False]

    bench.guidelines.save(FACT, "One.", by="Ada")
    assert [(row.items, row.without, row.first) for row in bench.guidelines.card(FACT).older] == [(2, 1, "a")]
    assert [bench.reviews.desk(name, "Bo").guideline.is_newer for name in "abc"] == [True, True, False]


def test_an_undone_decision_is_not_counted(bench: Workbench) -> None:
    bench.reviews.settle(press("a", "k1"))
    bench.guidelines.save(FACT, "One.", by="Ada")
    bench.reviews.undo("Ada", "u1")
    assert bench.guidelines.card(FACT).older == ()
    bench.reviews.settle(press("a", "k2"))
    assert bench.guidelines.card(FACT).older == ()


def test_the_same_decision_on_the_command_line_is_a_new_one_under_a_new_guideline(bench: Workbench) -> None:
    for _ in range(2):
        bench.reviews.decide("a", "accept", person="Ada")
    bench.guidelines.save(FACT, "One.", by="Ada")
    for _ in range(2):
        bench.reviews.decide("a", "accept", person="Ada")
    assert [r.details.get("guideline") for r in reviews.load_reviews(bench.database, ["a"])] == [None, 1]


def test_pictures_have_a_limit_of_their_own(bench: Workbench) -> None:
    picture = f"![a map][m]\n\n[m]: data:image/webp;base64,{'A' * 200_000}"
    bench.guidelines.save(FACT, picture, by="Ada")
    shown = bench.guidelines.find_beside(FACT)
    assert shown is not None and '<img src="data:image/webp;base64,AAAA' in shown.html
    with pytest.raises(BenchError, match="pictures of the guideline have 400,0"):
        bench.guidelines.save(FACT, f"{picture}\n\n{picture.replace('[m]', '[n]')}", by="Ada")
    with pytest.raises(BenchError, match="has 50,001 characters"):
        bench.guidelines.save(FACT, "w" * 50_001, by="Ada")
