"""The server itself: what every answer carries, who may use the loopback route, and a workspace that cannot be opened."""

import http.client
import json
import signal
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import duckdb
import pytest

from terminal import token as tokens
from tests.app_server import ROOT, Serve, Served
from tests.openai_server import Running
from tests.orvel import write_corpus
from tests.waiting import until
from workbench import Workbench

ADDRESSES = (
    "/",
    "/review",
    "/nowhere",
    "/_stcore/health",
    "/_stcore/host-config",
    "/bench/health",
    "/bench/nowhere",
    "/bench/verb",
    "/static/nowhere.js",
    "/favicon.png",
)


@pytest.mark.fault(2)
def test_every_answer_has_the_policy_and_is_not_sniffed(app: Served):
    for address in ADDRESSES:
        _, headers, _ = app.get(address)
        assert "default-src 'self'" in headers["Content-Security-Policy"], address
        assert headers["X-Content-Type-Options"] == "nosniff", address


def test_streamlit_shows_no_dialog_of_its_own_when_the_server_is_away(app: Served):
    status, headers, body = app.get("/_stcore/host-config")
    assert status == 200 and int(headers["Content-Length"]) == len(body)
    assert json.loads(body)["blockErrorDialogs"] is True and "allowedOrigins" in json.loads(body)


def test_health_says_which_workspace(app: Served):
    status, _, body = app.get("/bench/health")
    assert status == 200 and json.loads(body) == {"ok": True, "workspace": "w.duckdb"}


def test_the_token_file_is_its_owners_alone_and_goes_with_the_app(serve: Serve, workspace: Path):
    app = serve(workspace, is_forked=False)
    assert stat.S_IMODE(app.token_file.stat().st_mode) == 0o600
    token = tokens.read(app.workspace)
    assert token is not None and token.pid == app.process.pid
    app.stop()
    assert not app.token_file.exists()
    assert token.token not in app.log.read_text() and "Traceback" not in app.log.read_text()
    duckdb.connect(str(app.workspace)).close()


def test_ctrl_c_ends_it_without_a_word(serve: Serve, workspace: Path):
    app = serve(workspace, is_forked=False)
    app.process.send_signal(signal.SIGINT)
    assert app.process.wait(60) == 0
    assert not app.token_file.exists() and app.log.read_text().count("\n") == 1


def test_answers_on_a_kept_connection_wait_for_no_receipt(app: Served):
    """Nagle's algorithm would hold every answer but the first back for 40 ms. Connections made in the very moment of the start
    may have it."""

    def quickest() -> float:
        line = http.client.HTTPConnection("127.0.0.1", int(app.url.rsplit(":", 1)[1]), timeout=60)
        took = []
        for _ in range(20):
            began = time.perf_counter()
            line.request("GET", "/bench/health")
            line.getresponse().read()
            took.append(time.perf_counter() - began)
        line.close()
        return min(took[1:])

    until(lambda: quickest() < 0.03)


def posted(app: Served, address: str, body: bytes, token: str | None) -> tuple[int, bytes]:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token is not None else {})
    try:
        with urllib.request.urlopen(urllib.request.Request(app.url + address, body, headers)) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_without_the_token_nothing_is_worked(app: Served, tmp_path):
    order = {
        "id": "x",
        "words": ["backup", "out.duckdb"],
        "folder": str(tmp_path),
        "workspace": str(app.workspace),
        "plain": True,
        "environment": {},
    }
    body = json.dumps(order).encode()
    for token in (None, "", "wrong", "é".encode().decode("latin-1")):
        assert posted(app, "/bench/verb", body, token)[0] == 403
        assert posted(app, "/bench/verb/stop", body, token)[0] == 403
    assert not (tmp_path / "out.duckdb").exists()
    right = tokens.read(app.workspace).token
    status, said = posted(app, "/bench/verb", body, right)
    assert status == 200 and json.loads(said.splitlines()[-1]) == {"exit": 0} and (tmp_path / "out.duckdb").exists()
    other = json.dumps(order | {"workspace": str(tmp_path / "other.duckdb")}).encode()
    for wrong in (other, b"", b"[]", b"{}", b'{"words": 1}', b"\xff"):
        assert posted(app, "/bench/verb", wrong, right)[0] == 409
    assert posted(app, "/bench/verb/stop", b'{"id": "nobody"}', right) == (200, b'{"stopping":false}')


def test_words_that_the_app_does_not_know_are_usage(app: Served, tmp_path):
    order = {
        "id": "x",
        "words": ["brew"],
        "folder": str(tmp_path),
        "workspace": str(app.workspace),
        "plain": True,
        "environment": {},
    }
    status, said = posted(app, "/bench/verb", json.dumps(order).encode(), tokens.read(app.workspace).token)
    assert status == 200 and json.loads(said.splitlines()[-1]) == {"exit": 2} and b"another version" in said


@pytest.mark.fault(36)
def test_a_held_workspace_is_told_and_opened_once_it_is_free(serve, workspace, held, bw):
    app = serve(workspace)
    status, _, body = app.get("/bench/health")
    assert status == 503 and str(held.pid) in json.loads(body)["message"]
    assert not app.token_file.exists() and app.get("/")[0] == 200
    held.communicate("\n")
    assert app.get("/bench/health")[0] == 200 and app.token_file.exists()
    assert bw("items").code == 0


@pytest.mark.parametrize("trouble", ["newer", "no database"])
def test_a_workspace_that_cannot_be_read_is_told_in_a_sentence(serve, workspace, trouble):
    if trouble == "newer":
        with duckdb.connect(str(workspace)) as newer:
            newer.execute("INSERT INTO schema_step VALUES (900, '900_later', '2030-01-01')")
    else:
        workspace.write_text("my notes")
    app = serve(workspace)
    status, _, body = app.get("/bench/health")
    assert status == 503 and "w.duckdb" in json.loads(body)["message"]
    app.stop()
    assert "Traceback" not in app.log.read_text()


@pytest.mark.fault(34)
def test_the_apps_own_jobs_go_on_after_a_kill_and_those_of_a_command_line_do_not(serve, tmp_path, server: Running):
    path = tmp_path / "w.duckdb"
    with Workbench.open(path) as bench:
        bench.corpus.add([write_corpus(tmp_path / "in")], domain="arts", language="en")
        plans = [
            bench.drafts.plan(
                task="explicit_factoid",
                domain="arts",
                count=count,
                agent="offline",
                seed=0,
                budget=None,
                settings={"rag_check": False},
            )
            for count in (1, 2, 3)
        ]
        own, terminals, cancelled = plans
        bench.upkeep.begin(own, "app")
        bench.upkeep.begin(terminals, "terminal")
        bench.upkeep.begin(cancelled, "app")
        bench.upkeep.cancel(cancelled)  # ... and here the process is killed

    def states() -> dict[str, str]:
        with Workbench.open(path) as bench:
            return {job.id: job.state for job in bench.upkeep.jobs()}

    assert states() == {own: "queued", terminals: "queued", cancelled: "cancelled"}
    app = serve(path)
    until(lambda: "done" in bw_jobs(app))
    app.stop()
    assert states() == {own: "done", terminals: "queued", cancelled: "cancelled"}


def bw_jobs(app: Served) -> str:
    words = [sys.executable, str(ROOT / "cli.py"), "jobs", "--workspace", str(app.workspace)]
    return subprocess.run(words, capture_output=True, text=True, check=True, cwd=Path(app.workspace).parent).stdout
