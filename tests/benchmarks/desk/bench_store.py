"""The store's writes: group commit by one writer thread against a commit for each write, 16 threads that each wait for the
disk; and sets of rows against executemany."""

import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.nouns import Trace
from store.engine.database import Database
from store.runs import runs

THREADS = 16
WRITES = 40
"""By each thread."""
ROWS = 2000
ROUNDS = 3
"""The best of so many is taken on both sides, in turn."""
REVIEW = """INSERT INTO review (id, number, item, revision, person, decision, reason, comment, made_at)
    VALUES (?, 1, 'i', 1, 'ann', 'accept', '', '', '')"""
STATE = """INSERT INTO state (item, number, revision, status, task, domain, language)
    VALUES (?, 1, 1, 'accepted', 't', 'general', 'en')"""

TRACE = "run, item, variant, number, answer, retrieved, steps, calls, tokens_in, tokens_out, seconds, stop, error"


def threads(write: Callable[[str], None]) -> float:
    """Seconds for every thread to have all its writes on the disk."""

    def work(thread: int) -> None:
        for n in range(WRITES):
            write(f"{thread}-{n}")

    workers = [threading.Thread(target=work, args=(n,)) for n in range(THREADS)]
    began = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return time.perf_counter() - began


def grouped(file: Path) -> float:
    with Database.open(file) as database:

        def write(key: str) -> None:
            database.write(lambda cursor: (cursor.execute(REVIEW, [key]), cursor.execute(STATE, [key])))

        return threads(write)


def one_by_one(file: Path) -> float:
    """A lock around a transaction of one's own, on a cursor of one's own."""
    Database.open(file).close()
    lock, local = threading.Lock(), threading.local()
    with duckdb.connect(str(file)) as root:

        def write(key: str) -> None:
            with lock:
                if not hasattr(local, "cursor"):
                    local.cursor = root.cursor()
                local.cursor.execute("BEGIN")
                local.cursor.execute(REVIEW, [key])
                local.cursor.execute(STATE, [key])
                local.cursor.execute("COMMIT")

        return threads(write)


def sets(file: Path) -> float:
    traces = [Trace("r", str(n), None, "an answer", (), (), 1, 10, 5, 0.5) for n in range(ROWS)]
    with Database.open(file) as database:
        began = time.perf_counter()
        runs.add_traces(database, traces)
        return time.perf_counter() - began


def executemany(file: Path) -> float:
    rows = [["r", str(n), "", n, "an answer", "[]", "[]", 1, 10, 5, 0.5, "answered", None] for n in range(ROWS)]
    sql = f"INSERT INTO trace ({TRACE}) VALUES ({', '.join('?' * 13)}) ON CONFLICT DO NOTHING"
    Database.open(file).close()
    with duckdb.connect(str(file)) as connection:
        began = time.perf_counter()
        connection.execute("BEGIN")
        connection.executemany(sql, rows)
        connection.execute("COMMIT")
        return time.perf_counter() - began


def compared(label: str, peer: Callable[[Path], float], ours: Callable[[Path], float], count: int, target: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rounds = [(peer(Path(folder, f"p{n}.duckdb")), ours(Path(folder, f"o{n}.duckdb"))) for n in range(ROUNDS)]
    theirs, own = min(r[0] for r in rounds) / count, min(r[1] for r in rounds) / count
    held = "yes" if theirs / own >= target else "no"
    print(f"{label:<50}{theirs * 1e6:>8.0f}{own * 1e6:>8.0f}{theirs / own:>8.1f}{target:>8.1f}  {held}")


def main() -> None:
    print(f"{'store (us)':<50}{'peer':>8}{'ours':>8}{'ratio':>8}{'target':>8}  held")
    compared("a commit per write / group commit, 16 threads", one_by_one, grouped, THREADS * WRITES, 1.3)
    compared("executemany / rows as a set, a trace", executemany, sets, ROWS, 10)


if __name__ == "__main__":
    main()
