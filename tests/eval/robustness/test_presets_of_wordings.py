"""The paper's tables over wordings, from hand-made runs: their cells, their two sets of items, and the same bytes each time."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from math import acos, degrees

import pytest

from core.errors import BenchError
from eval.figures.scatter import find_frontier
from eval.page import Page, Table
from eval.preset import presets
from eval.reports.renderer import renderers
from eval.robustness.records import WordingRecord
from eval.robustness.study import Arm, Study
from tests.eval.robustness.made import at_angles, record
from tests.eval.robustness.test_study import ANGLES, table, without

NAMES = [name for name, preset in presets().items() if preset.of == "wordings"]


def made() -> Study:
    """An adaptive system twice, one that always searches by embeddings, and none."""
    again = [replace(r, repeat=1, **({"searches": 0, "hops": ()} if r.variant == "h1" else {})) for r in table()]
    always = [
        record(r.item, r.kind, "A", variant=r.variant, correct=1.0, hops=[(r.query, ["g"])], gold=r.gold, tokens_out=9)
        for r in table()
    ]
    arms = [
        Arm("adaptive", [table(), again], [without(), without()], {"temperature": 0.7}),
        Arm("vanilla", [always], [without()], {"retriever": "dense"}),
        Arm("closed_book", [without()]),
    ]
    return Study(arms, at_angles(ANGLES), model="a plane", resamples=200)


def drawn(name: str, study: Study | None = None) -> Page:
    return presets()[name].build(study or made())


def cells(found: Table, *head: str) -> list[str]:
    """The line that begins with those words."""
    return next([c.text for c in row[len(head) :]] for row in found.rows if [c.text for c in row[: len(head)]] == list(head))


@pytest.mark.parametrize("name", NAMES)
def test_every_preset_gives_the_same_bytes_in_every_format(name: str) -> None:
    for renderer in renderers().values():
        assert renderer.render(drawn(name)) == renderer.render(drawn(name))
    for figure in drawn(name).figures:
        ElementTree.fromstring(figure.svg)


@pytest.mark.parametrize("name", NAMES)
def test_every_table_stands_once_more_over_the_items_with_all_kinds(name: str) -> None:
    titles = [found.title for found in drawn(name).tables]
    assert any("items with all kinds" in title for title in titles)
    assert any(note.startswith("1 of 3 items was asked with every kind") for note in drawn(name).notes)


@pytest.mark.parametrize("name", NAMES)
def test_what_failed_is_said_and_stands_in_no_figure(name: str) -> None:
    assert "adaptive: 2 of 18 answers failed (spelling 2); they are missing, not wrong." in drawn(name).notes


def test_accuracy_by_kind_is_in_hundredths_with_its_deviation() -> None:
    first = drawn("query_variations_fig3").tables[0]
    assert list(first.columns) == ["system", "figure", "original", "spelling", "human", "all rewrites"]
    assert cells(first, "adaptive", "in_accuracy") == ["66.7 ± 0.0", "0.0 ± 0.0", "75.0 ± 0.0", "40.0 ± 0.0"]
    assert cells(first, "adaptive", "right becomes wrong")[0] == ""  # an original beside itself


def test_steadiness_has_both_readings_of_an_original_without_calls() -> None:
    first = drawn("query_variations_table3").tables[0]
    assert cells(first, "vanilla", "RE, retriever") == ["0.000", "0.000", "0.000"]
    assert cells(first, "closed_book", "RE, retriever, originals without a call left out")[:2] == ["n/a", "n/a"]
    whole = drawn("query_variations_table3").tables[1]
    assert whole.columns[1] == "CVR, retriever" and cells(whole, "closed_book")[0] == "1.000"
    assert any("closed_book: 3 items never search" in note for note in first.notes)


def test_dense_cells_hold_accuracy_and_calls_of_dense_systems_alone() -> None:
    first = drawn("query_variations_table8").tables[0]
    assert [row[0].text for row in first.rows] == ["vanilla"]
    assert cells(first, "vanilla") == ["100.0 / 1.00"] * 4
    with pytest.raises(BenchError, match="dense"):
        drawn("query_variations_table8", replace(made(), arms=made().arms[:1]))


def test_flips_of_a_system_without_a_choice_are_not_available() -> None:
    found = drawn("query_variations_fig4")
    assert cells(found.tables[0], "vanilla", "flips") == ["", "n/a", "n/a", "n/a"]
    every = found.tables[-1]
    assert cells(every, "vanilla", "flips", "spelling", "all items")[-1] == "this system searches always or never"


def test_the_noise_floor_is_how_often_the_same_words_flip_between_runs() -> None:
    first = drawn("query_variations_table9").tables[0]
    line = dict(zip(first.columns[1:], cells(first, "adaptive"), strict=True))
    assert (line["temperature"], line["runs"]) == ("0.7", "2")
    assert line["flips, same words"].startswith("12.50")  # 1 of the 8 wordings that both runs answered
    assert line["right or wrong, same words"].startswith("0.00")
    other = dict(zip(first.columns[1:], cells(first, "vanilla"), strict=True))
    assert (other["flips, same words"], other["temperature"]) == ("n/a", "not set")


def test_deviation_over_repeats_needs_repeats() -> None:
    found = drawn("query_variations_table13").tables[0]
    assert {row[0].text for row in found.rows} == {"adaptive"}
    # all rewrites: 6 searches of 5 the first time, 3 the second; sample deviation of 1.2 and .6
    assert cells(found, "adaptive", "retriever calls")[-1] == "0.90 ± 0.42"
    with pytest.raises(BenchError, match="--repeat"):
        drawn("query_variations_table13", replace(made(), arms=made().arms[1:]))


def test_rank_correlations_have_n_and_say_why_there_is_none() -> None:
    first = drawn("query_variations_spearman").tables[0]
    line = cells(first, "adaptive", "1", "query loss ~ MSS", "all rewrites")
    assert line == ["n/a", "n/a", "2", "fewer than 3 pairs"]


def test_hops_are_told_up_to_the_deepest() -> None:
    found = drawn("query_variations_fig6")
    assert "MSS@3" in {row[1].text for row in found.tables[0].rows}
    assert [figure.title.rpartition(": ")[2] for figure in found.figures] == ["similarity of searches", "retrieval failure"]
    with pytest.raises(BenchError, match="hops"):
        drawn("query_variations_fig6", replace(made(), arms=made().arms[2:]))


def test_audit_has_the_trigger_and_who_is_on_the_frontier() -> None:
    found = drawn("query_variations_audit")
    first = found.tables[0]
    assert cells(first, "vanilla", "trigger recall")[0] == "100.0"
    assert cells(first, "closed_book", "trigger precision")[0] == "n/a"
    quality = next(one for one in found.tables if one.title == "Quality against cost")
    assert cells(quality, "retriever calls", "vanilla")[-1] == "yes"
    assert [figure.svg.count("<g ") for figure in found.figures] == [3]


def test_the_frontier_holds_whom_nobody_beats_at_both() -> None:
    points = {"cheap": (0.4, 1.0), "good": (0.6, 2.0), "dear": (0.6, 3.0), "worse": (0.5, 2.0), "twin": (0.6, 2.0)}
    assert find_frontier(points) == {"cheap", "good", "twin"}


def test_a_single_run_with_every_kind_has_one_set_of_items() -> None:
    rows: list[WordingRecord] = [record(item, kind, correct=1.0) for item in ("a", "b") for kind in ("original", "spelling")]
    found = drawn("query_variations_fig3", Study([Arm("one", [rows])], at_angles(ANGLES), resamples=50))
    assert [one.title for one in found.tables] == ["Query variations: accuracy by kind, all items", "Every figure"]
    assert "All 2 items were asked with every kind of question variant." in found.notes


def paired(gold: str = "g") -> Study:
    """The paper's own example: four hops each, the last two of the rewrite far from the original's and without a gold
    document."""
    turns = {"o1": 0.0, "o2": 0.0, "o3": 0.0, "o4": 0.0, "A": 0.0, "B": 90.0} | {
        f"h{n}": degrees(acos(cosine)) for n, cosine in enumerate((0.99, 1.0, 0.85, 0.13), 1)
    }
    records = [
        record("i", "original", "A", correct=1.0, gold=[gold], hops=[(f"o{n}", [gold, f"d{n}"]) for n in range(1, 5)]),
        record(
            "i",
            "human",
            "B",
            variant="h",
            correct=0.0,
            gold=[gold],
            hops=[("h1", [gold, "d1"]), ("h2", [gold]), ("h3", ["x"]), ("h4", ["y"])],
        ),
        record("i", "spelling", "A", correct=1.0, gold=[gold], hops=[("o1", [gold, "d1"])]),
        record("k", "original", "A", correct=1.0, hops=[("o1", ["d1"])]),
        record("k", "human", "A", variant="k2", correct=1.0, hops=[("h4", ["z"])]),
    ]
    titles = {"d1": "The <b>first</b> mill"}
    return Study([Arm("search_o1", [records]), Arm("none", [without()])], at_angles(turns), resamples=50, titles=titles)


def test_one_questions_searches_stand_side_by_side_with_the_papers_own_sums() -> None:
    first = drawn("query_variations_table5", paired()).tables[0]
    assert first.title == "search_o1: item i, original and human"
    assert first.notes[0] == "MSS 0.7425; hops without a gold document (RFR): 0.0000 and 0.5000; trajectory collapse 0.6250."
    found = "g; The <b>first</b> mill"
    assert cells(first, "1") == ["o1", found, "hit", "h1", found, "hit", "0.99", "1.00"]
    assert cells(first, "4")[3:] == ["h4", "y", "miss", "0.13", "0.00"]
    assert cells(first, "answer") == ["A", "", "right", "B", "", "wrong", "", ""]


def test_another_question_and_kind_are_set_and_one_that_there_is_none_of_is_told() -> None:
    preset = presets()["query_variations_table5"]
    assert preset.draw(paired(), {"item": "k"}).tables[0].title.endswith("item k, original and human")
    spelled = preset.draw(paired(), {"kind": "spelling"}).tables[0]
    assert cells(spelled, "2") == ["o2", "g; d2", "hit", "–", "–", "–", "–", "–"]
    with pytest.raises(BenchError, match="its rewrite of the kind ocr"):
        preset.draw(paired(), {"kind": "ocr"})
