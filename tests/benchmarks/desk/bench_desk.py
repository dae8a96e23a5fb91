"""The desk at a team's pace: from a decision to the next item over the app's routes by many people at once, the CPU that an
item costs the server, and how many people this machine carries; against a run of the page's script for each item."""

import http.client
import json
import os
import random
import sys
import tempfile
import time
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.app_server import Served, started
from tests.benchmarks.desk.bench_queue import fill, share
from tests.benchmarks.table import head, row

ITEMS = 20_000
PEOPLE = (100, 300)
"""At once; the targets of TARGETS_MS belong to them in this order."""
TARGETS_MS = (150.0, 300.0)
"""From the decision to the next item, 95 of 100."""
TARGET_CPU_MS = 12.0
"""Of the server, for each item."""
THINK = 10.0
"""Seconds that a person looks at an item."""
SECONDS = 30.0
"""Of each round."""
RUNS = 15
"""Of the page's script, for its CPU."""
HEADERS = {"content-type": "application/json", "x-benchwright": "desk"}
_TICKS = os.sysconf("SC_CLK_TCK")


def load_cpu_seconds(served: Served) -> float:
    """CPU seconds of the server so far, all its threads together."""
    fields = Path(f"/proc/{served.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


class Annotator:
    """One person with a kept connection, who decides what is on the desk and goes on."""

    def __init__(self, served: Served, name: str) -> None:
        self.name, self.port = name, int(served.url.rsplit(":", 1)[1])
        self.line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.tab, self.took, self.seen = uuid.uuid4().hex, list[float](), list[str]()
        self.desk: dict[str, Any] | None = None

    def post(self, act: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer to one request; the server ends what was idle for seconds, then it is sent anew."""
        for is_last in (False, True):
            try:
                self.line.request("POST", f"/bench/{act}", json.dumps({"person": self.name} | body), HEADERS)
                answer = self.line.getresponse()
                said = json.loads(answer.read())
                if answer.status != 200:
                    raise SystemExit(f"the server said {answer.status}: {said}")
                return dict(said)
            except (http.client.RemoteDisconnected, ConnectionError):
                self.line.close()
                if is_last:
                    raise
        raise AssertionError

    def begin(self) -> None:
        """Take the first item."""
        self.show(self.post("next", {"item": "", "key": uuid.uuid4().hex, "tab": self.tab, "number": 0, "to": "next"})["desk"])

    def show(self, desk: dict[str, Any] | None) -> None:
        """Put what the server answered on the desk."""
        self.desk = desk
        if desk is not None:
            self.seen.append(desk["item"]["id"])

    def decide(self) -> None:
        """Accept the item on the desk; as for the desk's component, the answer holds the next one. The seconds are noted."""
        assert self.desk is not None
        item, visit = self.desk["item"], self.desk["visit"]
        body = {"key": uuid.uuid4().hex, "item": item["id"], "revision": item["revision"], "decision": "accept"}
        body |= {"question": item["question"], "answer": item["answers"][0], "evidence": item["evidence"], "seconds": 1.0}
        body |= {"status": item["status"], "tab": self.tab}
        body |= {"onward": {"key": uuid.uuid4().hex, "tab": self.tab, "number": visit["number"]}}
        began = time.perf_counter()
        self.show(self.post("decide", body)["desk"])
        self.took.append(time.perf_counter() - began)

    def work(self, until: float) -> None:
        """Look, decide and go on, at one's own pace."""
        chance = random.Random(self.name)
        time.sleep(chance.uniform(0, THINK))
        while time.monotonic() < until and self.desk is not None:
            self.decide()
            time.sleep(min(chance.expovariate(1 / THINK), 3 * THINK))


def serve_people(served: Served, many: int) -> tuple[list[float], float]:
    """Seconds from each decision to the next item, and the server's CPU seconds for each item."""
    people = [Annotator(served, f"person {n} of {many}") for n in range(many)]
    for person in people:
        person.begin()
    began = load_cpu_seconds(served)
    until = time.monotonic() + SECONDS
    with ThreadPoolExecutor(many) as pool:
        for done in [pool.submit(person.work, until) for person in people]:
            done.result()
    spent = load_cpu_seconds(served) - began
    took = [seconds for person in people for seconds in person.took]
    every = [item for person in people for item in person.seen]
    if len(set(every)) != len(every):
        raise SystemExit("an item was given to two people")
    if not took:
        raise SystemExit("nothing was decided: let the round last longer")
    return took, spent / len(took)


def run_script(served: Served) -> tuple[float, float]:
    """Seconds, and the server's CPU seconds, of one run of the page Review for a press that leads on."""
    address = f"{served.url}/_stcore/agent/interact"

    def interact(body: dict[str, Any]) -> dict[str, Any]:
        request = urllib.request.Request(address, json.dumps(body).encode(), {"content-type": "application/json"})
        return dict(json.loads(urllib.request.urlopen(request, timeout=60).read()))

    session = interact({})["session_id"]
    interact({"session_id": session, "page": "review"})
    took, began = [], load_cpu_seconds(served)
    for _ in range(RUNS):
        start = time.perf_counter()
        interact({"session_id": session})
        took.append(time.perf_counter() - start)
    return share(took, 0.5), (load_cpu_seconds(served) - began) / RUNS


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "w.duckdb"
        fill(path, ITEMS)
        env = {"STREAMLIT_SERVER_ENABLE_AGENT_API": "true"}
        served = started(path, path.with_suffix(".log"), env=env, is_forked=True)
        try:
            theirs, theirs_cpu = run_script(served)
            rounds = [(many, *serve_people(served, many)) for many in PEOPLE]
        finally:
            served.stop()
    print(
        f"{f'a decision to the next item (ms), {THINK:g} s each':<48}{'n':>7}{'p50':>9}{'p95':>9}{'p99':>9}{'target':>8}  held"
    )
    for (many, took, _), target in zip(rounds, TARGETS_MS, strict=True):
        p50, p95, p99 = (share(took, part) * 1e3 for part in (0.5, 0.95, 0.99))
        held = "yes" if p95 < target else "no"
        print(f"{f'{many} people':<48}{len(took):>7}{p50:>9.1f}{p95:>9.1f}{p99:>9.1f}{target:>8.0f}  {held}")
    _, took, cpu = rounds[0]
    held = "yes" if cpu * 1e3 <= TARGET_CPU_MS else "no"
    print(f"{'CPU of the server for an item (ms)':<48}{len(took):>7}{cpu * 1e3:>9.1f}{'':>18}{TARGET_CPU_MS:>8.0f}  {held}\n")
    head()
    row("CPU of the server for an item (s)", "a run of the page's script", theirs_cpu, cpu, 5.0)
    row("the next item, alone and among many (s)", "a run of the page's script", theirs, share(took, 0.5), 2.0)
    carried = [many for (many, took, _), target in zip(rounds, TARGETS_MS, strict=True) if share(took, 0.95) * 1e3 < target]
    by_cpu = int(THINK / cpu * 0.7)
    print(f"this machine carries {max(carried, default=0):,} people with {THINK:g} s an item; by its CPU alone {by_cpu:,}")


if __name__ == "__main__":
    main()
