"""The queue at speed: 20 people on the workbench's verbs without think time, and through the real server with it; the next item
and a page in the store at 1,000,000 items; small writes on hot items against a cursor for each thread with retries."""

import contextlib
import http.client
import json
import os
import random
import shutil
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from builders.drafting.samples import sample_documents, sample_items
from core.as_json import as_json
from core.nouns import Decision, Span
from store.corpus import documents
from store.engine.columns import current_time
from store.engine.database import Cursor, Database
from store.items import items
from store.queue import next_item
from store.queue.kind import ItemKind
from store.reviews import state
from tests.app_server import started
from tests.benchmarks.table import head, row
from workbench import Workbench
from workbench.annotate.desk.desk_data import describe_item
from workbench.annotate.reviewing.reviews import DecisionRequest, UnsentEdit

PEOPLE = 20
THINK = 2.0
"""Seconds between two acts of a person at the server, on average (exponential)."""
HOT, WRITERS, WRITES = 20, 16, 60
"""Hot items, threads on them, and writes of each thread."""
ITEMS, SMALL, LARGE = 100_000, 10_000, 1_000_000
EACH = 30
"""Decisions of each person without think time."""
SECONDS = 40.0
"""At the server."""
HEADERS = {"content-type": "application/json", "x-benchwright": "desk"}
FRONT = 40
"""Everybody at the server takes one of so many items at the head of the queue: people meet."""
ROUNDS = 60
REVIEW = """INSERT INTO review (id, number, item, revision, person, decision, reason, comment, made_at)
    VALUES (?, 1, ?, 1, 'ann', 'accept', '', '', '')"""
STATE = "UPDATE state SET latest = latest + 1 WHERE item = ?"


class Done(NamedTuple):
    """What one person noted of one decision."""

    person: str
    item: str
    key: str
    decision: Decision
    words: str


def fill(path: Path, size: int) -> None:
    """A workspace of so many waiting items over the sample documents: the first thousand come in by the front door, the others
    are rows like theirs."""
    with Workbench.open(path) as bench:
        found = sample_documents()
        documents.add(bench.database, found)
        models = sample_items(found)
        first = min(size, 1000)
        items.add(
            bench.database,
            [
                replace(
                    models[n % len(models)],
                    id=f"item-{n}",
                    question=f"{models[n % len(models)].question} ({n})",
                    status="drafted",
                )
                for n in range(first)
            ],
        )

        def copy(cursor: Cursor) -> None:
            times = f"(SELECT unnest(range(1, {size // first})) AS k)"
            more, other = f"number + k * {first} AS number", "item || '-' || k AS item"
            cursor.execute(f"""
                INSERT INTO state BY NAME
                SELECT * EXCLUDE (k) REPLACE ({more}, {other}) FROM state, {times} ORDER BY number""")
            cursor.execute(f"""
                INSERT INTO revision BY NAME
                SELECT * EXCLUDE (k) REPLACE ({more}, {other}, item || '-' || k || '@1' AS key, question || k AS question)
                FROM revision, {times} ORDER BY number""")

        bench.database.write(copy)


