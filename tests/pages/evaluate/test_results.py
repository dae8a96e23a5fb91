"""The results page: every figure is the JSON report's, and what is chosen stands in the address."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import jobs
from core.nouns import Run, System, Trace
from eval.reports.report import Report, build_report
from store.runs import runs
from tests.pages.conftest import Show
from tests.pages.runs import freeze, run
from workbench import Workbench
from workbench.evaluate.results.reports import ReportStage
from workbench.evaluate.scoring.studies import Studies


def tables(at: AppTest) -> list[dict[str, Any]]:
    """What our tables on the page were given to draw."""
    found = [json.loads(one.proto.json) for one in at.get("bidi_component") if one.proto.json]
    return [data for data in found if "columns" in data and "rows" in data]


def lines(table: dict[str, Any]) -> list[list[dict[str, Any]]]:
    return [row["cells"] for row in table["rows"] if "cells" in row]


def ready(at: AppTest) -> AppTest:
    """The page once its figures are computed."""
    until = time.monotonic() + 60
    while any("in the background" in caption.value for caption in at.caption) and time.monotonic() < until:
        at.run()
    assert not at.exception, at.exception
    return at


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The samples with the two runs."""
    path = tmp_path_factory.mktemp("two") / "w.duckdb"
    with Workbench.open(path) as bench:
        bench.corpus.load_samples()
        freeze(bench)
        ids = [run(bench, "echo", retriever="bm25"), run(bench, "vanilla", "offline", judges=("offline",), sample=16)]
        jobs.stop(bench)
    return path, ids


@pytest.fixture
def samples(samples: Path, request: pytest.FixtureRequest) -> Path:
    """What `bench` copies: with the runs where a test asks for `two`."""
    return Path(request.getfixturevalue("made")[0]) if "two" in request.fixturenames else samples


@pytest.fixture
def two(made: tuple[Path, list[str]]) -> list[str]:
    """Retrieval alone, and the offline agent's answers with its judgement."""
    return list(made[1])


