"""1,000 workflow traces at 64 in flight, through the command's whole path (release, tables, functions or sandbox, ledger,
stored traces, score), against an endpoint on this machine that takes a second a reply: share of the ideal (requests x seconds /
places), beside the share of the package's bare client that sends as many requests of about that length behind a semaphore.
Target: at least .9 of what the bare client reaches."""

import asyncio
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from store.items import items
from terminal.local_session import LocalSession
from tests.benchmarks.table import head, row
from tests.openai_server import Running, running
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest

TARGET = 0.9
SECONDS, TRACES, PLACES = 1.0, 1000, 64
PROGRAM = "```python\nfound = searchPerson(name='Vera')\nfound[0]['organization']\n```"
WORKFLOWS: Mapping[str, list[dict[str, Any]]] = {"function_calling": [], "pal": [{"fault": "text", "text": PROGRAM}]}
"""What runs, and what the endpoint says: of itself it calls the functions that it is shown, and ends."""
WORDS = "Which organization is named in what follows? " * 40


@contextmanager
def workspace() -> Iterator[Workbench]:
    """A release of so many questions on the sample scholars."""
    with Workbench.open(":memory:") as bench:
        ids = bench.templates.load_samples()
        job = bench.seasons.plan(ids, 4 * TRACES)
        LocalSession().finish(bench, job)
        made = items.list_items(bench.database, status="drafted")[:TRACES]
        items.add(
            bench.database,
            [
                replace(one, id=f"w{n}", question=f"{one.question} ({n})", status="accepted")  # no two requests are the same
                for n, one in zip(range(TRACES), cycle(made), strict=False)
            ],
        )
        bench.releases.freeze("bench", allow_unlicensed="a benchmark")
        yield bench


def ours(bench: Workbench, system: str) -> tuple[float, float]:
    """Seconds that the run takes, and CPU seconds of this process. Raises SystemExit when a question failed."""
    job = bench.runs.plan(
        RunRequest(
            release="bench",
            system=system,
            agent="openai:m",
            metrics=["r_eval_f1"],
            settings={"environment": "tables", "concurrency": PLACES, "agent.concurrency": PLACES},
        )
    )
    began, cpu = time.perf_counter(), time.process_time()
    done = LocalSession().finish(bench, job)
    took = time.perf_counter() - began, time.process_time() - cpu
    if (done["answered"], done["failed"]) != (TRACES, 0):
        raise SystemExit(f"{system}: {done['answered']} answered, {done['failed']} failed: {done['message']}")
    return took


async def bare(url: str, requests: int) -> float:
    """Seconds that the package's client takes for as many requests."""
    from openai import AsyncOpenAI

    client, gate = AsyncOpenAI(api_key="none", base_url=url, max_retries=0), asyncio.Semaphore(PLACES)

    async def call(number: int) -> None:
        async with gate:
            await client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": f"{number} {WORDS}"}], temperature=0.0, max_tokens=512
            )

    began = time.perf_counter()
    await asyncio.gather(*(call(n) for n in range(requests)))
    took = time.perf_counter() - began
    await client.close()
    return took


def measured(bench: Workbench, server: Running, system: str) -> None:
    server.script(WORKFLOWS[system])
    server.reset()
    took, cpu = ours(bench, system)
    requests = server.count()["requests"]
    server.script([])
    server.reset()
    ideal = requests * SECONDS / PLACES
    began = time.process_time()
    theirs = asyncio.run(bare(server.url, requests))
    bare_cpu = time.process_time() - began
    print(
        f"{system}: {TRACES} traces, {requests} requests, ideal {ideal:.1f} s, ours {took:.1f} s ({cpu:.1f} s CPU), "
        f"bare client {theirs:.1f} s ({bare_cpu:.1f} s CPU)"
    )
    row(f"{system}: share of ideal", "openai client, bare", ideal / theirs, ideal / took, TARGET, higher=True)


def main() -> None:
    import openai  # noqa: F401  imported before the clock runs: both sides need it

    head()
    with running(latency=SECONDS) as server, workspace() as bench:
        os.environ |= {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "none"}
        for system in WORKFLOWS:
            measured(bench, server, system)


if __name__ == "__main__":
    main()