def share(values: Sequence[float], part: float) -> float:
    """The value that this part of them does not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def told(what: str, values: Sequence[float], most: float | None = None) -> None:
    """One line of milliseconds; `most` is what 95 of 100 may take, in seconds."""
    p50, p95, p99 = (share(values, part) * 1e3 for part in (0.5, 0.95, 0.99))
    target = "" if most is None else f"{most * 1e3:>8.0f}  {'yes' if p95 <= most * 1e3 else 'no'}"
    print(f"{what:<48}{len(values):>7}{p50:>9.1f}{p95:>9.1f}{p99:>9.1f}{target}", flush=True)


def titled(what: str) -> None:
    names = f"{'n':>7}{'p50':>9}{'p95':>9}{'p99':>9}{'target':>8}  held"
    print(f"\n{f'{what} (ms)':<48}{names}    load {os.getloadavg()[0]:.1f}", flush=True)


def timed(into: list[float], act: Callable[..., Any], *given: Any) -> Any:
    """What the act returns; its seconds go into the list."""
    began = time.perf_counter()
    result = act(*given)
    into.append(time.perf_counter() - began)
    return result


def together(act: Callable[[int], Any], many: int) -> list[Any]:
    """The act by so many threads that begin at once; their results."""
    gate = threading.Barrier(many)

    def work(n: int) -> Any:
        gate.wait()
        return act(n)

    with ThreadPoolExecutor(many) as pool:
        return [future.result() for future in [pool.submit(work, n) for n in range(many)]]


def press(person: str, item: dict[str, Any], n: int) -> DecisionRequest:
    """Every fifth decision is a discard, every third of the others an edit."""
    decision: Decision = "discard" if n % 5 == 4 else "accept"
    words = f"{item['question']} Says {person}." if decision == "accept" and n % 3 == 0 else item["question"]
    evidence = tuple(Span(one["document"], one["start"], one["end"]) for one in item["evidence"])
    return DecisionRequest(
        uuid.uuid4().hex,
        person,
        item["id"],
        item["revision"],
        decision,
        words,
        item["answers"][0],
        evidence,
        reason="No use." if decision == "discard" else "",
        seconds=1.0,
        seen=item["status"],
    )


def on_the_verbs(path: Path, each: int) -> None:
    """Every person takes, reads, types and decides as fast as the workbench lets them."""
    took: dict[str, list[float]] = {"next": [], "desk": [], "keep": [], "save": []}
    with Workbench.open(path) as bench:

        def person(n: int) -> list[Done]:
            name, item = f"person {n}", None
            log: list[Done] = []
            for k in range(each):
                item = timed(took["next"], bench.reviews.find_next, ItemKind(), name, item)
                made = press(name, as_json(timed(took["desk"], bench.reviews.desk, item, name).item), k)
                words = UnsentEdit(name, item, made.revision, made.question, made.answer, made.evidence, 1.0)
                timed(took["keep"], bench.reviews.keep, words)
                timed(took["save"], bench.reviews.settle, made)
                log.append(Done(name, item, made.key, made.decision, made.question))
            return log

        began = time.perf_counter()
        logs = together(person, PEOPLE)
        lasted = time.perf_counter() - began
    titled(f"{PEOPLE} threads on the verbs, no think time")
    told("next item, held", took["next"], 0.3)
    told("the desk's reading", took["desk"])
    told("what is typed, kept", took["keep"], 0.1)
    told("a decision, stored", took["save"], 0.1)
    print(f"{len(took['save']) / lasted:.0f} decisions a second")
    checked(path, [one for log in logs for one in log])


def checked(path: Path, log: Sequence[Done]) -> None:
    """Nothing lost, nothing doubled: what each noted against what the workspace holds. Ends the benchmark when it is not so."""
    with Database.open(path) as database:
        stored = {
            key: rest
            for key, *rest in database.rows(
                """
                SELECT r.id, r.item, r.person, r.decision, w.question, s.status, s.revision = r.revision
                FROM review r
                JOIN revision w ON w.key = r.item || '@' || r.revision
                JOIN state s ON s.item = r.item
                """
            )
        }
        [(twice,)] = database.rows("SELECT count(*) FROM (SELECT item FROM review GROUP BY item HAVING count(*) > 1)")
        [(numbers, reviews)] = database.rows("SELECT count(DISTINCT number), count(*) FROM review")
        left = len({(one.person, one.item) for one in log} & set(database.rows("SELECT person, item FROM scratch")))
        differences = state.list_differences(database)
    words = {"accept": "accepted", "discard": "discarded"}
    lost = [
        one for one in log if stored.get(one.key) != [one.item, one.person, one.decision, one.words, words[one.decision], True]
    ]
    double = len(log) - len({one.item for one in log})
    print(
        f"lost {len(lost)}, unknown {len(stored) - len(log)}, double assigned {double}, decided twice {twice}, "
        f"numbers twice {reviews - numbers}, scratch left {left}, states that the history does not give "
        f"{len(differences)}"
    )
    if lost or len(stored) != len(log) or double or twice or reviews != numbers or left or differences:
        raise SystemExit("the queue lost or doubled something")


def at_the_server(path: Path, seconds: float, think: float) -> None:
    """The same by the app's own routes: an item is held, typed on and decided."""
    with Workbench.open(path) as bench:
        waiting = [
            as_json(describe_item(item))
            for item in items.list_items(bench.database, status="drafted", limit=int(PEOPLE * seconds))
        ]
    took: dict[str, list[float]] = {"hold": [], "scratch": [], "decide": []}
    lock = threading.Lock()
    served = started(path, path.with_suffix(".log"), is_forked=True)

    def person(n: int) -> list[Done]:
        name, chance = f"person {n}", random.Random(n)
        log: list[Done] = []
        line = http.client.HTTPConnection("127.0.0.1", int(served.url.rsplit(":", 1)[1]), timeout=60)

        def post(act: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
            time.sleep(chance.expovariate(1 / think) if think else 0)
            return timed(took[act], send, act, body)  # type: ignore[no-any-return]

        def send(act: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
            for is_last in (False, True):
                try:
                    line.request("POST", f"/bench/{act}", json.dumps(body), HEADERS)
                    answer = line.getresponse()
                    return answer.status, json.loads(answer.read())
                except (http.client.RemoteDisconnected, ConnectionError):  # the server ends what was idle for seconds
                    line.close()
                    if is_last:
                        raise
            raise AssertionError

        while time.monotonic() < until:
            with lock:
                item = chance.choice(waiting[:FRONT])
            if post("hold", {"person": name, "item": item["id"]})[1]["held"]:
                continue
            made = press(name, item, len(log))
            words = {
                "person": name,
                "item": made.item,
                "revision": made.revision,
                "question": made.question,
                "answer": made.answer,
                "evidence": item["evidence"],
                "seconds": 1.0,
            }
            post("scratch", words)
            status, said = post(
                "decide", {**words, "key": made.key, "decision": made.decision, "reason": made.reason, "status": made.seen}
            )
            if status == 200:
                log.append(Done(name, made.item, made.key, made.decision, made.question))
                with lock:
                    waiting.remove(item)
            elif said.get("kind") not in ("conflict", "held"):
                raise SystemExit(f"the server said {status}: {said}")
        return log

    try:
        until = time.monotonic() + seconds
        logs = together(person, PEOPLE)
    finally:
        served.stop()
    titled(f"{PEOPLE} people at the server, {think:g} s think time")
    told("an item, held", took["hold"], 0.3)
    told("what is typed, kept", took["scratch"], 0.1)
    told("a decision, stored", took["decide"], 0.1)
    checked(path, [one for log in logs for one in log])


def in_the_store(small: Path, large: Path) -> None:
    """The next item and a filtered page, at both sizes in turn."""
    took: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in ("free", "claim", "page")}
    with Database.open(small) as one, Database.open(large) as other:
        at: dict[int, str | None] = {0: None, 1: None}
        for n in range(ROUNDS):
            for place, database in enumerate((one, other)):
                timed(took["free"][place], next_item.list_free_items, database, ItemKind(), "ann", current_time(), at[place])
                began = time.perf_counter()
                at[place] = next_item.claim(database, ItemKind(), "ann", at=current_time(), minutes=15, after=at[place])
                took["claim"][place].append(time.perf_counter() - began)
                began = time.perf_counter()
                found = items.list_items(
                    database, task="explicit_factoid", status="drafted", limit=50, after=f"item-{n * 7}-{n % 9 + 1}"
                )
                took["page"][place].append(time.perf_counter() - began)
                if len(found) != 50:
                    raise SystemExit(f"a page of {len(found)}")
    sizes = f"{f'{SMALL:,}':>11}{f'{LARGE:,}':>11}"
    print(f"\n{'in the store (ms, p50)':<36}{sizes}{'ratio':>8}{'target':>20}  held    load {os.getloadavg()[0]:.1f}")
    names = {"free": "next item, looked for", "claim": "next item, claimed and on the disk", "page": "a page of 50, filtered"}
    for name, (few, many) in took.items():
        a, b = (share(values, 0.5) * 1e3 for values in (few, many))
        held = "yes" if b < 10 and b <= 3 * a else "no"
        print(f"{names[name]:<36}{a:>11.2f}{b:>11.2f}{b / a:>8.2f}{'10 ms, ratio 3':>20}  {held}", flush=True)


def on_hot_items(folder: Path) -> None:
    """A review and a state on few items by many threads: the one writer against a cursor for each thread with retries."""
    fill(folder / "hot.duckdb", 1000)
    rounds = []
    for n in range(3):
        files = [shutil.copy(folder / "hot.duckdb", folder / f"{who}{n}.duckdb") for who in ("peer", "ours")]
        rounds.append((by_cursors(files[0]), by_the_writer(files[1])))
    many = WRITERS * WRITES
    theirs, conflicts = min(r[0] for r in rounds)
    ours = min(r[1] for r in rounds)
    print()
    head()
    row(
        f"a small write, {WRITERS} threads on {HOT} hot items",
        f"cursors, {conflicts / many:.0%} tried again",
        theirs / many,
        ours / many,
        1.9,
    )


def small_writes(write: Callable[[str, str], None]) -> float:
    """Seconds for every thread to have all its writes on the disk."""

    def work(thread: int) -> None:
        chance = random.Random(thread)
        for n in range(WRITES):
            write(f"{thread}-{n}", f"item-{chance.randrange(HOT)}")

    began = time.perf_counter()
    together(work, WRITERS)
    return time.perf_counter() - began


def by_the_writer(file: Path) -> float:
    with Database.open(file) as database:

        def write(key: str, item: str) -> None:
            database.write(lambda cursor: (cursor.execute(REVIEW, [key, item]), cursor.execute(STATE, [item])))

        return small_writes(write)


def by_cursors(file: Path) -> tuple[float, int]:
    """Seconds, and how often a conflict had a write tried again."""
    local, again = threading.local(), []
    with duckdb.connect(str(file)) as root:

        def write(key: str, item: str) -> None:
            if not hasattr(local, "cursor"):
                local.cursor = root.cursor()
            while True:
                try:
                    local.cursor.execute("BEGIN")
                    local.cursor.execute(REVIEW, [key, item])
                    local.cursor.execute(STATE, [item])
                    local.cursor.execute("COMMIT")
                    return
                except duckdb.TransactionException:
                    again.append(key)
                    with contextlib.suppress(duckdb.Error):  # a failed COMMIT has ended it
                        local.cursor.execute("ROLLBACK")

        return small_writes(write), len(again)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder / "w.duckdb", ITEMS)
        shutil.copy(folder / "w.duckdb", folder / "served.duckdb")
        on_the_verbs(folder / "w.duckdb", EACH)
        at_the_server(folder / "served.duckdb", SECONDS, THINK)
        fill(folder / "small.duckdb", SMALL)
        fill(folder / "large.duckdb", LARGE)
        in_the_store(folder / "small.duckdb", folder / "large.duckdb")
        on_hot_items(folder)


if __name__ == "__main__":
    main()
