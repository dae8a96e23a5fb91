"""The page of conversations: a list, and one whole conversation with one decision on all its turns; and its view on Results."""

import pytest
from streamlit.testing.v1 import AppTest

from core.nouns import Item
from store.items import items
from tests.pages.conftest import Show
from tests.pages.evaluate.test_results import lines, ready, tables
from tests.pages.runs import run
from workbench import Workbench

PAGE = "annotate/conversations"
TALK = "sample-talk-gate"


@pytest.fixture
def talks(bench: Workbench) -> Workbench:
    bench.sample_work.load()
    return bench


def said(at: AppTest) -> str:
    nodes = [node.value for kind in (at.caption, at.success, at.error, at.info, at.markdown, at.text) for node in kind]
    return "\n".join(map(str, nodes)).replace("\\", "")


def load(bench: Workbench) -> list[Item]:
    return items.load_items(bench.database, [f"{TALK}-{number}" for number in (1, 2, 3)])


def press(at: AppTest, label: str) -> AppTest:
    return next(button for button in at.button if button.label == label).click().run()


def test_no_conversation_says_what_to_do(bench: Workbench, show: Show) -> None:
    assert "task conversation" in said(show(PAGE))


def test_the_list_names_each_conversation_and_its_state(talks: Workbench, show: Show) -> None:
    at = show(PAGE)
    assert "3 waiting" in said(at)
    rows = [[cell["text"] for cell in line] for line in lines(tables(at)[0])]
    assert [row[2:] for row in rows] == [["3", "Waiting"], ["2", "Waiting"], ["3", "Waiting"]]


def test_all_turns_are_shown_edited_and_accepted_at_once(talks: Workbench, show: Show) -> None:
    at = show(PAGE, conversation=TALK)
    assert "Turn 3" in said(at) and "weighs 96 tonnes" in said(at) and "Goal:" in said(at)
    boxes = {box.label: box for box in at.text_area if box.key.endswith("_1")}
    boxes["Question"].set_value("How heavy is the leaf that she designed?")
    press(at, "Accept all turns")
    found = load(talks)
    assert [item.status for item in found] == ["accepted"] * 3 and [item.revision for item in found] == [1, 2, 1]
    assert found[1].question == "How heavy is the leaf that she designed?"
    assert "The conversation is accepted" in said(at) and at.query_params["conversation"] == "sample-talk-gauge"
    assert "is understood alone" in said(at), "the next conversation has a follow-up that names everything"


def test_a_discard_without_a_reason_keeps_the_words(talks: Workbench, show: Show) -> None:
    at = show(PAGE, conversation=TALK)
    press(at, "Discard")
    assert "needs a reason" in said(at) and load(talks)[0].status == "drafted"
    next(box for box in at.text_area if box.key.endswith("_reason")).set_value("too easy")
    press(at, "Discard")
    assert {item.status for item in load(talks)} == {"discarded"}


def test_results_show_turns_and_goals(talks: Workbench, show: Show) -> None:
    talks.conversation_reviews.decide(TALK, "accept", person="Ada")
    talks.releases.freeze("talks", tasks=["conversation"])
    name = run(talks, "oracle", "offline", release="talks", metrics=["in_accuracy"])
    at = ready(show("evaluate/results", run=name, view="conversations"))
    whole, by_turn = ([[cell["text"] for cell in line] for line in lines(table)] for table in tables(at)[:2])
    assert [row[3:6] for row in by_turn] == [["1", "1", "0"], ["2", "1", "0"], ["3", "1", "0"]]
    assert [row[1:5] for row in whole] == [["own", "none", "1", "0"]]
