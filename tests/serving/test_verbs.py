"""The command line while the app is open: the same words, the same output, the same exit codes, whoever works the verb."""

import json
import os
import shutil
import signal
import threading
from pathlib import Path

import pytest

from terminal import remote
from tests.app_server import Served
from tests.as_process import terminal
from tests.terminal.test_cli import TOWN

DRAFT = ("draft", "--task", "explicit_factoid", "--domain", "humanities", "--agent", "offline", "--count")


@pytest.mark.parametrize("json_too", [True, False], ids=["json", "people"])
def test_every_answer_is_the_one_without_the_app(bw, app, samples, tmp_path, json_too):
    alone = Path(shutil.copy(samples, tmp_path / "alone.duckdb"))
    (tmp_path / "empty.txt").write_text("")
    for words in (
        ("items",),
        ("items", "--domain", "nowhere"),
        ("jobs",),
        ("add", tmp_path / "empty.txt"),
        ("verify", "nope"),
        ("freeze", "v1"),
        ("freeze", "v1", "--allow-unlicensed", "a test"),
        ("verify", "v1"),
        ("diff", "v1", "v1"),
        ("export", "v1", "--format", "nope", tmp_path / "x"),
        ("decide", "nope", "accept", "--as", "Ada"),
        ("report", "nope"),
        ("jobs", "--cancel", "nope"),
        ("import", tmp_path / "nope", "--format", "jsonl"),
        ("draft", "--task", "nope", "--domain", "law", "--count", 1, "--agent", "offline"),
        (*DRAFT, 0),
        (*DRAFT, "many"),
    ):
        with_app = bw(*words, workspace=app.workspace, json_too=json_too)
        without = bw(*words, workspace=alone, json_too=json_too)
        assert with_app == without, words
    assert app.log.read_text().count("\n") == 1, "the app says where it is, and nothing else"


def test_a_draft_and_a_run_go_through_the_app(bw, app):
    drafted = bw(*DRAFT, 2)
    assert drafted.code == 0 and drafted.json["drafted"] == 2 and "2 of 2 drafted" in drafted.err
    assert [job["id"] for job in bw("jobs").json] == [drafted.json["job"]]
    assert bw("freeze", "v1", "--allow-unlicensed", "a test").code == 0
    ran = bw("run", "v1", "--system", "vanilla", "--agent", "offline", "--retriever", "bm25", "--sample", 4)
    assert ran.code == 0 and ran.json["answered"] == 4
    assert bw("report", ran.json["run"]).json["runs"][0]["run"] == ran.json["run"]
    assert bw("doctor").code == 0


def test_paths_start_where_the_command_was_given(bw, app, tmp_path, monkeypatch):
    here = tmp_path / "elsewhere"
    (here / "in").mkdir(parents=True)
    (here / "in" / "bridge.md").write_text(TOWN, encoding="utf-8")
    monkeypatch.chdir(here)
    assert len(bw("add", "in", "--domain", "arts", "--licence", "CC0-1.0").json["added"]) == 1
    frozen = bw("freeze", "v1", "--allow-unlicensed", "a test").json
    assert bw("export", "v1", "--format", "jsonl", "out").code == 0 and (here / "out" / "manifest.json").exists()
    assert bw("verify", "out").json["hash"] == frozen["hash"]
    assert bw("import", "out", "--format", "jsonl").json["already"] == frozen["items"]
    made = bw("backup", "copies/b.duckdb").json
    assert made["out"] == "copies/b.duckdb" and (here / "copies" / "b.duckdb").stat().st_size == made["bytes"]
    (here / "empty").mkdir()
    monkeypatch.chdir(here / "empty")
    assert "current folder" in bw("export", "v1", "--format", "jsonl", ".").sentence
    monkeypatch.chdir(here)
    [item, *_] = bw("items", "--status", "accepted").json
    Path("p.jsonl").write_text(json.dumps({"id": item["id"], "prediction": "Marta Quill", "answers": item["answers"]}) + "\n")
    Path("own.py").write_text("def answer(question, retrieve, ask):\n    return question\n")
    for words in (("recorded", "--set", "predictions=p.jsonl"), ("program", "--set", "program=own.py")):
        ran = bw("run", "v1", "--metrics", "exact_match", "--system", *words)
        assert ran.code == 0 and ran.json["answered"] >= 1, ran.err


