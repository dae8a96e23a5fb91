"""An endpoint that fails for good on some questions of a run: these questions are failed, the rest is answered and scored, and
the job ends."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Bench, call_verb
from tests.openai_server import Running, running

ASKED, BAD = 40, 26
RUN = ("run", "v1", "--system", "closed_book", "--agent", "openai:m", "--metrics", "r_eval_f1", "--set", "agent.concurrency=4")
JUDGED = ("run", "v1", "--system", "echo", "--retriever", "bm25", "--metrics", "s_f1", "--judge", "openai:m")


@pytest.fixture(scope="module")
def one_server() -> Iterator[Running]:
    with running() as server:
        yield server


@pytest.fixture
def server(one_server: Running, monkeypatch: pytest.MonkeyPatch) -> Running:
    monkeypatch.setenv("OPENAI_BASE_URL", one_server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-any")
    monkeypatch.setattr("agents.openai.openai.random.uniform", lambda low, high: 0.0)  # no pause between two tries
    one_server.script([])
    one_server.reset()
    return one_server


@pytest.fixture(scope="module")
def made_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace that `release` copies."""
    lines = []
    for n in range(ASKED):
        town = "Doomwick" if n < BAD else "Orvel"
        text = f"The mill number {n} of {town} was built by Marta Quill in {1800 + n}. It ground rye."
        lines.append(
            {
                "id": f"q{n}",
                "question": f"Who built the mill number {n} of {town}?",
                "answer": "Marta Quill",
                "contexts": [{"title": f"Mill {n}", "text": text, "gold": True}],
            }
        )
    folder = tmp_path_factory.mktemp("release")
    path, workspace = folder / "qa.jsonl", folder / "w.duckdb"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert call_verb(workspace, "import", path, "--format", "jsonl")["items"] == ASKED
    call_verb(workspace, "freeze", "v1", "--allow-unlicensed", "a test")
    return workspace


@pytest.fixture
def release(made_release: Path, tmp_path: Path) -> None:
    """Forty questions; the words of most name Doomwick."""
    shutil.copy(made_release, tmp_path)


@pytest.mark.parametrize("fault", [{"fault": "status", "status": 500}, {"fault": "status", "status": 400}, {"fault": "drop"}])
def test_a_run_with_questions_that_always_fail_ends_scored_and_says_how_many(bw, server, release, fault):
    server.script([{"contains": "Doomwick", **fault}])
    starts = 1
    while (said := bw(*RUN)).json["stopped"] is not None:
        assert said.json["stopped"] == "endpoint" and starts < 12, said.err
        starts += 1
    assert said.code == 0 and (said.json["answered"], said.json["failed"]) == (ASKED - BAD, BAD)
    assert f"{ASKED - BAD} answered, {BAD} failed" in bw(*RUN, json_too=False).out
    cells = bw("report", said.json["run"], "--by", "domain").json["runs"][0]["cells"]
    [cell] = [cell for cell in cells if cell["metric"] == "r_eval_f1"]
    assert (cell["n"], cell["failed"]) == (ASKED - BAD, BAD)
    assert bw("jobs").json[0]["state"] == "done"


def test_a_few_failures_between_answers_never_stop_a_run(bw, server, release):
    server.script([{"contains": f"number {n} of", "fault": "status", "status": 500} for n in range(3, ASKED, 4)])
    said = bw(*RUN)
    failed = len(range(3, ASKED, 4))
    assert said.code == 0 and said.json["stopped"] is None and said.json["failed"] == failed
    assert f"{ASKED - failed} of {ASKED} answered, {failed} failed" in said.err
    asked = server.count()["requests"]
    assert asked == ASKED + 2 * said.json["failed"], "three tries each"


def test_questions_that_fail_again_end_a_retry_in_one_go_and_stay_failed(bw: Bench, server: Running, release: None) -> None:
    """The endpoint refuses every request of the job: it stopped as if all others were refused, and the failures were gone."""
    failed = len(range(3, ASKED, 4))
    server.script([{"contains": f"number {n} of", "fault": "status", "status": 400} for n in range(3, ASKED, 4)])
    first = bw(*RUN)
    assert (first.code, first.json["answered"], first.json["failed"]) == (0, ASKED - failed, failed)
    before = server.count()["requests"]
    again = bw(*RUN, "--retry-failed")
    assert (again.code, again.json["stopped"], again.json["reused"]) == (0, None, ASKED - failed)
    assert (again.json["answered"], again.json["failed"]) == (ASKED - failed, failed)
    assert server.count()["requests"] - before == failed, "each is asked once more"
    server.script([])
    assert bw(*RUN, "--retry-failed").json["answered"] == ASKED


@pytest.mark.parametrize(("status", "bad", "concurrency"), [(401, 1, 4), (404, 30, 1)])
def test_a_question_that_alone_is_refused_with_a_status_of_all_stops_the_run_at_most_twice(
    bw: Bench, server: Running, release: None, status: int, bad: int, concurrency: int
) -> None:
    """A router answers 401 or 404 because of one question's words: each start of the job stopped at that question."""
    server.script([{"contains": f"number {bad} of", "fault": "status", "status": status}])
    run, starts = (*RUN[:-1], f"agent.concurrency={concurrency}"), 1
    while (said := bw(*run)).json["stopped"] is not None:
        assert said.json["stopped"] == "endpoint" and starts < 3, said.err
        starts += 1
    assert said.code == 0 and (said.json["answered"], said.json["failed"]) == (ASKED - 1, 1)
    assert str(status) in said.json["first_failure"]


