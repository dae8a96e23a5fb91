"""A draft with a seed makes the same release whichever reply comes first, also when it was killed and went on."""

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

import jobs
from store.jobs import jobs as stored
from tests.faults.test_kills import command, finished
from tests.openai_server import Running, running
from workbench import Workbench

TEXT = " ".join(
    f"In {1900 + n} the town of Orvel opened its {n}th mill, which {name} Quill built for {100 + n} crowns."
    for n, name in enumerate(("Ada", "Bea", "Cid", "Dora", "Emil", "Fay", "Gus", "Hal", "Ida", "Jon", "Kit", "Lea"))
)
SETTINGS = {"window_tokens": 96, "rag_check": False, "agent.concurrency": 4, "run_on": False}
HELD = {"fault": "hold", "times": 1}


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as one:
        yield one


def opened(folder: Path, server: Running, monkeypatch: pytest.MonkeyPatch) -> Workbench:
    """A workspace with one article twice, the second time under another headline: their windows ask the same."""
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    folder.mkdir()
    (folder / "a.txt").write_text(TEXT, encoding="utf-8")
    (folder / "b.txt").write_text(f"{TEXT} That is all.", encoding="utf-8")
    bench = Workbench.open(folder / "w.duckdb")
    files = [str(folder / "a.txt"), str(folder / "b.txt")]
    bench.corpus.add(files, domain="arts", language="en", form="auto", licence="CC0-1.0")
    return bench


def planned(bench: Workbench) -> str:
    job: str = bench.drafts.plan(
        task="explicit_factoid", domain="all", count=8, agent="openai:m", seed=3, budget=None, settings=SETTINGS
    )
    return job


def release(bench: Workbench) -> str:
    """The hash of all that was drafted."""
    for item in bench.item_list.items(status="drafted"):
        bench.reviews.decide(item.id, "accept", person="Ada")
    return str(bench.releases.freeze("v1").hash)


def told(bench: Workbench, job: str) -> list[str]:
    """What became of each window, and the requests that were answered."""
    answered = bench.database.rows("SELECT key FROM call WHERE error IS NULL")
    return sorted(
        [*(json.dumps(found) for _, found in stored.load_results(bench.database, job)), *(key for (key,) in answered)]
    )


def wait_until_still(server: Running, is_over: Callable[[], bool]) -> None:
    """Returns when no request has come for a while."""
    before, still = -1, 0
    while still < 10 and not is_over():
        time.sleep(0.05)
        now = server.count()["requests"]
        still = still + 1 if now == before and now else 0
        before = now


def let_go_when_still(server: Running, is_over: Callable[[], bool]) -> None:
    """The held request is answered once nothing else comes."""
    wait_until_still(server, is_over)
    server.script([])


def drafted(
    folder: Path, server: Running, monkeypatch: pytest.MonkeyPatch, held: list[dict[str, Any]]
) -> tuple[str, list[str]]:
    server.reset()
    server.script(held)
    with opened(folder, server, monkeypatch) as bench:
        job, is_over = planned(bench), Event()
        letting = Thread(target=let_go_when_still, args=(server, is_over.is_set))
        letting.start()
        try:
            result = jobs.start(bench).submit(job).result()
        finally:
            is_over.set()
            letting.join()
        jobs.stop(bench)
        assert result["drafted"] > 2, result["message"]
        return release(bench), told(bench, job)


def test_the_release_hangs_on_no_replys_speed(tmp_path: Path, server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [drafted(tmp_path / str(n), server, monkeypatch, [HELD | {"requests": [n]}]) for n in (1, 2, 3, 99)]
    assert found == [found[0]] * 4


def test_a_draft_that_was_killed_and_went_on_is_the_one_that_was_not(
    tmp_path: Path, server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = drafted(tmp_path / "whole", server, monkeypatch, [])
    opened(tmp_path / "killed", server, monkeypatch).close()
    verb = ["draft", "--task", "explicit_factoid", "--domain", "all", "--count", "8", "--agent", "openai:m", "--seed", "3"]
    verb += [word for name, value in SETTINGS.items() for word in ("--set", f"{name}={json.dumps(value)}")]
    for nth in (2, 4):
        killed(server, tmp_path / "killed" / "w.duckdb", nth, *verb)
    finished(server, tmp_path / "killed" / "w.duckdb", *verb)
    with Workbench.open(tmp_path / "killed" / "w.duckdb") as bench:
        [job] = stored.list_jobs(bench.database)
        assert (release(bench), told(bench, job.id)) == whole


def killed(server: Running, workspace: Path, nth: int, *words: str) -> None:
    """Starts the verb, holds that request of it and all after the next, and kills it when no other comes."""
    server.reset()
    server.script([{"fault": "hold", "requests": [nth, *range(nth + 2, nth + 40)]}])
    line, environment = command(server, workspace, *words)
    with subprocess.Popen(line, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        wait_until_still(server, lambda: child.poll() is not None)
        child.kill()
    server.script([])
