"""The paper's tables from hand-made runs: its averages, its hundredths, the same bytes each time."""

import xml.etree.ElementTree as ElementTree

import pytest

from core.errors import BenchError
from core.quality.construction import Construction, Drafts, build_construction
from eval.page import Table
from eval.preset import presets
from eval.reports.renderer import renderers
from eval.reports.report import Report, build_report
from eval.reports.results import RunResult
from tests.eval import agents
from tests.eval.reports.test_calibration import lenient
from tests.eval.runs import item, result
from tests.eval.swept import swept
from tests.eval.test_crag_presets import made as labelled

ITEMS = [item("a"), item("b"), item("c", domain="tech"), item("d", level=3), item("e", level=3)]
GOOD = {
    "token_f1": [1.0, 0.5, 0.25, 0.0, 0.0],
    "rouge_l_hawkbench": [0.5] * 5,
    "seconds": [2.0, 4.0, 1.0, 8.0, 8.0],
    "s_f1": [None, None, None, 1.0, 0.5],
    "s_f1.precision": [None, None, None, 1.0, 0.5],
    "s_f1.recall": [None, None, None, 1.0, 0.5],
}


def made() -> Report:
    tokens = {"a": 100, "b": 300}
    building = {"calls": 6, "tokens_in": 900, "tokens_out": 80, "price": 0.0125, "seconds": 11.0}
    good = result("good", ITEMS, GOOD, context_tokens=tokens, build_seconds=12.5, building=building, windows=[8, 64])
    return build_report([good, result("floor", ITEMS, {"token_f1": [0.0] * 5}, system="echo")])


def drafts() -> Construction:
    one = Drafts(1, "law", "t", "drafted", "openai:m", "p@1", 10, 1, 2, 4, 3, 1, 8, 7, 70.0, 10, 20.0, 0.5, 0)
    return build_construction([one, one._replace(level=None, origin="imported")], ("level", "domain"))


def by_name(table: Table, column: int) -> dict[str, list[object]]:
    return {str(row[column].value): [cell.text for cell in row] for row in table.rows}


def test_table2_has_f1_and_s_f1_by_level_in_hundredths_floor_first() -> None:
    (table,) = presets()["hawkbench_table2"].build(made()).tables
    assert list(table.columns) == ["family", "system", "L1 F1", "L1 Rouge-L", "L3 S-F1", "L3 Rouge-L", "Avg."]
    assert [row[0].text for row in table.rows] == ["floor", "standard"]
    good = next(row for row in table.rows if row[0].text == "standard")
    assert [cell.text for cell in good[2:]] == ["50.0", "50.0", "75.0", "50.0", "58.3"]
    assert good[2].value == 50.0
    floor = next(row for row in table.rows if row[0].text == "floor")
    assert [cell.text for cell in floor[2:]] == ["0.0", "–", "–", "–", "–"], "an average would be of other cells"


def test_table3_keeps_building_apart() -> None:
    (table,) = presets()["hawkbench_table3"].build(made()).tables
    good, floor = (next(row for row in table.rows if row[0].text.startswith(name)) for name in ("vanilla", "echo"))
    assert list(table.columns[1:4]) == ["building", "building calls", "building USD"]
    assert [cell.text for cell in good[1:7]] == ["12.50", "6", "0.0125", "2.00", "8.00", "4.00"]
    assert good[7].text == "under load, window 8 to 64"
    assert [cell.text for cell in floor[1:8]] == [*["–"] * 6, "window unknown"]


def test_table4_counts_each_item_once() -> None:
    (table,) = presets()["hawkbench_table4"].build(made()).tables
    rows = {(row[0].text, row[1].text): [cell.text for cell in row[2:4]] for row in table.rows}
    assert rows["law", "1"] == ["2", "200.0"] and rows["tech", "1"] == ["1", "–"] and rows["all", "1"] == ["3", "200.0"]
    assert table.rows[0][0].text == "tech"


def test_table5_is_a_table_a_level_with_the_papers_order_of_domains() -> None:
    first, third = presets()["hawkbench_table5"].build(made()).tables
    assert list(first.columns) == ["system", "tech", "law", "Avg."]
    assert (first.title, third.title) == ("Level 1: F1", "Level 3: S-F1")
    assert by_name(first, 0)["vanilla openai:m"][1:] == ["25.0", "75.0", "50.0"]


def test_fig2_is_one_drawing_with_a_panel_a_level_that_asks_nothing_of_the_network() -> None:
    page = presets()["hawkbench_fig2"].build(made())
    (figure,) = page.figures
    drawing = ElementTree.fromstring(figure.svg)
    assert len(drawing.findall("{http://www.w3.org/2000/svg}g")) == 2
    assert "href" not in figure.svg and figure.svg in renderers()["html"].render(page)
    assert len(page.tables[0].rows) == 2 * 2 * 2


@pytest.mark.parametrize("name", [name for name, preset in presets().items() if preset.of != "wordings"])
def test_a_preset_gives_the_same_bytes_in_every_format(name: str) -> None:
    preset = presets()[name]
    own = {
        "crud_rag": swept,
        "r_eval_table1": agents.registry,
        "r_eval": agents.runs,
        "crag_judge": lambda: build_report([lenient()]),
        "crag": labelled,
        "hawkbench_fig3": lambda: build_report(top_ks()),
    }
    other = made if preset.of == "runs" else drafts
    given = next((runs for paper, runs in own.items() if name.startswith(paper)), other)
    first, second = preset.build(given()), preset.build(given())
    for renderer in renderers().values():
        assert renderer.render(first) == renderer.render(second)


def test_runs_without_a_level_are_no_hawkbench() -> None:
    plain = build_report([result("r", [item("a", level=None)], {"token_f1": [1.0]})])  # type: ignore[arg-type]
    with pytest.raises(BenchError, match="no item of level 1 to 4"):
        presets()["hawkbench_table2"].build(plain)


def test_table1_has_the_papers_columns_and_what_they_were_made_from() -> None:
    (table,) = presets()["hawkbench_table1"].build(drafts()).tables
    one, every = ([cell.text for cell in row] for row in table.rows)
    assert list(table.columns)[:7] == ["level", "domain", "discard %", "edit %", "avg. time (s)", "total (h)", "drafts"]
    assert one == [
        "1",
        "law",
        "42.9",
        "25.0",
        "10.0",
        "0.03",
        "10",
        "1",
        "2",
        "4",
        "3",
        "1",
        "7",
        "0.02",
        "10",
        "0.01",
        "–",
        "0",
    ]
    assert every[:3] == ["all", "", "42.9"]


def test_drafts_are_told_apart_by_what_there_is() -> None:
    with pytest.raises(BenchError, match="cannot be grouped by 'kind'"):
        build_construction([], ("kind",))


def top_ks() -> list[RunResult]:
    return [result(f"k{k}", ITEMS, GOOD, config={"settings": {"top_k": k, "chunk_tokens": 100}}) for k in (10, 1, 5)]


def test_fig3_has_a_curve_a_level_over_top_k_with_the_tokens_that_it_can_bring() -> None:
    runs = top_ks()
    page = presets()["hawkbench_fig3"].build(build_report(runs))
    axis = [row[2].text for row in page.tables[0].rows[:3]]
    assert axis == ["1 (100)", "5 (500)", "10 (1,000)"]
    assert page.tables[0].rows[0][3].text == "0.583" and "Level 3: S-F1" in page.figures[0].svg
    with pytest.raises(BenchError, match="differ in more than top-k"):
        presets()["hawkbench_fig3"].build(build_report(runs[:1]))
