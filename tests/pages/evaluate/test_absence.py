"""Absence twins on the screen: frozen by a toggle, told in Results, shown in a trace, counted at a run."""

import json

from store.runs import twin_traces
from tests.pages.conftest import Show
from tests.pages.evaluate.test_results import lines, ready, tables
from tests.pages.evaluate.test_traces import said
from tests.pages.runs import run
from workbench import Workbench


def test_freeze_makes_twins_with_the_options_of_its_toggle(bench: Workbench, show: Show) -> None:
    at = show("release/freeze")
    at.text_input("freeze_name").set_value("samples").run()
    at.toggle("freeze_absence").set_value(True).run()
    at.number_input("freeze_absence_share").set_value(25).run()
    at.number_input("freeze_absence_most").set_value(3).run()
    at.button[0].click().run()
    manifest = bench.releases.get("samples")[0].manifest["absence_twins"]
    assert (manifest["share"], manifest["seed"], manifest["most"]) == (0.25, 13, 3)
    assert f"{len(manifest['twins'])} absence twins" in " ".join(box.value for box in at.success)
    assert len(manifest["twins"]) + sum(manifest["obstacles"].values()) == 10
    assert "for which too many passages would be hidden" in said(at)


def test_results_and_the_trace_show_what_was_answered_without_evidence(bench: Workbench, show: Show) -> None:
    bench.releases.freeze("samples", absence_share=0.2)
    name = run(bench, "vanilla", "offline", retriever="bm25", metrics=["in_accuracy"])
    at = ready(show("evaluate/results", run=name, view="absence"))
    [row] = json.loads(bench.absence.report([name], "json"))["runs"]
    drawn = [[cell["text"] for cell in line] for line in lines(tables(at)[0])]
    assert [line[1] for line in drawn] == ["evidence there", "evidence gone"]
    assert drawn[1][3:] == [str(sum(row["twin"].values())), *(str(n) for n in row["twin"].values())]
    item = row["items"][0]["item"]
    at = show("evaluate/traces", run=name, item=item)
    assert "Absence twin: the same question without the evidence" in [one.value for one in at.subheader]
    assert (twin_traces.load_traces(bench.database, name)[item].answer or "") in said(at)
    job = bench.database.rows("SELECT job FROM job_item WHERE key = ?", [name])[0][0]
    at = show("evaluate/run", run_view="Runs", job=job)
    assert ("Absence twins", f"{row['twins']} of {row['twins']}") in [(one.label, one.value) for one in at.metric]


def test_runs_on_a_release_without_twins_get_a_note(bench: Workbench, show: Show) -> None:
    bench.releases.freeze("samples")
    name = run(bench, "echo", retriever="bm25")
    at = ready(show("evaluate/results", run=name, view="absence"))
    assert "has no absence twins" in " ".join(
        str(one.value) for kind in (at.info, at.caption, at.markdown, at.text) for one in kind
    )