def test_a_key_that_is_wrong_from_the_middle_of_a_run_on_fails_no_question(bw: Bench, server: Running, release: None) -> None:
    server.script([{"contains": "Orvel", "fault": "status", "status": 401}])
    bw(*RUN)
    server.script([{"fault": "status", "status": 401}])
    stopped = bw(*RUN)
    assert stopped.code == 1 and (stopped.json["stopped"], stopped.json["failed"]) == ("endpoint", 0)
    server.script([])
    assert bw(*RUN).json["answered"] == ASKED


def test_a_retry_that_stops_keeps_the_failures_that_have_no_new_outcome(bw: Bench, server: Running, release: None) -> None:
    failed = len(range(3, ASKED, 4))
    server.script([{"contains": f"number {n} of", "fault": "status", "status": 500} for n in range(3, ASKED, 4)])
    run = bw(*RUN).json["run"]
    scores = bw("scores", run).json
    server.script([{"fault": "status", "status": 401}])
    stopped = bw(*RUN, "--retry-failed")
    assert stopped.code == 1 and (stopped.json["stopped"], stopped.json["failed"]) == ("endpoint", failed)
    assert [(row["answered"], row["failed"]) for row in bw("runs").json] == [(ASKED - failed, failed)]
    assert bw("scores", run).json == scores, "nothing of the stopped retry is left"
    server.script([])
    whole = bw(*RUN, "--retry-failed")
    assert whole.code == 0 and (whole.json["answered"], whole.json["failed"]) == (ASKED, 0)
    assert len(bw("traces", run).json) == ASKED, "a failed answer is replaced, not doubled"


def test_a_retry_of_many_failures_goes_on_where_it_stopped_and_ends(bw: Bench, server: Running, release: None) -> None:
    """At every start it asked the first ones again, and stopped at them."""
    server.script([{"contains": "Doomwick", "fault": "status", "status": 500}])
    assert [bw(*RUN).json["stopped"] for _ in range(4)][-1] is None
    before, starts = server.count()["requests"], 1
    while (said := bw(*RUN, "--retry-failed")).json["stopped"] is not None:
        assert (said.json["answered"], said.json["failed"]) == (ASKED - BAD, BAD), "the number of a stopped retry is honest"
        assert starts < 12, said.err
        starts += 1
    assert said.code == 0 and (said.json["answered"], said.json["failed"]) == (ASKED - BAD, BAD)
    assert starts > 1 and server.count()["requests"] - before < 4 * BAD, "three tries each, but for a few in flight at a stop"


def test_a_judge_that_always_fails_on_some_answers_does_not_stop_the_scoring_for_ever(bw, server, release):
    server.script([{"contains": "Doomwick", "fault": "status", "status": 500}])
    starts = 1
    while (said := bw(*JUDGED)).json["stopped"] is not None:
        assert said.json["stopped"] == "endpoint" and starts < 12, said.err
        starts += 1
    assert said.code == 0 and starts > 1, "so many at once look like an endpoint that is away"
    [cell] = [c for c in bw("report", said.json["run"]).json["runs"][0]["cells"] if c["metric"] == "s_f1"]
    assert cell["unscored"] == BAD
    server.script([])
    again = bw(*JUDGED)
    [cell] = [c for c in bw("report", again.json["run"]).json["runs"][0]["cells"] if c["metric"] == "s_f1"]
    assert again.code == 0 and cell["unscored"] == 0, "a new job asks the judge again"


def test_a_stopped_run_is_drawn_as_unfinished_not_as_failed(bw, server, release):
    """Its failures have a type before its answers are scored: all of it looked like a model that fails."""
    server.script([{"contains": "Doomwick", "fault": "status", "status": 500}])
    stopped = bw(*RUN)
    assert stopped.json["stopped"] == "endpoint" and stopped.json["failed"] > 10
    said = bw("report", stopped.json["run"], "--preset", "r_eval_fig5", json_too=False)
    assert said.code == 1 and "is not finished: " in said.sentence and f"of {ASKED} questions were asked" in said.sentence
    assert "is not finished" in bw("report", stopped.json["run"], json_too=False).out.replace(": not", " is not")
    assert bw(*RUN).code == 0
    assert "ME %" in bw("report", stopped.json["run"], "--preset", "r_eval_fig5", json_too=False).out


def test_a_dead_endpoint_still_stops_the_run_early(bw, server, release):
    server.script([{"fault": "status", "status": 503}])
    said = bw(*RUN)
    assert said.code == 1 and said.json["stopped"] == "endpoint" and said.json["failed"] < ASKED / 2
    assert "failed on more than half of the last questions" in said.sentence
    server.script([])
    again = bw(*RUN)
    assert again.code == 0 and again.json["answered"] + again.json["failed"] == ASKED
    assert again.json["failed"] == said.json["failed"] < 20


def test_a_run_of_which_nothing_was_answered_says_why(bw: Bench, server: Running, release: None) -> None:
    server.script([{"fault": "filter"}])
    said = bw(*RUN)
    assert (said.code, said.json["answered"], said.json["failed"]) == (1, 0, ASKED)
    assert "filter" in said.json["first_failure"]
    assert f"First failure: {said.json['first_failure']}" in bw(*RUN, json_too=False).out


@pytest.mark.parametrize(
    "tight",
    [
        (*RUN, "--set", "agent.tpm=5"),
        ("run", "v1", "--system", "echo", "--metrics", "s_f1", "--judge", "openai:m", "--set", "judge.tpm=5"),
    ],
)
def test_a_rate_too_small_for_one_call_is_said_before_anything_is_stored(
    bw: Bench, server: Running, release: None, tight: tuple[str, ...]
) -> None:
    before = len(bw("jobs").json)
    said = bw(*tight)
    assert said.code == 1 and "allows 5 a minute" in said.sentence and said.sentence.startswith("One call takes about")
    assert len(bw("jobs").json) == before and bw("runs").json == [] and server.count()["requests"] == 0
