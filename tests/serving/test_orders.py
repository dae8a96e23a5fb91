"""Verbs of command lines as processes of their own, worked by the app: stopped, killed, two at once, their keys kept apart, and
never sent to anybody who is not the app."""

import json
import os
import shutil
import signal
import socket
import subprocess
import threading
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from terminal import token as tokens
from tests.app_server import Served, free_port
from tests.as_process import child_of
from tests.openai_server import Running
from tests.orvel import write_corpus
from tests.waiting import until

KEY = "sk-right-0123456789"
DRAFT = (
    "draft",
    "--task",
    "explicit_factoid",
    "--domain",
    "arts",
    "--agent",
    "openai:m",
    "--set",
    "run_on=false",
    "--set",
    "rag_check=false",
    "--set",
    "agent.concurrency=2",
    "--count",
    6,
)


@pytest.fixture
def workspace(bw, tmp_path: Path) -> Path:
    """A workspace of six documents on one domain."""
    assert bw("add", write_corpus(tmp_path / "in"), "--domain", "arts", "--licence", "CC0-1.0").code == 0
    return tmp_path / "w.duckdb"


@pytest.fixture
def app(serve, workspace, monkeypatch) -> Served:
    """An app that knows no endpoint."""
    with monkeypatch.context() as bare:
        bare.delenv("OPENAI_BASE_URL", raising=False)
        bare.delenv("OPENAI_API_KEY", raising=False)
        return serve(workspace)


def begun(app: Served, tmp_path: Path, *words: object) -> "AbstractContextManager[subprocess.Popen[str]]":
    """A verb of a terminal, which stands in another folder."""
    return child_of(*words, "--workspace", app.workspace, "--json", folder=tmp_path)


def heard(child: "subprocess.Popen[str]", words: str) -> None:
    """Returns once that was said on its stderr."""
    assert child.stderr is not None
    while words not in (line := child.stderr.readline()):
        assert line, f"ended without saying {words!r}"


def is_shut(app: Served) -> bool:
    """Whether it takes no connection any more: it has heard that it is to end, and so have its jobs."""
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", int(app.url.rpartition(":")[2]))) != 0


@pytest.mark.fault(25)
def test_endpoint_and_key_are_the_commands_own_and_are_kept_nowhere(bw, app, server, tmp_path, monkeypatch):
    drafted = bw(*DRAFT)
    assert drafted.code == 0 and drafted.json["drafted"] == 6 and server.count()["requests"] == 6
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong-9876543210")
    wrong = bw(*DRAFT[:-1], 5, "--set", "temperature=0.5")
    assert wrong.code == 1 and "401" in wrong.sentence
    monkeypatch.delenv("OPENAI_BASE_URL")
    monkeypatch.delenv("OPENAI_API_KEY")
    without = bw(*DRAFT[:-1], 4)
    assert without.code == 1 and "OPENAI_API_KEY" in without.sentence, "the app has none, and keeps nobody's"
    app.stop()
    secret = app.log.read_bytes() + b"".join(path.read_bytes() for path in tmp_path.rglob("w.duckdb*") if path.is_file())
    assert b"sk-right" not in secret and b"sk-wrong" not in secret


def test_ctrl_c_finishes_what_is_in_flight_and_the_job_can_go_on(bw, app, server, tmp_path):
    server.script([{"from": 3, "fault": "hold"}])
    with begun(app, tmp_path, *DRAFT) as child:
        heard(child, " of 6 drafted")
        child.send_signal(signal.SIGINT)
        heard(child, "Stopping: calls in flight")
        server.script([])
        out, err = child.communicate(timeout=60)
    assert child.returncode == 1 and "Traceback" not in err
    stopped = json.loads(out)
    assert stopped["stopped"] == "cancelled" and 1 <= stopped["drafted"] < 6
    assert stopped["calls"] == server.count()["requests"], "all that was asked is stored"
    [job] = bw("jobs").json
    assert (job["id"], job["state"]) == (stopped["job"], "paused")
    assert bw("jobs", "--resume", job["id"]).json["drafted"] == 6 and server.count()["asked_again"] == 0


def test_a_second_ctrl_c_leaves_at_once_and_the_app_lives(bw, app, server, tmp_path):
    server.script([{"from": 3, "fault": "hold"}])
    with begun(app, tmp_path, *DRAFT) as child:
        heard(child, " of 6 drafted")
        child.send_signal(signal.SIGINT)
        heard(child, "Stopping")
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    assert (child.returncode, out) == (1, "") and err.startswith("Interrupted") and err.count("\n") == 1
    assert bw("jobs").json[0]["state"] == "running"
    server.script([])


def test_a_job_outlives_the_command_line_that_asked_for_it(bw, app, server, tmp_path):
    server.script([{"from": 3, "fault": "hold"}])
    with begun(app, tmp_path, *DRAFT) as child:
        heard(child, " of 6 drafted")
        child.kill()
    server.script([])
    until(lambda: bw("jobs").json[0]["state"] == "done")
    assert len(bw("items", "--status", "drafted").json) == 6


