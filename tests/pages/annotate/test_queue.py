"""The page of the queue's rules: what they would change is told before they hold, and each version is on record."""

import pytest
from streamlit.testing.v1 import AppTest

from store.items import items
from tests.pages.conftest import Show
from tests.store.sample_items import item
from workbench import Workbench
from workbench.annotate.reviewing.reviews import ItemKind


@pytest.fixture
def drafts(bench: Workbench) -> None:
    """Ten drafts of law and ten of art, which nothing else is."""
    items.add(bench.database, [item(f"{domain}-{n}", domain=domain) for domain in ("law", "heraldry") for n in range(10)])


def words(at: AppTest) -> str:
    told = (at.caption, at.markdown, at.text, at.error, at.success, at.info)
    return " ".join(str(element.value) for kind in told for element in kind).replace("\\", "")


def box(at: AppTest, name: str, kind: str = "selectbox") -> str:
    """The key of the last row's box of that name."""
    return next(one.key for one in reversed(getattr(at, kind)) if one.key and one.key.endswith(f"_{name}"))


def test_a_rule_is_looked_at_put_in_force_and_on_record(bench: Workbench, drafts: None, show: Show) -> None:
    at = show("setup/queue")
    assert "Nothing has been changed yet" not in words(at) and not bench.queue.rules().version
    at.button(key="queue_add_overlaps").click().run()
    at.selectbox(key=box(at, "domain")).set_value("heraldry").run()
    at.number_input(key=box(at, "share", "number_input")).set_value(50.0).run()
    assert "5 items will need 2 people instead of 1." in words(at) and "Nothing has been changed yet" in words(at)
    assert not bench.queue.rules().version
    at.button(key="queue_put").click().run()
    assert "The new rules apply now; 5 items that wait changed." in words(at)
    assert "Version 1, Ada" in words(at) and "2 people on heraldry, 50% of each kind" in words(at)
    [row] = [one for one in bench.queue.coverage() if one.domain == "heraldry"]
    assert (row.items, row.several, row.whole, row.begun) == (10, 5, 0, 0)


def test_what_comes_first_is_put_in_order(bench: Workbench, drafts: None, show: Show) -> None:
    at = show("setup/queue")
    for domain in ("heraldry", "law"):
        at.button(key="queue_add_first").click().run()
        at.selectbox(key=box(at, "domain")).set_value(domain).run()
    at.button(key=next(b.key for b in reversed(at.button) if b.key.startswith("queue_up_"))).click().run()
    at.button(key="queue_put").click().run()
    assert [kind.domain for kind in bench.queue.rules().first] == ["law", "heraldry"]
    assert bench.reviews.find_next(ItemKind(), "Bo") == "law-0"


def test_rules_of_somebody_else_are_not_written_over(bench: Workbench, drafts: None, show: Show) -> None:
    at = show("setup/queue")
    at.button(key="queue_add_overlaps").click().run()
    bench.queue.set_rules(bench.queue.rules(), "Bo")
    at.button(key="queue_put").click().run()
    assert "Bo has set other rules since you looked (version 1): nothing was changed" in words(at)
    at.button(key="queue_leave").click().run()
    assert not [b for b in at.button if b.key == "queue_put"] and "Version 1, Bo" in words(at)


def test_the_length_of_a_hold_is_set_here(bench: Workbench, drafts: None, show: Show) -> None:
    at = show("setup/queue")
    at.number_input(key="queue_minutes").set_value(30).run()
    assert bench.reviews.holds.minutes == 30


def test_an_annotator_reads_and_sets_nothing(bench: Workbench, drafts: None, show: Show) -> None:
    bench.people.give("Lea", "lead")
    at = show("setup/queue", person="Ann")
    assert at.button(key="queue_add_overlaps").disabled and "may not set the rules of the work" in words(at)
