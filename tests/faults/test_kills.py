"""kill -9 during drafting and runs: nothing that was acknowledged is missing, only calls in flight are asked again, all
finish."""

import json
import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from store.engine.database import Database
from store.jobs import jobs
from store.ledger.calls import Ledger
from tests.openai_server import Running, running
from tests.waiting import until
from workbench import Workbench

ROOT = Path(__file__).parents[2]
KILLS = 4
"""Of each of the two kinds of job."""
WIDTH = 8
SETTINGS = ("--set", f"agent.concurrency={WIDTH}", "--set", "agent.temperature=0")


def command(server: Running, workspace: Path, *words: object) -> tuple[list[str], dict[str, str]]:
    line = [sys.executable, str(ROOT / "cli.py"), *map(str, words), "--workspace", str(workspace), "--json"]
    return line, os.environ | {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "none"}


def killed(server: Running, workspace: Path, last: int, *words: object) -> int:
    """Starts the verb, kills it once the last window is begun, and returns the count that it last acknowledged. The endpoint
    holds that window, so that the verb is at work then."""
    line, environment = command(server, workspace, *words)
    asked = server.count()["requests"]
    server.script([{"from": asked + last - WIDTH + 1, "fault": "hold"}])
    with subprocess.Popen(
        line, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as child:
        try:
            until(lambda: server.count()["requests"] > asked + last - WIDTH)
        finally:
            child.send_signal(signal.SIGKILL)
        assert child.stderr is not None
        said = child.stderr.readlines()
    server.script([])
    until(lambda: server.count()["at_once"] == 0)
    counts = [int(found[1]) for text in said if (found := re.search(r": (\d+) of \d+ (?:drafted|answered)", text))]
    return max(counts, default=0)


def finished(server: Running, workspace: Path, *words: object) -> Any:
    line, environment = command(server, workspace, *words)
    done = subprocess.run(line, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.fault(34)
def test_jobs_survive_kill_9(tmp_path: Path) -> None:
    workspace, chance = tmp_path / "w.duckdb", random.Random(5)
    with running(latency=0.05) as server:
        finished(server, workspace, "add", ROOT / "samples" / "documents", "--licence", "CC0-1.0")

        draft = ("draft", "--task", "explicit_factoid", "--domain", "all", "--count", 100, "--agent", "openai:m", *SETTINGS)
        for _ in range(KILLS):
            acknowledged = killed(server, workspace, chance.randint(WIDTH, 6 * WIDTH), *draft)
            with Database.open(workspace) as database:
                [job] = jobs.list_jobs(database)
                drafted = sum(result["state"] == "drafted" for _, result in jobs.load_results(database, job.id))
                stored = database.rows("SELECT count(*) FROM state WHERE status = 'drafted'")[0][0]
            assert drafted == stored >= acknowledged
        result = finished(server, workspace, *draft)
        assert result["drafted"] == 100 and result["job"] == job.id
        asked_again(server, workspace)

        with Workbench.open(workspace) as bench:
            for item in result["items"]:
                bench.reviews.decide(item["id"], "accept", person="Ada")
        finished(server, workspace, "freeze", "v1")
        run = ("run", "v1", "--system", "vanilla", "--agent", "openai:m", "--metrics", "token_f1", *SETTINGS)
        for _ in range(KILLS):
            acknowledged = killed(server, workspace, chance.randint(WIDTH, 3 * WIDTH), *run)
            with Database.open(workspace) as database:
                assert database.rows("SELECT count(*) FROM trace")[0][0] >= acknowledged
        result = finished(server, workspace, *run)
        assert (result["answered"], result["failed"]) == (100, 0)
        asked_again(server, workspace)


def asked_again(server: Running, workspace: Path) -> None:
    """Requests beyond the ledger's count are calls in flight at a kill, and no more than fit into the window."""
    with Database.open(workspace) as database:
        ledger = Ledger(database).sum_spending().attempts
    counted = server.count()
    assert 0 <= counted["requests"] - ledger <= 2 * KILLS * WIDTH
    assert counted["asked_again"] == counted["requests"] - counted["keys"] <= 2 * KILLS * WIDTH
    assert counted["most_at_once"] <= WIDTH