def test_a_job_is_cancelled_from_another_terminal(bw, app, server, tmp_path):
    """A job hears of it when it stores what came next: then others are still to come."""
    server.script([{"from": 2, "fault": "hold"}])
    with begun(app, tmp_path, *DRAFT, "--set", "agent.concurrency=1") as child:
        heard(child, "1 of 6 drafted")
        [job] = bw("jobs").json
        assert bw("jobs", "--cancel", job["id"]).code == 0
        server.script([{"from": 3, "fault": "hold"}])
        heard(child, "2 of 6 drafted")
        server.script([])
        out, _ = child.communicate(timeout=60)
    assert child.returncode == 1 and json.loads(out)["stopped"] == "cancelled"
    assert bw("jobs").json[0]["state"] == "cancelled"


def test_two_at_once_both_work(bw, app, server, tmp_path):
    server.script([{"fault": "hold"}])
    with begun(app, tmp_path, *DRAFT) as one, begun(app, tmp_path, *DRAFT[:-1], 3, "--seed", 5) as other:
        until(lambda: [row["state"] for row in bw("jobs").json] == ["running"] * 2)
        server.script([])
        outs = [json.loads(child.communicate(timeout=60)[0]) for child in (one, other)]
    assert one.returncode == other.returncode == 0 and outs[0]["job"] != outs[1]["job"]
    assert sum(out["drafted"] for out in outs) == len(bw("items", "--status", "drafted").json)


def test_an_app_told_to_end_finishes_what_is_in_flight(bw, app, server, tmp_path):
    server.script([{"from": 3, "fault": "hold"}])
    with begun(app, tmp_path, *DRAFT) as child:
        heard(child, " of 6 drafted")
        app.process.send_signal(signal.SIGTERM)
        until(lambda: is_shut(app))
        server.script([])
        app.stop()
        out, err = child.communicate(timeout=60)
    assert child.returncode == 1 and json.loads(out)["stopped"] == "cancelled" and "Traceback" not in err
    assert not app.token_file.exists() and "Traceback" not in app.log.read_text()
    [job] = bw("jobs").json
    assert job["state"] == "paused" and json.loads(out)["calls"] == server.count()["requests"]
    assert bw("jobs", "--resume", job["id"]).json["drafted"] == 6 and server.count()["asked_again"] == 0


@pytest.mark.fault(34)
def test_an_app_that_is_killed_is_one_sentence_and_loses_nothing(bw, app, serve, server, tmp_path):
    server.script([{"from": 3, "fault": "hold"}])
    with begun(app, tmp_path, *DRAFT) as child:
        heard(child, " of 6 drafted")
        app.kill()
        out, err = child.communicate(timeout=60)
    assert (child.returncode, out) == (1, "") and err.strip().endswith("run the same command again to continue.")
    assert app.token_file.exists(), "nobody could take it away"
    server.script([])
    assert len(bw("items", "--status", "drafted").json) >= 1, "a stale token stops nobody"
    again = serve(app.workspace)
    assert tokens.read(app.workspace).pid == again.process.pid
    assert bw("jobs").json[0]["state"] == "queued", "what a command line began waits for its command"
    assert bw(*DRAFT).json["drafted"] == 6


def test_a_token_of_the_dead_leads_nowhere(bw, workspace, held):
    with subprocess.Popen(["true"]) as dead:
        dead.wait()
    tokens.write(workspace, tokens.AppToken(free_port(), "t", dead.pid))
    said = bw("items")
    assert said.code == 3 and str(held.pid) in said.sentence and said.out == ""


def test_a_token_of_the_living_that_another_app_answers_is_none(bw, workspace, held, serve, samples, tmp_path):
    other = serve(Path(shutil.copy(samples, tmp_path / "other.duckdb")))
    tokens.write(workspace, tokens.AppToken(int(other.url.rpartition(":")[2]), "t", other.process.pid))
    said = bw("items")
    assert said.code == 3 and str(held.pid) in said.sentence


def test_neither_token_nor_key_is_sent_to_who_proves_nothing(bw, workspace, held, server: Running):
    got: list[bytes] = []
    with socket.socket() as impostor:
        impostor.bind(("127.0.0.1", 0))
        impostor.listen()
        tokens.write(workspace, tokens.AppToken(impostor.getsockname()[1], "secret", os.getpid()))

        def answer() -> None:
            caller, _ = impostor.accept()
            with caller:
                got.append(caller.recv(65536))
                caller.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n{"proof": "no"}')

        thread = threading.Thread(target=answer)
        thread.start()
        said = bw(*DRAFT)
        thread.join()
    assert said.code == 3 and len(got) == 1
    assert b"secret" not in got[0] and KEY.encode() not in got[0]
