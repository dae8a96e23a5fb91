"""The robustness page: the summary's figures are the report's, families open into their wordings and searches, every table of
the study can be drawn and taken away."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import Show
from tests.pages.evaluate.test_results import lines, ready, tables
from tests.workbench.worded import add_run, fill, two
from workbench import Workbench

ARM = "hyde bm25 m"


def heads(table: dict[str, Any]) -> list[str]:
    return [column["label"] for column in table["columns"]]


def shown(at: AppTest) -> str:
    return " ".join(one.value for one in [*at.text, *at.markdown, *at.caption, *at.info, *at.error]).replace("\\", "")


def test_no_runs_leads_to_run(empty_bench: Workbench, show: Show) -> None:
    assert "No runs yet" in shown(show("evaluate/robustness"))


def test_runs_that_asked_no_rewrites_are_told_how_to(empty_bench: Workbench, show: Show) -> None:
    fill(empty_bench)
    run = add_run(empty_bench, "vanilla", {("mill", None): ("1902", [])}, variants=False)
    assert "--variants" in shown(ready(show("evaluate/robustness", run=[run])))


def test_summary_shows_the_reports_figures_and_leads_to_families(empty_bench: Workbench, show: Show) -> None:
    ids = two(empty_bench)
    at = ready(show("evaluate/robustness", run=ids))
    accuracy, steady = tables(at)
    assert heads(accuracy) == ["System", "original", "spelling", "human", "all rewrites"]
    line = lines(accuracy)[0]
    assert [cell["text"] for cell in line] == [ARM, "0.667", "0.667", "0.500", "0.600"]
    assert "n=5" in line[-1]["sub"] and line[0]["go"] == {"arm": ARM}
    floor = dict(zip(heads(steady), lines(steady)[1], strict=True))
    assert floor["Items that flip"]["text"] == "n/a" and "always or never" in floor["Items that flip"]["help"]
    assert "1 of 9 answers failed (human 1)" in shown(at)


def test_families_stand_worst_first(empty_bench: Workbench, show: Show) -> None:
    ids = two(empty_bench)
    at = ready(show("evaluate/robustness", run=ids, view="families", arm=ARM))
    (table,) = tables(at)
    assert [line[0]["text"] for line in lines(table)] == ["What of the bridge?", "What of the tower?", "What of the mill?"]
    assert [cell["text"] for cell in lines(table)[0]][1:4] == ["right", "2 / 2", "0 / 2"]
    assert "in 1 of them a rewrite turns a right answer into a wrong one" in shown(at)


def test_a_family_opens_into_every_wording_and_its_searches(empty_bench: Workbench, show: Show) -> None:
    ids = two(empty_bench)
    at = ready(show("evaluate/robustness", run=ids, view="families", arm=ARM, item="bridge", variant="bridge-spelling"))
    wordings, searches = tables(at)
    assert [line[0]["text"] for line in lines(wordings)] == ["original", "spelling", "human"]
    assert [line[3]["text"] for line in lines(wordings)] == ["right", "wrong", "wrong"]
    assert lines(wordings)[1][2]["go"] == {"item": "bridge", "variant": "bridge-spelling"}
    first, second = lines(searches)
    assert [first[column]["text"] for column in (1, 2, 5, 6)] == ["bridge designer", "hit", "brige", "miss"]
    assert "Bridge" in first[1]["sub"] and second[1]["text"] == "no such hop" and second[6]["text"] == "hit"


def test_a_failed_answer_of_a_family_is_told_and_has_no_figures(empty_bench: Workbench, show: Show) -> None:
    ids = two(empty_bench)
    at = ready(show("evaluate/robustness", run=ids, view="families", arm=ARM, item="tower"))
    failed = lines(tables(at)[0])[2]
    assert [cell["text"] for cell in [*failed[2:5], *failed[6:]]] == ["no answer", "failed", "–", "–", "–", "–"]


@pytest.mark.parametrize("preset", ["query_variations_table3", "query_variations_spearman", "query_variations_table9"])
def test_a_preset_is_drawn_as_the_command_line_prints_it(preset: str, empty_bench: Workbench, show: Show) -> None:
    ids = two(empty_bench)
    at = ready(show("evaluate/robustness", run=ids, view="paper", preset=preset))
    made = json.loads(empty_bench.reports.report(ids, form="json", preset=preset))
    assert [table["caption"] for table in tables(at)] == [table["title"] for table in made["tables"]]
    assert [heads(table) for table in tables(at)] == [table["columns"] for table in made["tables"]]


def test_the_audit_has_its_plots(empty_bench: Workbench, show: Show) -> None:
    at = ready(show("evaluate/robustness", run=two(empty_bench), view="audit"))
    assert "Trigger against need, all items" in [table["caption"] for table in tables(at)]
    assert at.image and {b.label for b in at.download_button} >= {"SVG", "CSV", "LaTeX", "HTML", "JSON"}


def test_a_preset_without_anything_to_show_says_what_to_do(empty_bench: Workbench, show: Show) -> None:
    at = ready(show("evaluate/robustness", run=two(empty_bench), view="paper", preset="query_variations_table13"))
    assert "--repeat 3" in shown(at)
