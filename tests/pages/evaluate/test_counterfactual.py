"""Counterfactual releases on the screen: made on Freeze, told in Results."""

import json

from tests.pages.conftest import Show
from tests.pages.evaluate.test_results import lines, ready, tables
from tests.pages.evaluate.test_traces import said
from tests.pages.runs import run
from workbench import Workbench


def test_freeze_makes_one_from_a_release_and_says_why_answers_stay(bench: Workbench, show: Show) -> None:
    bench.releases.freeze("samples")
    at = show("release/freeze")
    at.selectbox("counterfactual_of").set_value("samples").run()
    at.text_input("counterfactual_name").set_value("cf").run()
    at.button("counterfactual_make").click().run()
    manifest = bench.releases.get("cf")[0].manifest["counterfactual"]
    assert manifest["of"]["name"] == "samples" and (manifest["share"], manifest["seed"]) == (1.0, 13)
    assert "cf is frozen" in " ".join(box.value for box in at.success)
    assert "with a long answer" in said(at)


def test_results_show_what_was_read_and_what_was_remembered(bench: Workbench, show: Show) -> None:
    bench.releases.freeze("samples")
    made = bench.releases.freeze_counterfactual("cf", "samples")
    name = run(bench, "vanilla", "offline", release="cf", retriever="bm25", metrics=["in_accuracy"])
    at = ready(show("evaluate/results", run=name, view="counterfactual"))
    [row] = json.loads(bench.counterfactual.report([name], "json"))["runs"]
    assert len(row["items"]) == made.replaced + made.along
    [[_, before, n, *numbers]] = [[cell["text"] for cell in line] for line in lines(tables(at)[0])]
    assert (before, n) == ("–", str(len(row["items"]))) and numbers == [str(one) for one in row["outcomes"].values()]


def test_runs_on_another_release_get_a_note(bench: Workbench, show: Show) -> None:
    bench.releases.freeze("samples")
    name = run(bench, "echo", retriever="bm25")
    at = ready(show("evaluate/results", run=name, view="counterfactual"))
    assert "is not counterfactual" in " ".join(
        str(one.value) for kind in (at.info, at.caption, at.markdown, at.text) for one in kind
    )
