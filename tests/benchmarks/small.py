"""Every benchmark at sizes at which its figures mean nothing, in a minute: whether it still runs and prints its table.
`make bench-smoke`."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from tests.benchmarks.run import ONE_THREAD  # noqa: E402

SIZES: dict[str, dict[str, object]] = {
    "absence": {"PASSAGES": 600, "GOLDS": 60, "SAMPLE": 20},
    "app": {"SIZES": (20, 40), "ROUNDS": 2, "PAGES": {"Home": "", "Review": "review"}},
    "chunks": {"CHARACTERS": 6_000, "ROUNDS": 1},
    "cli": {"ROUNDS": 1},
    "construction": {"DOCUMENTS": 1_200, "QUESTIONS": 300, "SOURCES": 200, "SUBSET": 100},
    "crag": {"SIZE": 3_000, "FEW": 1, "MOST": 2},
    "desk": {"ITEMS": 1_200, "PEOPLE": (3, 4), "THINK": 0.3, "SECONDS": 2.0, "RUNS": 2, "SIGN_INS": 3, "SIGN_IN_ROUNDS": 1},
    "effect": {"DECISIONS": 600, "WORLDS": 2, "RESAMPLES": 100},
    "embeddings": {"TEXTS": 6, "ROUNDS": 1},
    "engines": {"CHUNKS": 1_000, "DIMENSIONS": 8, "QUERIES": 3},
    "gather": {"QUESTIONS": 800, "SCORES": 2, "ASKED": 8, "LATENCY": 0.0},
    "generation": {"REQUESTS": 3, "TOKENS": 4, "WIDTH": 64, "LAYERS": 1, "ROUNDS": 1},
    "half_life": {"WORLDS": 3, "ANSWERS": 60},
    "marking": {"ANSWERS": 2_000, "WORLDS": 2, "QUESTIONS": 300, "LOOKS": 5},
    "metrics": {"PAIRS": 5, "MANY": 20, "ROUNDS": 1},
    "names": {"NAMES": 500, "ASKED": 5},
    "noise": {"N": 50},
    "queue": {
        "PEOPLE": 3,
        "THINK": 1.0,
        "HOT": 4,
        "WRITERS": 3,
        "WRITES": 3,
        "ITEMS": 1_200,
        "SMALL": 4_000,
        "LARGE": 8_000,
        "EACH": 2,
        "SECONDS": 4.0,
        "ROUNDS": 3,
    },
    "robustness": {"FAMILIES": 100, "TEXTS": 200, "ITEMS": 50},
    "runner": {"SECONDS": 0.01, "ROUNDS": 1},
    "runner_client": {"SECONDS": 0.01, "ROUNDS": 1},
    "search": {"PASSAGES": 300, "VOCABULARY": 300, "VECTORS": 300, "QUERIES": 8, "DOCUMENTS": 100, "CHUNKS": 300},
    "shortcuts": {"PASSAGES": 200, "ITEMS": 20, "ASKED": 2},
    "statistics": {"ITEMS": 30, "SYSTEMS": 3, "METRICS": 2, "CELLS_BY_SCIPY": 1, "LARGE": 200},
    "store": {"THREADS": 2, "WRITES": 3, "ROWS": 20, "ROUNDS": 1},
    "templates": {"ENTITIES": 300, "EACH": 20, "LOOPED": 5},
    "text": {"CHARACTERS": 3_000},
    "tiny": {
        "ITEMS": 120,
        "WORLDS": 1,
        "FRESH": 3,
        "SYSTEMS": (3, 5),
        "SIZES": (40, 60),
        "RESAMPLES": 50,
        "SAMPLES": 2,
        "POPULATIONS": ("2PL", "specialists"),
    },
    "workflows": {"SECONDS": 0.01, "TRACES": 8, "PLACES": 2},
}
"""Benchmark -> its constants that say how much it does."""
GROUPS = (
    ("app", "desk", "queue"),
    (
        "absence",
        "chunks",
        "half_life",
        "effect",
        "marking",
        "names",
        "robustness",
        "runner",
        "search",
        "shortcuts",
        "statistics",
        "store",
        "templates",
    ),
    ("embeddings", "engines", "generation", "metrics", "noise", "text"),
    ("cli", "construction", "crag", "gather", "runner_client", "tiny", "workflows"),
)
"""Benchmarks that share a process here, so that packages are loaded once for each group."""
CODE = """
import importlib, json, os, sys
from tests.benchmarks.run import find_benchmarks
files = find_benchmarks()
for name, sizes in json.loads(sys.argv[1]).items():
    print("==", name)
    benchmark = importlib.import_module(f"tests.benchmarks.{files[name].parent.name}.bench_{name}")
    for constant, value in sizes.items():
        assert hasattr(benchmark, constant), (name, constant)
        setattr(benchmark, constant, tuple(value) if isinstance(value, list) else value)
    benchmark.main()
    sys.stdout.flush()
os._exit(0)
"""


def run_small(names: Iterable[str]) -> None:
    """Run these benchmarks in one process; each must print its table."""
    sizes = {name: SIZES[name] for name in names}
    done = subprocess.run(
        [sys.executable, "-c", CODE, json.dumps(sizes)],
        cwd=ROOT,
        env=os.environ | ONE_THREAD | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-3000:]
    tables = dict(block.split("\n", 1) for block in done.stdout.removeprefix("== ").split("\n== "))
    assert list(tables) == list(sizes)
    for name, table in tables.items():
        lines = table.splitlines()
        assert any(line.rstrip().endswith("held") or "held   " in line for line in lines), (name, table)
        assert any(line.split()[-1] in ("yes", "no") or " yes " in line or " no " in line for line in lines if line.strip())


def main() -> int:
    """The exit code is the number of groups in which a benchmark broke."""
    broken = 0
    for group in GROUPS:
        try:
            run_small(group)
        except AssertionError as error:
            broken += 1
            print(f"One of {', '.join(group)} broke: {error}", file=sys.stderr, flush=True)
        else:
            print(f"{', '.join(group)}: each printed its table", flush=True)
    return broken


if __name__ == "__main__":
    sys.exit(main())