def reported(bench: Workbench, ids: list[str], by: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(bench.reports.report(ids, by=by, form="json"))
    return found


def test_no_runs_leads_to_run(bench: Workbench, show: Show) -> None:
    at = show("evaluate/results")
    assert any("No runs yet" in one.value for one in at.markdown)


def test_runs_are_chosen_from_the_list_newest_first(bench: Workbench, two: list[str], show: Show) -> None:
    at = show("evaluate/results")
    assert "vanilla" in at.multiselect(key="results_runs").options[0]
    at.button(key="results_newest").click().run()
    assert at.query_params["run"] == two[::-1] and tables(ready(at))


def test_leaderboard_shows_the_reports_figures_by_family(bench: Workbench, two: list[str], show: Show) -> None:
    at = ready(show("evaluate/results", run=two, column=["token_f1", "evidence_recall@5"]))
    (board,) = tables(at)
    assert [row["group"] for row in board["rows"] if "group" in row] == ["floor", "standard"]
    data = reported(bench, two, [])
    for line, made in zip(lines(board), data["runs"], strict=True):
        cells = {cell["metric"]: cell for cell in made["cells"]}
        for drawn, name in zip(line[3:], ["token_f1", "evidence_recall@5"], strict=True):
            assert drawn["text"] == f"{cells[name]['mean']:.3f}" and f"n={cells[name]['n']}" in drawn["sub"]
            assert f"[{cells[name]['low']:.3f}, {cells[name]['high']:.3f}]" in drawn["sub"]
    assert "(offline)" in lines(board)[1][0]["text"] and "sample of 16" in lines(board)[1][0]["sub"]


def test_a_missing_score_is_a_dash_with_its_reason(bench: Workbench, two: list[str], show: Show) -> None:
    at = ready(show("evaluate/results", run=two, column="s_f1"))
    cell = lines(tables(at)[0])[0][3]
    assert cell["text"] == "–" and cell["sub"] == "not run: no judge"


def test_heat_map_prints_each_cell_with_its_n(bench: Workbench, two: list[str], show: Show) -> None:
    at = ready(show("evaluate/results", run=two, view="cells", metric="evidence_recall@5"))
    (grid,) = tables(at)
    cells = {
        (c["level"], c["domain"]): c
        for c in reported(bench, two, ["level", "domain"])["runs"][0]["cells"]
        if c["metric"] == "evidence_recall@5"
    }
    domains = [column["label"] for column in grid["columns"][1:]]
    for level, line in enumerate(lines(grid), 1):
        for domain, drawn in zip(domains, line[1:], strict=True):
            made = cells[level, domain]
            assert (drawn["text"], drawn["sub"]) == (f"{made['mean']:.3f}", f"n={made['n']}")
            assert drawn["heat"] == made["mean"] and drawn["go"] == {"level": str(level), "domain": domain}


def test_difference_of_two_runs_is_over_shared_questions(bench: Workbench, two: list[str], show: Show) -> None:
    at = ready(show("evaluate/results", run=two, view="cells", metric="token_f1", map="-".join(two)))
    (grid,) = tables(at)
    assert grid["legend"]["diverging"]
    found = bench.reports.differences(two[0], two[1], "token_f1").value
    (whole,) = [c for c in reported(bench, two, [])["comparisons"] if c["metric"] == "token_f1"]
    assert found is not None and sum(cell.n for cell in found) == whole["n"]
    assert any(cell["sub"] == "none shared" for line in lines(grid) for cell in line[1:])


def test_comparison_says_in_words_what_is_not_separable(bench: Workbench, two: list[str], show: Show) -> None:
    at = ready(show("evaluate/results", run=two, view="pairs", metric="all"))
    made = reported(bench, two, ["level", "domain"])["comparisons"]
    drawn = lines(tables(at)[0])
    assert len(drawn) == len(made) and {line[2]["text"] for line in drawn} == {str(one["n"]) for one in made}
    assert {line[-1]["text"] for line in drawn if "not separable" in line[-1]["text"]} == {"not separable"}
    assert any("the other differences are not decided." in text.value.replace("\\", "") for text in at.markdown)


def test_questions_of_a_cell_are_listed_by_score(bench: Workbench, two: list[str], show: Show) -> None:
    at = show("evaluate/results", run=two, view="questions", metric="evidence_recall@5", level="1", domain="arts", order="low")
    rows = lines(tables(at)[0])
    scores = [line[4]["sub"] for line in rows]
    assert len(rows) == 2 and scores == sorted(scores) and {line[2]["text"] for line in rows} == {"arts"}


@pytest.mark.parametrize("preset", ["hawkbench_table2", "hawkbench_table3", "hawkbench_table4", "hawkbench_table5"])
def test_a_preset_is_drawn_as_the_command_line_prints_it(preset: str, bench: Workbench, two: list[str], show: Show) -> None:
    at = ready(show("evaluate/results", run=two, view="paper", preset=preset))
    made = json.loads(bench.reports.report(two, by=["level", "domain"], form="json", preset=preset))
    assert [table["caption"] for table in tables(at)] == [table["title"] for table in made["tables"]]
    for drawn, table in zip(tables(at), made["tables"], strict=True):
        assert len(lines(drawn)) == len(table["rows"]) and [c["label"] for c in drawn["columns"]] == table["columns"]


def test_figure_2_is_a_drawing_with_its_files(bench: Workbench, two: list[str], show: Show) -> None:
    at = ready(show("evaluate/results", run=two, view="paper", preset="hawkbench_fig2"))
    assert at.image and {b.label for b in at.download_button} >= {"SVG", "CSV", "LaTeX", "HTML", "JSON"}


def test_runs_of_other_contents_and_unfinished_ones_say_so(bench: Workbench, two: list[str], show: Show) -> None:
    whole = runs.get(bench.database, two[0])
    asked = [("sample-en-l1-paper-01", None), ("sample-en-l3-novel-01", None)]
    bench.reviews.decide("sample-en-l1-tech-01", "discard", person="Ada", reason="a test")
    bench.releases.freeze("fewer")
    fewer = bench.releases.get("fewer")[0]
    runs.create(bench.database, Run("e" * 16, "e" * 16, System("echo"), "fewer", fewer.hash, None, {}), asked)
    runs.add_traces(bench.database, [Trace("e" * 16, asked[0][0], stop="timeout", error="Too late.")])
    at = ready(show("evaluate/results", run=[two[0], "e" * 16], view="failures"))
    said = " ".join(one.value.replace("\\", "") for one in at.warning)
    assert "not finished: 1 of 2 questions were asked so far" in said and "different releases (fewer, samples)" in said
    kinds = tables(at)[0]
    assert [column["label"] for column in kinds["columns"]] == ["System", "Asked", "Answered", "timeout", "Failed"]
    assert [cell["text"] for cell in lines(kinds)[1]][1:] == ["2", "0", "1", "1"] and fewer.hash != whole.release_hash


def test_the_same_figures_are_computed_once(bench: Workbench, two: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    def counted(*given: Any, **more: Any) -> Report:
        made.append(given)
        return build_report(*given, **more)

    monkeypatch.setattr("workbench.evaluate.results.reports.build_report", counted)
    for _ in range(3):
        bench.reports.report(two, by=["level", "domain"], form="json")
        bench.reports.report(two, by=["level"], form="csv")
    assert len(made) == 1
    runs.add_traces(bench.database, [Trace(two[1], "sample-en-l1-tech-01", answer="late")])
    bench.reports.report(two, by=["level"], form="csv")
    assert len(made) == 2


def test_a_report_by_other_names_has_the_same_bytes_as_one_made_for_them(bench: Workbench, two: list[str]) -> None:
    bench.reports.report(two, by=["level", "domain"], form="json")
    regrouped = [bench.reports.report(two, by=["task"], form=form) for form in ("json", "csv", "html", "latex", "table")]
    studies = Studies(bench.database, bench.releases)
    fresh = [
        ReportStage(bench.database, bench.releases, studies).report(two, by=["task"], form=form)
        for form in ("json", "csv", "html", "latex", "table")
    ]
    assert regrouped == fresh
