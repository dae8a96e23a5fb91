"""Language pairs on the screen: paired on Freeze, compared in Results."""

import json
from pathlib import Path
from typing import Any

from tests.pages.conftest import Show
from tests.pages.evaluate.test_results import lines, ready, tables
from tests.pages.evaluate.test_traces import said
from tests.pages.runs import run
from workbench import Workbench

PARALLEL = Path(__file__).parents[3] / "samples" / "parallel"


def compared(bench: Workbench, name: str) -> dict[str, Any]:
    [found] = json.loads(bench.crosslingual.report([name], "json"))["comparisons"]
    return dict(found)


def test_freeze_pairs_two_items_and_shows_both_sides(bench: Workbench, show: Show) -> None:
    bench.language_pairs.import_(PARALLEL / "en.json", PARALLEL / "zh.json", "squad")
    pair = bench.language_pairs.list_pairs()[0].pair
    bench.language_pairs.remove(pair.item, pair.twin)
    at = show("release/freeze")
    assert "7 pairs, 7" in said(at)
    at.text_input("pair_item").set_value(pair.item).run()
    at.text_input("pair_twin").set_value("sluice-posts").run()
    at.button("pair_add").click().run()
    assert "both are in the same language" in " ".join(box.value for box in at.error)
    at.text_input("pair_twin").set_value(pair.twin).run()
    at.button("pair_add").click().run()
    assert "The two items are a pair" in " ".join(box.value for box in at.success)
    assert len(bench.language_pairs.list_pairs()) == 8
    at.button("pair_remove").click().run()
    assert len(bench.language_pairs.list_pairs()) == 7


def test_freeze_estimates_a_translation_before_anything_is_asked(bench: Workbench, show: Show) -> None:
    at = show("release/freeze")
    at.selectbox(key="translate_language").set_value("zh").run()
    at.selectbox(key="translate_agent").select("recorded").run()
    at.button(key="translate_estimate").click().run()
    for _ in range(100):
        if "Prompts filled" in said(at):
            break
        at.run()
    assert any("** Nothing has been asked yet" in one.value and "items" in one.value for one in at.markdown)
    assert not bench.database.rows("SELECT * FROM job WHERE kind = 'translate'")


def test_results_compare_both_languages_over_the_same_pairs(bench: Workbench, show: Show) -> None:
    bench.language_pairs.import_(PARALLEL / "en.json", PARALLEL / "zh.json", "squad")
    bench.releases.freeze("pairs", allow_unlicensed="a test")
    name = run(bench, "vanilla", "offline", release="pairs", retriever="bm25", metrics=["exact_match"])
    at = ready(show("evaluate/results", run=name, view="crosslingual"))
    rows = [[cell["text"] for cell in line] for line in lines(tables(at)[0])]
    assert [row[2:4] for row in rows if row[2] == "right answer"] == [["right answer", "8"]]
    counted = [[cell["text"] for cell in line] for line in lines(tables(at)[1])]
    assert [row[2:] for row in counted] == [["8", *[str(n) for n in compared(bench, name)["right"].values()]]]


def test_runs_on_a_release_without_pairs_get_a_note(bench: Workbench, show: Show) -> None:
    bench.releases.freeze("samples")
    name = run(bench, "echo", retriever="bm25")
    at = ready(show("evaluate/results", run=name, view="crosslingual"))
    assert "has no language pairs" in " ".join(
        str(one.value) for kind in (at.info, at.caption, at.markdown, at.text) for one in kind
    )
