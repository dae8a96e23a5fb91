"""Tiny releases on the screen: made on Freeze, their wrong decisions on Releases, estimates on Results."""

from tests.pages.conftest import Show
from tests.pages.evaluate.test_results import lines, ready, tables
from tests.pages.evaluate.test_traces import said
from tests.workbench.release.test_tiny import SYSTEMS, add_run, add_systems, fill
from workbench import Workbench


def test_freeze_makes_one_and_releases_shows_its_wrong_decisions(bench: Workbench, show: Show) -> None:
    fill(bench)
    add_systems(bench)
    at = show("release/freeze")
    at.selectbox("tiny_of").set_value("v1").run()
    at.text_input("tiny_name").set_value("t").run()
    at.number_input("tiny_size").set_value(40).run()
    assert at.selectbox("tiny_metric").options == ["exact_match"]
    at = ready(at.button("tiny_make").click().run())
    record = bench.releases.get("t")[0].manifest["tiny"]
    assert (record["size"], record["seed"], record["of"]["name"]) == (40, 13, "v1")
    assert "t is frozen" in " ".join(box.value for box in at.success)
    words = said(at).replace("\\", "")
    assert "40 of 130 items of v1 were chosen" in words and "Decisions: " in words
    assert "40 items without a score by exact_match could not be chosen." in words  # the samples, which no run was asked
    at = show("release/browse", release="t")
    at.session_state["release_tab"] = "Wrong decisions"
    at = ready(at.run())
    [first] = lines(tables(at)[0])
    assert [cell["text"] for cell in first][:2] == ["Held-out systems", str(SYSTEMS * (SYSTEMS - 1))]
    at.selectbox("release").set_value("v1").run()
    assert not at.exception and "Wrong decisions" not in [tab.label for tab in at.tabs]


def test_results_show_the_estimate_of_the_whole_beside_the_plain_mean(bench: Workbench, show: Show) -> None:
    fill(bench)
    add_systems(bench)
    weights = bench.tiny.freeze("t", "v1", 40).weights
    name = add_run(bench, "new", {item: float(item < "q0030") for item in weights}, "t")
    at = ready(show("evaluate/results", run=name))
    found = [[cell["text"] for cell in row] for table in tables(at) for row in lines(table)]
    [estimate] = [row for row in found if len(row) > 4 and row[1] == "exact_match"]
    assert estimate[2] == "40" and estimate[4] == "v1"
    assert "a tiny release (experimental): 40 of the 130 items of v1." in said(at)
