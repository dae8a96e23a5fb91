"""The progress page: each view shows the figures that the workbench counts, with what they rest on."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.nouns import Provenance, Review
from pages.parts.annotate.progress.pace_view import describe_pace
from pages.parts.evaluate.results import paper_table
from store.items import items
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import opinions, reviews
from tests.pages.conftest import Show
from tests.waiting import until
from workbench import Workbench
from workbench.annotate.progress.pace import WorkDay, measure_pace
from workbench.annotate.reviewing.reviews import DecisionRequest

VIEWS = ("drafts", "people", "agents", "pace", "week", "agreement")


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, list[str]]]:
    """Key of each table that was drawn -> first cell of each row -> the texts of the others; the first row of a name counts."""
    seen: dict[str, dict[str, list[str]]] = {}

    def show(columns: Any, rows: Any, key: str, **rest: Any) -> None:
        seen[key] = {
            row["cells"][0]["text"]: [cell["text"] for cell in row["cells"][1:]] for row in reversed(rows) if "cells" in row
        }

    monkeypatch.setattr(paper_table, "show", show)
    return seen


@pytest.fixture
def decided(bench: Workbench) -> Workbench:
    """Three drafts of the offline agent: one accepted by Ada in 30 s, one discarded by Bo, one that waits."""
    sample = items.get(bench.database, bench.reviews.items()[0].id)
    by = Provenance("offline", "draft/explicit_factoid.en@b2:abcdefgh")
    items.add(bench.database, [replace(sample, id=f"d{n}", status="drafted", level=2, provenance=by) for n in range(3)])
    reviews.decide(bench.database, Review("k0", "d0", 1, "Ada", "accept", seconds=30.0))
    reviews.decide(bench.database, Review("k1", "d1", 1, "Bo", "discard", "*why*"))
    stage = bench.progress
    for ask in (stage.build_construction, stage.count_by_person, stage.measure_pace, stage.compare_opinions):
        until(lambda ask=ask: ask().is_ready)  # type: ignore[misc]
    return bench


def words(at: AppTest) -> str:
    return " ".join(element.value for kind in (at.caption, at.markdown, at.text, at.info) for element in kind)


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_opens_without_a_decision(view: str, bench: Workbench, show: Show) -> None:
    assert show("annotate/progress", view=view).header


def test_table_1_stands_there_with_dashes_for_what_nobody_measured(decided: Workbench, show: Show, tables: Any) -> None:
    at = show("annotate/progress")
    row = ["3", "0", "1", "1", "1", "50.0 %", "0.0 %", "30 s", "30 s", "–", "–", "–"]
    assert tables["progress_construction"] == {"Level 2": row, "all": row}
    at.segmented_control(key="progress_by").set_value("task").run()
    assert at.query_params["by"] == "task" and "Explicit factoid" in tables["progress_construction"]


def test_people_agents_and_the_week_show_known_decisions(decided: Workbench, show: Show, tables: Any) -> None:
    at = show("annotate/progress", view="people")
    for view in VIEWS[1:]:
        at.query_params["view"] = view
        at.run()
        assert not at.exception
    assert tables["progress_people"]["Ada"] == ["1", "100.0 %", "0", "0", "0", "", "30 s", "30 s", "30 s", "–"]
    assert tables["progress_people"]["Bo"] == ["1", "0.0 %", "0", "0", "1", "*why* 1", "–", "–", "–", "–"]
    assert tables["progress_makers"]["offline"][:10] == [
        "draft/explicit_factoid.en",
        "3",
        "0",
        "0",
        "1",
        "50.0 %",
        "0",
        "0",
        "50.0 %",
        "30 s",
    ]
    assert tables["progress_week"]["Today"] == tables["progress_week"]["The week"] == ["1", "1", "0", "0", "30 s", "30 s"]
    assert tables["progress_agreement"]["Krippendorff's alpha"] == ["everybody", "–", "–", "0", "0"]


def test_a_label_question_has_its_agreement(bench: Workbench, show: Show, tables: Any) -> None:
    bench.label_questions.change("tone", "Lea", text="Which tone?", kind="one", choice=["dry", "warm"])
    bench.label_questions.change("remark", "Lea", text="What else?", kind="text")
    for item in [one.id for one in bench.reviews.items(status="accepted")[:3]]:
        for person, tone in (("Ada", "dry"), ("Bo", "warm")):
            bench.reviews.decide(item, "accept", person=person, label_answers={"tone": tone, "remark": "Fine."})
    until(lambda: bench.progress.compare_opinions().value)
    show("annotate/progress", view="agreement")
    assert tables["progress_agreement"]["pairs of one answer"][:4] == ["everybody", "0.000", "[0.000, 0.000]", "3"]
    assert tables["progress_agreement"]["none"][1:4] == ["\u2013", "\u2013", "3"]


def test_a_target_shows_how_full_its_cell_is_here_and_on_the_board(decided: Workbench, show: Show, tables: Any) -> None:
    item = items.get(decided.database, "d0")  # one accepted, one discarded, one waits
    decided.board.set_target(item.task, item.level, item.domain, 4)
    until(lambda: decided.progress.measure_targets().is_ready)
    at = show("annotate/progress", view="pace")
    at.query_params["view"] = "pace"
    at.run()
    assert tables["progress_targets"] == {item.domain: ["25\u00a0%"]}
    said = (
        "1 of 4 wanted items accepted (25\u00a0%); 1 waiting for review, 2 missing.",
        "No forecast, because nothing was accepted there in the last 14 days before today.",
    )
    assert all(sentence in words(at) for sentence in said)
    assert "1 item waits for review. At today's pace (2 decisions, and the day is not over)" in words(at)
    board = show("home/board")
    assert all(sentence in words(board) for sentence in said)


def test_nobodys_week_asks_for_a_name(bench: Workbench, show: Show) -> None:
    at = show("annotate/progress", person=" ", view="week")
    at.query_params["view"] = "week"
    at.run()
    assert "Give your name" in words(at) and not at.get("download_button")


def test_the_forecast_says_what_it_rests_on() -> None:
    today = date(2026, 11, 20)
    days = [WorkDay(date(2026, 11, n), accepted=10) for n in (17, 19)]
    assert describe_pace(measure_pace(days, 41, 41, today)) == (
        "41 items wait for review. At the pace of the last 2 whole days with decisions (2026-11-17 to 2026-11-19, 10.0 a day) "
        "that takes 5 such days."
    )
    assert "the only whole day with decisions (2026-11-17, 10)" in describe_pace(measure_pace(days[:1], 1, 1, today))
    assert describe_pace(measure_pace([], 2, 2, today)) == "2 items wait for review. No forecast: there are no decisions yet."
    assert describe_pace(measure_pace(days, 0, 0, today)) == "No item waits for review."


def test_a_table_is_sorted_by_its_address_and_no_value_stands_last(decided: Workbench, show: Show, tables: Any) -> None:
    at = show("annotate/progress", view="people")
    at.query_params["view"] = "people"
    found = {}
    for sort in ("", "Discarded", "Discarded low", "Mean time", "Mean time low", "no column"):
        at.query_params["sort"] = sort
        at.run()
        found[sort] = list(reversed(tables["progress_people"]))
    assert found == {
        "": ["Ada", "Bo"],
        "Discarded": ["Bo", "Ada"],
        "Discarded low": ["Ada", "Bo"],
        "Mean time": ["Ada", "Bo"],
        "Mean time low": ["Ada", "Bo"],
        "no column": ["Ada", "Bo"],
    }


def test_the_week_tells_what_was_decided_otherwise_and_why(bench: Workbench, show: Show) -> None:
    opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")
    sample = items.get(bench.database, bench.reviews.items()[0].id)
    items.add(bench.database, [replace(sample, id="draft", status="drafted")])

    def press(person: str, **fields: Any) -> DecisionRequest:
        said = {"question": sample.question, "answer": sample.answers[0], "evidence": sample.evidence} | fields
        return DecisionRequest(f"key {person}", person, "draft", 1, **{"decision": "accept"} | said)

    bench.reviews.settle(press("Ada"))
    bench.reviews.settle(press("Bo", decision="discard", reason="trivial <b>"))
    seen = bench.adjudication.desk("draft", "Cy").opinions.seen
    why = press("Cy", decision="discard", reason="trivial <b>", comment="$5: the text names it")
    bench.adjudication.settle(why, seen)
    at = show("annotate/progress", view="week")
    at.query_params["view"] = "week"
    until(lambda: "decided on in these days" in " ".join(one.value for one in at.run().caption))
    told = " ".join(one.value for one in at.caption)
    assert "You gave opinions on items that were decided on in these days (1): 0 agreed with the decision, 1 did not" in told
    assert "You accepted this item; it was discarded" in told and "<b>" not in told
    assert "Why: $5: the text names it" in [one.value for one in at.text]
