"""CRAG's labels on the review desk: shown with what they mean, edited with a decision, told apart where opinions differ."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from core.errors import BenchError
from core.nouns import Item
from store.items import items
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import opinions
from tests.store.sample_items import item
from tests.workbench.build import test_web_questions
from workbench import Workbench
from workbench.annotate.desk.decisions import DecisionRequest
from workbench.annotate.desk.desk_data import describe_item
from workbench.annotate.desk.taxonomy import LabelValue

ALL = {"domain": "open", "question_type": "set", "static_or_dynamic": "slow-changing", "popularity": ""}


@pytest.fixture
def bench() -> Iterator[Workbench]:
    with Workbench.open(":memory:") as made:
        yield made


def handed_in(bench: Workbench, **more: str) -> Item:
    """A question with CRAG's labels that waits at the desk, as a web question does not."""
    made = test_web_questions.handed_in(bench, **more)
    labelled = replace(made, id=f"{made.id}-labelled", task="question_answering")
    items.add(bench.database, [labelled])
    return labelled


def pressed(bench: Workbench, item: Item, person: str = "Ada", **labels: Any) -> Item:
    press = DecisionRequest(
        f"{person}-{item.id}",
        person,
        item.id,
        item.revision,
        "accept",
        item.question,
        item.answers[0],
        item.evidence,
        labels=ALL | labels,
    )
    bench.reviews.settle(press)
    return items.get(bench.database, item.id)


def test_the_desk_has_every_list_with_its_meanings_and_no_lump_of_pages(bench: Workbench) -> None:
    found = describe_item(handed_in(bench))
    assert [row.name for row in found.taxonomy] == list(ALL) and "crag" not in found.labels
    kinds = found.taxonomy[1]
    assert kinds.value == "set" and len(kinds.values) == 8 and all(one.about for one in kinds.values)
    assert found.taxonomy[3].values[-1] == LabelValue("", "web", "The question comes from the web, not from a table.")


def test_a_changed_label_is_an_edit_and_unchanged_ones_are_none(bench: Workbench) -> None:
    one, two = handed_in(bench), handed_in(bench, question="how long is the bridge?")
    same, other = pressed(bench, one), pressed(bench, two, question_type="simple", domain="movie")
    assert (same.revision, same.status) == (1, "accepted")
    assert (other.revision, other.status, other.labels["question_type"], other.domain) == (2, "accepted", "simple", "movie")
    assert other.labels["crag"] == two.labels["crag"]


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        ({"question_type": "hard"}, "question_type 'hard'"),
        ({"crag": "x"}, "'crag' is not a label"),
        ({"domain": "law"}, "'law'"),
    ],
)
def test_a_value_outside_its_list_is_not_stored(bench: Workbench, labels: dict[str, str], why: str) -> None:
    item = handed_in(bench)
    with pytest.raises(BenchError, match=why):
        pressed(bench, item, **labels)
    assert items.get(bench.database, item.id).status == "drafted"


def test_opinions_that_differ_in_a_label_alone_differ(bench: Workbench) -> None:
    opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")
    item = handed_in(bench)
    pressed(bench, item, "Ann")
    now = pressed(bench, item, "Bob", question_type="simple")
    assert now.status == "drafted"
    [(given, wanted)] = bench.database.rows("SELECT given, wanted FROM state WHERE item = ?", [item.id])
    assert given == wanted == 2


def test_whoever_decides_between_opinions_sees_how_their_labels_differ(bench: Workbench) -> None:
    opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")
    item = handed_in(bench)
    pressed(bench, item, "Ann")
    pressed(bench, item, "Bob", question_type="simple")
    given = bench.adjudication.desk(item.id, "Cem").opinions.given
    assert sorted(one.labels["question_type"] for one in given) == ["set", "simple"]


def test_the_history_tells_what_a_label_was(bench: Workbench) -> None:
    item = pressed(bench, handed_in(bench), question_type="simple")
    told = bench.reviews.history(item.id, "Ada").revisions
    assert [one.labels["question_type"] for one in told] == ["set", "simple"]


def test_opinions_with_the_same_labels_settle_it(bench: Workbench) -> None:
    opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")
    item = handed_in(bench)
    pressed(bench, item, "Ann", question_type="simple")
    now = pressed(bench, item, "Bob", question_type="simple")
    assert (now.status, now.labels["question_type"]) == ("accepted", "simple")


def test_the_task_is_named_in_the_language_of_the_page() -> None:
    assert describe_item(item("a", language="zh")).task_label == "Explicit factoid"
