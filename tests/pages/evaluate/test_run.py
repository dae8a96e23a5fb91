"""The run page as a person meets it."""

import time
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import jobs
from core.errors import BenchError
from tests.pages.conftest import Show
from tests.waiting import until
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest

PAGE = "evaluate/run"


def words(at: AppTest) -> str:
    """Everything that a person reads on the page."""
    kinds = (at.markdown, at.caption, at.error, at.warning, at.info, at.success, at.text, at.header, at.subheader)
    shown = [str(element.value) for kind in kinds for element in kind]
    return "\n".join([*shown, *(f"{m.label} {m.value}" for m in at.metric), *(c.value for c in at.code)])


def settled(at: AppTest, gone: str = "Computing the") -> AppTest:
    """The page once it has computed its figures."""
    for _ in range(100):
        if gone not in words(at):
            return at
        time.sleep(0.05)
        at.run()
    raise AssertionError(words(at))


def press_start(at: AppTest, key: str) -> None:
    """Press that button and wait until the jobs are planned, which takes longer where the release is still being read."""
    at.button(key=key).click().run()
    settled(at, "starts automatically")


def finish(bench: Workbench, asked: RunRequest) -> str:
    """A run, worked to its end; its job."""
    job = bench.runs.plan(asked)
    jobs.start(bench).submit(job).result()
    return job


def test_an_empty_workspace_says_where_questions_come_from(empty_bench: Workbench, show: Show) -> None:
    at = show(PAGE)
    assert "Nothing to run on yet" in words(at)


def test_a_quick_check_without_an_agent_measures_retrieval(bench: Workbench, show: Show) -> None:
    at = settled(show(PAGE))
    assert "only the echo system can run" in words(at) and "No call is made" in words(at)
    press_start(at, "quick_start")
    (job,) = (row for row in bench.upkeep.jobs())
    jobs.start(bench).submit(job.id).result()
    checked = settled(show(PAGE, check=job.id))
    assert "Figures by system" in words(checked)
    table = checked.dataframe[0].value
    assert table.iloc[:, 0].tolist()[:2] == ["answered", "failed"]
    assert "n 12" in table[table.iloc[:, 0] == "evidence_recall@5"]["Echo"].item()


def test_a_quick_check_with_the_offline_agent_marks_its_figures(bench: Workbench, show: Show) -> None:
    at = show(PAGE)
    at.selectbox(key="quick_agent").select("offline").run()
    assert at.selectbox(key="quick_system").value == "vanilla"
    press_start(settled(at), "quick_start")
    found = bench.upkeep.jobs()
    assert {row.params["system"] for row in found} == {"echo", "closed_book", "oracle", "vanilla"}
    for row in found:
        jobs.start(bench).submit(row.id).result()
    ids = [row.id for row in found]
    rows = bench.quick_check.compare(ids).rows
    assert {row.label for row in rows if row.figures.offline == ["answer"]} == {"Closed book", "Oracle", "Vanilla RAG"}


def test_the_form_shows_the_command_that_asks_for_the_same(bench: Workbench, show: Show) -> None:
    at = show(PAGE, run_view="Full run")
    at.selectbox(key="run_agent").select("offline").run()
    at.number_input(key="run_set_vanilla_top_k").set_value(3).run()
    at.number_input(key="run_sample").set_value(4).run()
    command = settled(at).code[0].value
    assert command == "python cli.py run working --system vanilla --agent offline --retriever bm25 --sample 4 --set top_k=3"
    assert "Questions 4" in words(at)


def test_started_runs_are_watched_at_an_address_of_their_own(bench: Workbench, show: Show) -> None:
    at = show(PAGE, run_view="Full run")
    at.selectbox(key="run_system").select("echo").run()
    press_start(settled(at), "run_start")
    (row,) = bench.upkeep.jobs()
    jobs.start(bench).submit(row.id).result()
    live = show(PAGE, job=row.id)
    assert "Answered 40 of 40" in words(live) and "Last answers" in words(live)


