"""kill -9 of the process that writes: what it acknowledged is there, and the workspace opens."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from store.engine.database import Database
from workbench import Workbench

ROOT = Path(__file__).parents[3]
ACKNOWLEDGED = (30, 30, 220, 30, 30, 30)
"""Acknowledgements waited for before each kill."""

CHILD = """
import sys, threading
from store.engine.database import Database

database, life = Database.open(sys.argv[1]), sys.argv[2]

def pair(key):
    def write(cursor):
        cursor.execute("INSERT INTO setting VALUES (?, ?)", [key, "x" * 100000])
        cursor.execute("INSERT INTO tried VALUES ('t', ?, 'j')", [key])
        cursor.execute("INSERT INTO setting VALUES ('last', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", [key])
    return write

def work(thread):
    n = 0
    while True:
        key = f"{life}-{thread}-{n}"
        database.write(pair(key))
        sys.stdout.write(key + "\\n")
        sys.stdout.flush()
        n += 1

for thread in range(4):
    threading.Thread(target=work, args=(thread,), daemon=True).start()
threading.Event().wait()
"""


FREEZING = """
import sys
from workbench import Workbench

with Workbench.open(sys.argv[1]) as bench:
    for n in range(1000):
        bench.releases.freeze(f"v{sys.argv[2]}-{n}")
        print(n, flush=True)
"""


@pytest.mark.fault(34)
def test_a_release_that_was_being_frozen_is_whole_or_not_there(workspace: Path) -> None:
    """Killed at several moments of a freeze, counted from the one before."""
    acknowledged = set()
    for life, wait in enumerate((0.0, 0.002, 0.01, 0.03)):
        command = [sys.executable, "-c", FREEZING, str(workspace), str(life)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            acknowledged |= {f"v{life}-{child.stdout.readline().strip()}" for _ in range(2)}
            time.sleep(wait)  # the moment of the kill
            child.kill()
    with Workbench.open(workspace) as bench:
        made = {row.name: row for row in bench.release_browser.list_releases()}
        assert acknowledged <= set(made) and len(made) <= len(acknowledged) + 4 * 60
        assert {(row.items, row.documents) for row in made.values()} == {(40, 8)}
        assert all(bench.releases.verify(name).ok for name in (min(made), max(made)))
    assert len({row.hash for row in made.values()}) == 1


EXPORTING = """
import os, sys
from dataclasses import replace
from pathlib import Path
from workbench import Workbench
from workbench.release import exporting

bench = Workbench.open(sys.argv[1])
bench.releases.freeze("v1")
form = exporting.formats()["jsonl"]
exporting.formats = lambda: {"jsonl": replace(form, write=lambda *given: (form.write(*given), os._exit(9)))}
bench.releases.export("v1", "jsonl", Path(sys.argv[2]))
"""


@pytest.mark.fault(34)
def test_an_export_that_was_killed_leaves_no_hidden_folder(workspace: Path, tmp_path: Path) -> None:
    out = tmp_path / "elsewhere" / "out"
    command = [sys.executable, "-c", EXPORTING, str(workspace), str(out)]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 9
    assert [path.name[:5] for path in out.parent.iterdir()] == [".out."]
    packing = workspace.with_name(f"{workspace.name}.exports") / "tmp1" / "v1"
    packing.mkdir(parents=True)  # as an app that is killed while it packs
    with Workbench.open(workspace):
        assert list(out.parent.iterdir()) == [] and not packing.parent.parent.exists()


@pytest.mark.fault(34)
def test_nothing_acknowledged_is_missing_after_kills(tmp_path: Path) -> None:
    """100 kB a write, so that the automatic checkpoint (at 16 MB of log) falls into the third life."""
    file, acknowledged = tmp_path / "w.duckdb", set[str]()
    for life, count in enumerate(ACKNOWLEDGED):
        command = [sys.executable, "-c", CHILD, str(file), str(life)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            for _ in range(count):
                acknowledged.add(child.stdout.readline().strip())
            child.kill()
            # A line may be cut by the kill: only whole ones are acknowledgements.
            acknowledged |= {line.strip() for line in child.stdout.read().splitlines(keepends=True) if line.endswith("\n")}
    with Database.open(file) as database:
        stored = {row[0] for row in database.rows("SELECT key FROM setting WHERE key <> 'last'")}
        tried = {row[0] for row in database.rows("SELECT place FROM tried")}
    assert len(acknowledged) >= sum(ACKNOWLEDGED) and "" not in acknowledged
    assert acknowledged - stored == set()
    assert stored == tried, "a transaction was torn"
    in_flight = len(stored - acknowledged)
    assert in_flight <= 4 * len(ACKNOWLEDGED), "more was in flight than there were writers"
