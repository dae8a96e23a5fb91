"""The page where it is decided between opinions: what it shows, where a press leads, and who may not."""

from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.review import desk
from pages.parts.ui.presses import PageRequest
from store.items import items
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import opinions
from tests.pages.conftest import Show
from workbench import Workbench
from workbench.annotate.desk.desk_data import DeskData
from workbench.annotate.reviewing.reviews import DecisionRequest


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the desk was given last, and the ids of all items that it was given; {"press": Pressed(...)} is pressed once."""
    seen: dict[str, Any] = {"drawn": []}

    def show(data: DeskData, key: str = "desk") -> PageRequest | None:
        seen["data"] = data
        seen["drawn"].append(data.item.id)
        return seen.pop("press", None)

    monkeypatch.setattr(desk, "show", show)
    return seen


@pytest.fixture
def disputed(bench: Workbench) -> list[str]:
    """Two drafts on which Ann and Bo differ."""
    opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")
    sample = items.get(bench.database, bench.reviews.items()[0].id)
    made = [replace(sample, id=f"draft-{n}", status="drafted") for n in range(2)]
    items.add(bench.database, made)
    for item in made:
        for person, question in (("Ann", item.question), ("Bo", "Bo's words?")):
            bench.reviews.settle(press(bench, person, item.id, question=question))
    return [item.id for item in made]


def press(bench: Workbench, person: str, item: str, **fields: Any) -> DecisionRequest:
    found = items.get(bench.database, item)
    said: dict[str, Any] = {"question": found.question, "answer": found.answers[0], "evidence": found.evidence}
    return DecisionRequest(f"{person}-{item}", person, item, found.revision, "accept", **said | fields)


def decide(bench: Workbench, item: str, person: str = "Ada") -> None:
    seen = bench.adjudication.desk(item, person).opinions.seen
    bench.adjudication.settle(press(bench, person, item), seen)


def go(at: AppTest, shown: dict[str, Any], to: Any, item: str) -> None:
    shown["press"] = PageRequest(to, item)
    at.run()
    assert not at.exception


def words(at: AppTest) -> str:
    return " ".join(element.value for kind in (at.caption, at.markdown, at.info, at.error) for element in kind)


def test_filters_narrow_what_is_decided_between(
    bench: Workbench, disputed: list[str], show: Show, shown: dict[str, Any]
) -> None:
    sample = items.get(bench.database, "draft-0")
    items.add(bench.database, [replace(sample, id="other", domain="law", level=4)])
    for person, question in (("Ann", sample.question), ("Bo", "Bo's words?")):
        bench.reviews.settle(press(bench, person, "other", question=question))
    at = show("annotate/adjudicate", domain="law", level="4")
    assert at.query_params["item"] == "other" and "1 to decide between" in words(at)
    decide(bench, "other")
    go(at, shown, "decided", "other")
    assert "No opinions differ on items of this kind" in words(at)
    at.button(key="adjudicate_all").click().run()
    assert shown["data"].item.id == "draft-0" and "2 to decide between" in words(at)


def test_one_after_the_other_is_decided_and_undone(
    bench: Workbench, disputed: list[str], show: Show, shown: dict[str, Any]
) -> None:
    at = show("annotate/adjudicate")
    assert at.query_params["item"] == "draft-0" and "2 to decide between" in words(at)
    assert [opinion.letter for opinion in shown["data"].opinions.given] == ["A", "B"]
    decide(bench, "draft-0")
    go(at, shown, "decided", "draft-0")
    assert shown["data"].item.id == "draft-1" and shown["data"].position.undo.item == "draft-0"
    go(at, shown, "back", "draft-1")
    assert not shown["data"].opinions.is_open and "This item is accepted" in words(at)
    bench.reviews.undo("Ada", "u")
    go(at, shown, "undone", "draft-0")
    assert shown["data"].opinions.is_open
    for item in disputed:
        bench.reviews.holds.take_over(item, "Cy")
        decide(bench, item, "Cy")
    go(at, shown, "next", "draft-0")
    assert "No opinions differ" in words(at)


def test_a_press_draws_the_next_item_alone_and_is_answered_once(
    bench: Workbench, disputed: list[str], show: Show, shown: dict[str, Any]
) -> None:
    at = show("annotate/adjudicate")
    decide(bench, "draft-0")
    for number, (to, item, opened) in enumerate(
        [("decided", "draft-0", "draft-1"), ("back", "draft-1", "draft-0"), ("next", "draft-0", "draft-1")], 1
    ):
        shown["drawn"].clear()
        at.session_state["adjudicate"] = {"went": {"to": to, "item": item, "n": number}}
        at.run()
        assert not at.exception and shown["drawn"] == [opened] == [at.query_params["item"]]
        assert ("This item is accepted" in words(at)) == (to == "back")
        at.run()
        assert shown["drawn"] == [opened, opened], "the desk repeats a press until the page has answered it"
    at.query_params["item"] = "draft-0"
    at.run()
    assert shown["data"].item.id == "draft-1", "the browser repeats the press under the address from before it"


def test_whoever_gave_an_opinion_is_told_so_until_people_are_let(
    bench: Workbench, disputed: list[str], show: Show, shown: dict[str, Any]
) -> None:
    at = show("annotate/adjudicate", person="Ann")
    assert "data" not in shown and "You gave an opinion on 2 more items" in words(at)
    at.toggle(key="adjudicate_own").set_value(True).run()
    rule = bench.adjudication.rule()
    assert (rule.is_on, rule.by) == (True, "Ann") and shown["data"].item.id == "draft-0"
    assert "Ann allowed it" in words(at)


def test_a_link_to_what_is_not_disputed_says_so_and_leads_on(
    bench: Workbench, disputed: list[str], show: Show, shown: dict[str, Any]
) -> None:
    at = show("annotate/adjudicate")
    at.query_params["item"] = bench.reviews.items()[0].id
    at.run()
    assert "but not by a decision between opinions" in at.error[0].value
    at.button[-1].click().run()
    assert shown["data"].item.id == "draft-0"


def test_who_may_not_decide_between_people_is_told_whom_to_ask(
    bench: Workbench, disputed: list[str], show: Show, shown: dict[str, Any]
) -> None:
    bench.people.give("Lea", "admin")
    at = show("annotate/adjudicate")
    assert "Ada is an annotator here and may not decide between people" in at.error[0].value and "data" not in shown
