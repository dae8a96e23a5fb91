"""The desk at a team's pace: from a decision to the next item over the app's routes by many people at once, the CPU that an
item costs the server, and how many people this machine carries; against a run of the page's script for each item. Then the same
where people sign in: while others sign in with their passwords, against nobody doing so."""

import http.client
import json
import os
import random
import sys
import tempfile
import threading
import time
import urllib.request
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from argon2 import PasswordHasher

from serving.gate.session_cookie import COOKIE
from tests.app_server import Served, started
from tests.benchmarks.desk.bench_queue import fill, share
from tests.benchmarks.table import head, row
from tests.torture.badges import HOME, ask_in
from workbench import Workbench
from workbench.setup.accounts import Accounts

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
SIGN_INS = 10
"""With a password, in each second."""
SIGN_IN_ROUNDS = 2
"""With them and without, in turn."""
NEWCOMER, PASSWORD = "Newcomer", "the password of a benchmark"
HEADERS = {"content-type": "application/json", "x-benchwright": "desk"}
_TICKS = os.sysconf("SC_CLK_TCK")


def load_cpu_seconds(served: Served) -> float:
    """CPU seconds of the server so far, all its threads together."""
    fields = Path(f"/proc/{served.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


class Annotator:
    """One person with a kept connection, who decides what is on the desk and goes on."""

    def __init__(self, served: Served, name: str, session: str = "") -> None:
        self.name, self.port = name, find_port(served)
        self.headers = HEADERS | ({"cookie": f"{COOKIE}={session}"} if session else {})
        self.line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.tab, self.took, self.seen = uuid.uuid4().hex, list[float](), list[str]()
        self.desk: dict[str, Any] | None = None

    def post(self, act: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer to one request; the server ends what was idle for seconds, then it is sent anew."""
        for is_last in (False, True):
            try:
                self.line.request("POST", f"/bench/{act}", json.dumps({"person": self.name} | body), self.headers)
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


def find_port(served: Served) -> int:
    return int(served.url.rsplit(":", 1)[1])


def serve_people(served: Served, people: Sequence[Annotator]) -> tuple[list[float], float]:
    """Seconds from each decision to the next item, and the server's CPU seconds for each item."""
    for person in people:
        person.begin()
    began = load_cpu_seconds(served)
    work_at_once(people)
    spent = load_cpu_seconds(served) - began
    took = [seconds for person in people for seconds in person.took]
    every = [item for person in people for item in person.seen]
    if len(set(every)) != len(every):
        raise SystemExit("an item was given to two people")
    if not took:
        raise SystemExit("nothing was decided: let the round last longer")
    return took, spent / len(took)


def work_at_once(people: Sequence[Annotator]) -> None:
    """Let everybody work for one round."""
    until = time.monotonic() + SECONDS
    with ThreadPoolExecutor(len(people)) as pool:
        for done in [pool.submit(person.work, until) for person in people]:
            done.result()


def add_accounts(path: Path, names: Sequence[str]) -> None:
    """Accounts of the newcomer and of these people, whose own hashes are cheap: only the newcomer's sign-ins are measured."""
    with Workbench.open(path) as bench:
        for name in (NEWCOMER, *names):
            accounts = Accounts(bench.database, None if name == NEWCOMER else PasswordHasher(1, 8, 1))
            is_first = not accounts.has_owner()
            invite = accounts.create_first_link() if is_first else accounts.create_invite("annotator", person=name).secret
            accounts.accept_invite(invite, name, PASSWORD, HOME)


def sign_in_often(port: int, is_over: threading.Event) -> tuple[int, int]:
    """The newcomer signs in SIGN_INS times a second until it is over; how often that was tried, and done."""

    def sign_in() -> bool:
        return bool(ask_in(port, NEWCOMER, PASSWORD)[1])

    with ThreadPoolExecutor(4 * SIGN_INS) as pool:
        tried = []
        while not is_over.wait(1 / SIGN_INS):
            tried.append(pool.submit(sign_in))
        return len(tried), sum(one.result() for one in tried)


def serve_while_others_sign_in(path: Path) -> tuple[list[float], list[float], tuple[int, int]]:
    """Seconds from each decision to the next item while nobody signs in, and while SIGN_INS a second do; how often that was
    tried, and done."""
    names = [f"signed in {n}" for n in range(PEOPLE[0])]
    add_accounts(path, names)
    served = started(path, path.with_suffix(".log"), env={"BENCHWRIGHT_SIGN_IN": "local"}, is_forked=True)
    took: tuple[list[float], list[float]] = ([], [])
    tried = done = 0
    try:
        people = [Annotator(served, name, ask_in(find_port(served), name, PASSWORD)[1]) for name in names]
        for person in people:
            person.begin()
        for number in range(2 * SIGN_IN_ROUNDS):
            is_over = threading.Event()
            with ThreadPoolExecutor(1) as pool:
                others = pool.submit(sign_in_often, find_port(served), is_over) if number % 2 else None
                work_at_once(people)
                is_over.set()
                if others:
                    tried, done = (sum(pair) for pair in zip((tried, done), others.result(), strict=True))
            for person in people:
                took[number % 2].extend(person.took)
                person.took.clear()
    finally:
        served.stop()
    return *took, (tried, done)


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
            groups = [[Annotator(served, f"person {n} of {many}") for n in range(many)] for many in PEOPLE]
            rounds = [(len(people), *serve_people(served, people)) for people in groups]
        finally:
            served.stop()
        quiet, busy, (tried, done) = serve_while_others_sign_in(path)
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
    what = f"p95 at {SIGN_INS} sign-ins a second (s), {done} of {tried} done"
    row(what, f"nobody signs in, {PEOPLE[0]} people", share(quiet, 0.95), share(busy, 0.95), 1 / 1.2)
    carried = [many for (many, took, _), target in zip(rounds, TARGETS_MS, strict=True) if share(took, 0.95) * 1e3 < target]
    by_cpu = int(THINK / cpu * 0.7)
    print(f"this machine carries {max(carried, default=0):,} people with {THINK:g} s an item; by its CPU alone {by_cpu:,}")


if __name__ == "__main__":
    main()