def test_verbs_that_need_no_workspace_never_go_to_the_app(bw, app, tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps({"id": "a", "prediction": "Paris", "answers": ["Paris"]}) + "\n", encoding="utf-8")
    app.stop()
    assert bw("score", path, "--metrics", "exact_match").json["metrics"]["exact_match"]["mean"] == 1.0


def test_another_workspace_than_the_apps_is_opened_here(bw, app, tmp_path):
    assert bw("items", workspace=tmp_path / "other.duckdb").json == []


def test_the_demo_makes_no_workspace_anew_that_the_app_has_open(serve, tmp_path, samples):
    app = serve(Path(shutil.copy(samples, tmp_path / "demo.duckdb")))
    done = terminal("demo", cwd=tmp_path)
    assert done.returncode == 1 and "is open in the app" in done.stderr and done.stdout == ""
    assert app.get("/bench/health")[0] == 200


def test_a_reader_that_had_enough_is_no_trouble(app: Served, tmp_path):
    done = terminal("items", "--json", "--workspace", app.workspace, cwd=tmp_path, pipe="head -c 1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "[", "")
    assert terminal("items", "--json", "--workspace", app.workspace, cwd=tmp_path).returncode == 0


def test_letters_that_the_terminal_has_not_are_escaped_in_json(app: Served, tmp_path):
    plain = {"PYTHONIOENCODING": "ascii"}
    words = ("items", "--json", "--workspace", app.workspace)
    escaped, whole = terminal(*words, cwd=tmp_path, environment=plain), terminal(*words, cwd=tmp_path)
    assert escaped.stdout.isascii() and not whole.stdout.isascii()
    assert json.loads(escaped.stdout) == json.loads(whole.stdout)


def test_a_stopped_app_is_named_on_stderr_and_waited_for_no_longer_than_said(bw, app, monkeypatch):
    monkeypatch.setattr("terminal.remote.NOTICE_SECONDS", 0.3)
    monkeypatch.setattr("terminal.remote.ANSWER_SECONDS", 2.0)
    pid = json.loads(app.token_file.read_text())["pid"]
    os.kill(pid, signal.SIGSTOP)
    try:
        said = bw("items")
        waiting, ended = said.err.splitlines()
        assert said.code == 3 and said.out == ""
        assert waiting.endswith(
            f"does not answer; waiting for up to 2 seconds. If it was stopped, `kill -CONT {pid}` lets it go on."
        )
        assert f"(process {pid}) has {app.workspace} open and does not answer: let it continue with" in ended
        monkeypatch.setattr("terminal.remote.ANSWER_SECONDS", 60.0)
        goes_on = threading.Timer(1.0, os.kill, (pid, signal.SIGCONT))
        goes_on.start()
        said = bw("items")
        assert said.code == 0 and said.json and "waiting for up to 60 seconds" in said.err
    finally:
        os.kill(pid, signal.SIGCONT)


def test_an_app_that_is_stopped_while_it_runs_a_verb_is_given_up(bw, app, monkeypatch):
    monkeypatch.setattr("terminal.remote.SILENCE_NOTICE_SECONDS", 0.3)
    monkeypatch.setattr("terminal.remote.SILENCE_SECONDS", 2.0)
    pid = json.loads(app.token_file.read_text())["pid"]
    send_request = remote.send_request

    def stop_then_send(to, method, address, *given, **named):
        if method == "POST":
            os.kill(pid, signal.SIGSTOP)
        return send_request(to, method, address, *given, **named)

    monkeypatch.setattr("terminal.remote.send_request", stop_then_send)
    try:
        said = bw("items")
    finally:
        os.kill(pid, signal.SIGCONT)
    waiting, ended = said.err.splitlines()
    assert said.code == 1 and "waiting for up to 2 seconds" in waiting and "has sent nothing for 2 seconds" in ended