def test_failed_questions_are_asked_again_by_a_button(bench: Workbench, show: Show, tmp_path: Path) -> None:
    up, program = tmp_path / "up", tmp_path / "mine.py"
    program.write_text(
        f"import pathlib\ndef answer(question, retrieve, ask):\n    return pathlib.Path({str(up)!r}).read_text()\n"
    )
    asked = RunRequest(release="working", system="program", sample=3, metrics=["exact_match"])
    job = finish(bench, replace(asked, settings={"program": str(program)}))
    live = show(PAGE, job=job)
    assert "Failed 3" in words(live)
    up.write_text("Rome")
    press_start(live, "live_retry")
    again = bench.upkeep.jobs()[0].id
    assert again != job and jobs.start(bench).submit(again).result()["answered"] == 3
    done = show(PAGE, job=again)
    assert "Failed 0" in words(done) and not [b for b in done.button if b.key == "live_retry"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda at: at.number_input(key="run_set_vanilla_chunk_tokens").set_value(0), "chunk_tokens is 0"),
        (lambda at: at.text_area(key="run_more").set_value("agent.rpm=3"), "no setting 'rpm'"),
        (lambda at: at.text_area(key="run_more").set_value("colour=blue"), "has no setting 'colour'"),
        (lambda at: at.text_area(key="run_more").set_value("top_k=0"), "top_k is 0"),
        (lambda at: at.text_area(key="run_more").set_value("nonsense"), "has no key"),
        (lambda at: at.text_area(key="run_more").set_value("judge.rpm=3"), "belongs to a --judge"),
    ],
)
def test_what_does_not_fit_is_a_sentence_at_the_form(bench: Workbench, show: Show, change: object, sentence: str) -> None:
    at = show(PAGE, run_view="Full run")
    change(at).run()  # type: ignore[operator]
    assert sentence in words(settled(at)).replace("\\", "")
    assert not bench.upkeep.jobs()


def test_a_missing_judge_is_said_before_and_after(bench: Workbench, show: Show) -> None:
    at = settled(show(PAGE, run_view="Full run"))
    assert "s_f1 needs a judge and none is chosen" in words(at).replace("\\", "")
    job = finish(bench, RunRequest(release="working", system="echo", sample=8))
    live = show(PAGE, job=job)
    assert any("s_f1" in e.label for e in live.expander)


def test_runs_are_listed_and_one_fills_the_form_again(bench: Workbench, show: Show) -> None:
    finish(bench, RunRequest(release="working", system="echo", retriever="bm25", settings={"top_k": 2}, sample=5, seed=3))
    (row,), total = bench.runs.list_runs()
    assert total == 1 and row.settings == "bm25 · top_k 2 · 5 sampled, seed 3" and row.row.answered == 5
    assert row.cost_usd == 0.0 and row.row.build_seconds > 0
    at = show(PAGE, run_view="Runs")
    assert at.dataframe[0].value["Settings"].tolist() == [row.settings]
    assert bench.runs.rebuild_request(row.row.run.id) == RunRequest(
        release="working", system="echo", retriever="bm25", settings={"top_k": 2}, sample=5, seed=3, judges=[]
    )


def test_a_job_that_is_no_run_is_a_sentence(bench: Workbench) -> None:
    job = bench.drafts.plan(task="explicit_factoid", domain="tech", count=1, agent="offline", seed=0, budget=None, settings={})
    with pytest.raises(BenchError, match="is not a run"):
        bench.runs.progress(job)


def test_a_system_that_asks_no_agent_takes_none_over_from_another(bench: Workbench, show: Show) -> None:
    at = show(PAGE, run_view="Full run")
    at.selectbox(key="run_agent").select("offline").run()
    at.selectbox(key="run_system").select("echo").run()
    assert "--agent" not in settled(at).code[0].value


def test_a_system_that_decides_when_to_search_is_set_and_reckoned_with_one_search(bench: Workbench, show: Show) -> None:
    at = show(PAGE, run_view="Full run")
    at.selectbox(key="run_system").select("search_o1").run()
    at.selectbox(key="run_agent").select("offline").run()
    at.number_input(key="run_set_search_o1_searches").set_value(3).run()
    settled(at)
    assert "--set searches=3" in at.code[0].value
    assert "the estimate counts one search per question" in words(at) and "Calls 120" in words(at), words(at)
    assert at.selectbox(key="run_set_search_o1_go_on").options == ["turn", "message", "text"]


def test_an_agent_that_cannot_do_what_a_system_needs_is_said_at_the_form(bench: Workbench, show: Show) -> None:
    at = show(PAGE, run_view="Full run")
    at.selectbox(key="run_system").select("flare").run()
    at.selectbox(key="run_agent").select("offline").run()
    assert "FLARE needs the probabilities of tokens, which the agent offline does not return" in words(settled(at)).replace(
        "\\", ""
    )


def test_a_link_names_an_agent_by_its_name(bench: Workbench, show: Show) -> None:
    at = show(PAGE, quick_agent="offline")
    assert at.selectbox(key="quick_agent").value == "offline"


def test_a_wished_difference_tells_how_many_questions_it_wants(bench: Workbench, show: Show) -> None:
    at = show("evaluate/run", run_view="Full run")
    at.selectbox("run_system").set_value("echo").run()
    until(lambda: any("The smallest difference between two systems" in c.value for c in at.caption) or not at.run())
    wished = at.number_input("run_wished")
    assert wished.value == 0.05
    wished.set_value(0.1).run()
    [table] = [frame.value for frame in at.dataframe if "Questions for 0.1" in frame.value.columns]
    assert (table["Questions for 0.1"] > 0).all() and table["Rests on"].str.contains("worst case").all()
