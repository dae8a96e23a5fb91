"""R-Eval's figures from hand-made runs: ratios that nothing divides by zero, the best of several systems, costs, seasons."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from core.errors import BenchError
from core.tables.nouns import tables_step
from eval.figures.drawing import MAX_LINES
from eval.page import Table
from eval.papers.matching import RadarCell, collect_shared_rewards, list_cells, measure_ratio, select_cell
from eval.preset import presets
from eval.reports.report import Report, build_report
from eval.reports.results import RunResult
from tests.eval.agents import runs
from tests.eval.runs import item, result

FIGURES = ("r_eval_fig3", "r_eval_fig4", "r_eval_fig5", "r_eval_fig6", "r_eval_oracle", "r_eval_table3")
CELLS = [("film", "KS"), ("film", "KA"), ("paper", "KS"), ("paper", "KU")]


def lines(table: Table, *keys: str) -> dict[tuple[str, ...], dict[str, str]]:
    """Rows by the values of some columns."""
    rows = [dict(zip(table.columns, (cell.text for cell in row), strict=True)) for row in table.rows]
    return {tuple(row[key] for key in keys): row for row in rows}


def many(system: str, rewards: list[float], **given: object) -> RunResult:
    items = [
        item(f"{place}{n}", level=level, domain=domain)
        for place, (domain, level) in enumerate(CELLS)  # type: ignore[arg-type]
        for n in range(4)
    ]
    return result(system, items, {"r_eval_f1": [reward for reward in rewards for _ in range(4)]}, system=system, **given)  # type: ignore[arg-type]


def test_figure_3_has_a_panel_a_workflow_and_each_value_with_its_n() -> None:
    page = presets()["r_eval_fig3"].build(runs())
    found = lines(page.tables[0], "workflow", "domain", "level")
    assert found["react", "film", "KS"] | {"low": "", "high": ""} == {
        "workflow": "react",
        "system": "react openai:m",
        "domain": "film",
        "level": "KS",
        "n": "2",
        "reward": "75.0",
        "low": "",
        "high": "",
        "without a reward": "0",
    }
    failed = found["react", "paper", "KS"]
    assert (failed["n"], failed["reward"], failed["low"], failed["without a reward"]) == ("1", "100.0", "–", "1")
    assert len(ElementTree.fromstring(page.figures[0].svg).findall("{http://www.w3.org/2000/svg}g")) == 2


def test_a_ratio_is_over_the_questions_of_both_and_to_nothing_there_is_none() -> None:
    made = runs()
    react, pal = (select_cell(rows, RadarCell("paper", "KS")) for rows in made.rows)
    both = measure_ratio(made, react, pal)
    assert (both.mean, both.n) == (1.0, 1), "the second question failed in one of the two"
    hard = [select_cell(rows, RadarCell("film", "KA")) for rows in made.rows]
    assert (measure_ratio(made, hard[0], hard[1]).mean, measure_ratio(made, hard[1], hard[0])) == (
        0.0,
        (None, None, None, 1, "the reference's mean is 0"),
    )
    assert measure_ratio(made, [], pal).why == "no question that both answered"


def test_a_reference_that_is_often_0_gives_a_ratio_without_an_interval() -> None:
    items = [item(name, level="KS") for name in "abcd"]
    made = build_report([result("x", items, {"r_eval_f1": [1.0, 0.0, 0.0, 0.0]}), result("y", items, {"r_eval_f1": [0.5] * 4})])
    found = measure_ratio(made, made.rows[1], made.rows[0])
    assert (found.mean, found.low) == (2.0, None) and "the reference's mean is 0 in 3" in found.why
    assert measure_ratio(made, made.rows[0], made.rows[1]).low is not None


def test_figure_4_is_a_radar_with_its_forest_and_takes_the_reference_that_is_set() -> None:
    made = build_report([many("pal", [0.5, 0.5, 0.0, 0.2]), many("react", [1.0, 0.25, 0.4, 0.2])])
    preset = presets()["r_eval_fig4"]
    first, other = preset.draw(made, {}), preset.draw(made, {"reference": "react"})
    found = lines(first.tables[0], "system", "domain", "level")
    assert found["react openai:m", "film", "KS"]["ratio"] == "2.000" and found["pal openai:m", "film", "KS"]["ratio"] == "1.000"
    gap = found["react openai:m", "paper", "KS"]
    assert (gap["ratio"], gap["reward"], gap["why not"]) == ("–", "40.0", "the reference's mean is 0")
    assert lines(other.tables[0], "system", "domain", "level")["pal openai:m", "film", "KS"]["ratio"] == "0.500"
    svg = first.figures[0].svg
    assert "mean is 0" in svg and ElementTree.fromstring(svg) is not None
    assert svg.count("<polygon") == 5, "four rings, and the reference's"
    with pytest.raises(BenchError, match="reference 'nobody' matches none of these runs"):
        preset.draw(made, {"reference": "nobody"})


def test_of_thirty_systems_figure_4_draws_the_reference_and_the_highest_and_its_table_holds_all() -> None:
    made = build_report([many(f"s{n:02d}", [0.1 + n / 40] * 4) for n in range(30)])
    page = presets()["r_eval_fig4"].draw(made, {})
    (figure,) = page.figures
    drawn = [n for n in range(30) if f">s{n:02d} openai:m<" in figure.svg]
    assert drawn == [0, *range(31 - MAX_LINES, 30)]
    assert f"Not drawn: {30 - MAX_LINES} more without a higher mean ratio." in figure.notes[-1]
    assert len({row["system"] for row in lines(page.tables[0], "system", "domain", "level").values()}) == 30


def test_a_radar_of_two_axes_is_a_forest_alone() -> None:
    items = [item("a", level="KS"), item("b", level="KA")]
    (figure,) = presets()["r_eval_fig4"].build(build_report([result("x", items, {"r_eval_f1": [1.0, 0.5]})])).figures
    assert "<polygon" not in figure.svg and "1.00 n=1" in figure.svg


def test_figure_5_moves_with_its_threshold_and_its_evidence() -> None:
    preset, made = presets()["r_eval_fig5"], runs()
    strict = preset.draw(made, {"threshold": 0.75})
    assert lines(strict.tables[0], "system", "level")["react openai:m", "all"]["AM"] == "0"
    assert "An answer matches if its reward is at least 0.75 (in the published code: 0.05)" in " ".join(strict.tables[0].notes)
    assert "all texts that a system wrote or saw" in " ".join(preset.draw(made, {"whole": True}).tables[0].notes)
    for wrong in ({"threshold": "high"}, {"whole": 1}, {"shots": 2}):
        with pytest.raises(BenchError):
            preset.draw(made, wrong)


def test_figure_6_tells_costs_where_somebody_told_them() -> None:
    made = runs()
    told = [
        replace(one, traces=[replace(trace, seconds=2.0, calls=3, tokens_in=10) for trace in one.traces])
        for one in made.results[:1]
    ]
    page = presets()["r_eval_fig6"].build(build_report([*told, made.results[1]]))
    found = lines(page.tables[0], "system", "domain")
    react, pal = found["react openai:m", "all"], found["pal openai:m", "all"]
    assert [react[name] for name in ("seconds", "n seconds", "calls", "tokens", "n")] == ["2.00", "4", "3.00", "10", "4"]
    assert [pal[name] for name in ("seconds", "n seconds", "tokens")] == ["–", "0", "–"]
    assert "Reward over seconds" in page.figures[0].svg


def test_the_best_of_several_is_over_the_questions_that_all_have_a_reward_for() -> None:
    made = runs()
    best = collect_shared_rewards(made)
    assert [row.item for row in best.rows] == ["a", "b", "c", "d"] and best.best_rewards() == [1.0, 0.5, 0.5, 1.0]
    assert (best.count_wins(0), best.count_sole_wins(0), best.count_wins(1), best.count_sole_wins(1)) == (3, 1, 3, 1)
    first, second = presets()["r_eval_oracle"].build(made).tables
    found = lines(first, "system")
    assert found["best of all",]["reward"] == "75.0" and found["react openai:m",]["to gain"] == "12.5"
    assert "Over the 4 of 5 questions" in " ".join(first.notes)
    assert [[cell.text for cell in row] for row in second.rows] == [["0", "0", "0.0"], ["1", "1", "25.0"], ["2", "3", "75.0"]]


@pytest.mark.parametrize("name", FIGURES)
def test_runs_of_two_seasons_are_not_compared(name: str) -> None:
    one, other = runs().results
    moved = replace(other, run=replace(other.run, release="spring", release_hash="b2:y"))
    with pytest.raises(BenchError, match=r"2 seasons \(releases halmerow, spring\).*choose runs of one release"):
        presets()[name].build(build_report([one, moved]))


@pytest.mark.parametrize("name", [name for name in FIGURES if name != "r_eval_fig5"])
def test_figures_without_the_reward_say_what_to_score_with(name: str) -> None:
    with pytest.raises(BenchError, match="score them with one of the two"):
        presets()[name].build(build_report([result("r", [item("a")], {"token_f1": [1.0]})]))


def test_functions_that_read_other_rows_than_the_season_was_made_from_are_told() -> None:
    asked = [item("a", level="KS", steps=(tables_step({"films": "b2:old"}),)), item("b", level="KS")]

    def told(read: str) -> str:
        made = build_report(
            [result("r", asked, {"r_eval_f1": [1.0, 0.0]}, config={"tables": {"films": read, "people": "b2:p"}})]
        )
        return " ".join(presets()["r_eval_fig3"].build(made).notes)

    assert "1 of 2 questions were made from other rows of films than its functions read" in told("b2:new")
    assert "other rows" not in told("b2:old")


def test_cells_stand_by_domain_in_the_papers_order_of_levels() -> None:
    made: Report = build_report([many("pal", [0.1, 0.1, 0.1, 0.1])])
    assert [cell.label for cell in list_cells(made)] == ["film KS", "film KA", "paper KS", "paper KU"]


def test_what_cannot_be_drawn_is_said_in_the_place_of_an_empty_picture() -> None:
    made = build_report([many("a", [0.0] * 4), many("b", [0.5] * 4)])
    page = presets()["r_eval_fig4"].draw(made, {})
    assert not page.figures and page.notes[0].startswith("No ratio to a openai:m is known")
