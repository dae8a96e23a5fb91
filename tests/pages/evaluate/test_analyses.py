"""The page Analyses: bars of response types lead to answers, and an answer to where the gold answer stood; figures are the
command line's; systems of two seasons are not laid side by side."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import Show
from tests.pages.evaluate.test_results import lines, ready, tables
from tests.pages.evaluate.test_robustness import heads, shown
from tests.workbench.worked import add, fill
from workbench import Workbench


def drawn(at: AppTest, name: str) -> dict[str, Any]:
    """What a component of ours was given."""
    (found,) = [json.loads(one.proto.json) for one in at.get("bidi_component") if one.proto.component_name.endswith(name)]
    return dict(found)


@pytest.fixture
def ids(empty_bench: Workbench) -> list[str]:
    fill(empty_bench)
    return [add(empty_bench, "react"), add(empty_bench, "pal")]


def test_no_runs_leads_to_run_and_tasks_need_none(empty_bench: Workbench, show: Show) -> None:
    assert "No runs yet" in shown(show("evaluate/analyses"))
    assert "There are no questions yet" in shown(ready(show("evaluate/analyses", view="tasks")))


def test_bars_have_a_part_a_type_with_its_number(ids: list[str], show: Show) -> None:
    at = ready(show("evaluate/analyses", run=ids))
    react, pal = drawn(at, "type_bars")["rows"]
    assert [(part["go"]["type"], part["n"]) for part in react["parts"]] == [("EM", 1), ("GE", 1), ("TE", 1), ("ME", 1)]
    assert [(part["go"]["type"], part["n"]) for part in pal["parts"]] == [("EM", 1), ("AM", 1), ("RE", 2)]
    assert pal["side"] == "n=4 · 50 % match" and "2 of 4 (50.0 %)" in pal["parts"][2]["title"]
    at = ready(show("evaluate/analyses", run=ids, threshold="1", whole="1"))
    assert [part["go"]["type"] for part in drawn(at, "type_bars")["rows"][1]["parts"]] == ["EM", "RE"]
    assert "if its reward is at least 1" in str([table["notes"] for table in tables(at)])


def test_a_part_leads_to_its_answers_and_one_of_them_to_what_was_seen(ids: list[str], show: Show) -> None:
    at = ready(show("evaluate/analyses", run=ids, of=ids[0], type="GE"))
    found = next(table for table in tables(at) if heads(table)[0] == "Question")
    assert [cell["text"] for cell in lines(found)[0]][2:] == ["Bea Sund", "Cara Dell", "0.000", "finished"]
    assert lines(found)[0][0]["go"] == {"item": "b"}
    at = ready(show("evaluate/analyses", run=ids, of=ids[0], type="GE", item="b"))
    (call, _) = drawn(at, "turns")["turns"]
    assert call["seen"][0]["gold"] and ["Bea  Sund", "gold"] in call["seen"][0]["pieces"]
    assert "The Long Weir, 0 to 29" in call["places"]
    told = shown(at)
    assert "The gold answer (Bea Sund) occurs once in what the system saw" in told and "Response type GE" in told


def test_systems_of_two_seasons_are_refused(empty_bench: Workbench, ids: list[str], show: Show) -> None:
    other = add(empty_bench, "react", "v2")
    for view in ("types", "matching", "deployment", "best", "places"):
        at = ready(show("evaluate/analyses", run=[ids[0], other], view=view))
        assert "systems can be compared only on the same questions" in shown(at) and not tables(at)


@pytest.mark.parametrize(
    ("view", "preset"),
    [("deployment", "r_eval_fig6"), ("best", "r_eval_oracle"), ("places", "r_eval_table3"), ("matching", "r_eval_fig4")],
)
def test_figures_are_those_of_the_command_line(
    view: str, preset: str, empty_bench: Workbench, ids: list[str], show: Show
) -> None:
    at = ready(show("evaluate/analyses", run=ids, view=view))
    made = json.loads(empty_bench.reports.report(ids, form="json", preset=preset))
    assert [table["caption"] for table in tables(at)][: len(made["tables"])] == [one["title"] for one in made["tables"]]


def test_the_reference_can_be_chosen(ids: list[str], show: Show) -> None:
    at = ready(show("evaluate/analyses", run=ids, view="matching", reference=ids[1]))
    assert tables(at)[0]["caption"].startswith("Ratio to pal openai:m")


def test_the_traces_page_follows_the_work_and_shows_model_text_letter_by_letter(ids: list[str], show: Show) -> None:
    at = show("evaluate/traces", run=[ids[0]], item="a")
    (call, end) = drawn(at, "turns")["turns"]
    assert call["thought"] == [["I look for <b>her</b>.", ""]] and end["label"] == "Ends"
    assert "Ends with finished: it finished. Response type EM" in shown(at)
    failed = show("evaluate/traces", run=[ids[0]], item="c")
    assert drawn(failed, "turns")["turns"][0]["seen"][0]["trouble"] == "no such function"
    assert "Ends with tool_error: the system's tool calls went wrong. Response type TE" in shown(failed)
