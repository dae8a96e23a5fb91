"""Every benchmark in the folders beside this file, one after the other: peer, ours, ratio, target, held or
not. `make bench`."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Ratios are of one thread: two that wait for one another count twice, and by how busy the machine is."""


def find_benchmarks() -> dict[str, Path]:
    """A dict from the name of each benchmark to its file, by folder."""
    return {path.stem.removeprefix("bench_"): path for path in sorted(HERE.glob("*/bench_*.py"))}


def main() -> int:
    """Each benchmark in a process of its own, so that none warms up another; the exit code is the number that broke."""
    broken = 0
    for name, path in find_benchmarks().items():
        print(f"\n== {name}", flush=True)
        env = os.environ | ONE_THREAD | {"PYTHONPATH": str(ROOT)}
        done = subprocess.run([sys.executable, path], cwd=ROOT, env=env, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:  # else progress bars, and what of its objects a library did not free: no part of the table
            broken += 1
            print(done.stderr, file=sys.stderr, flush=True)
    return broken


if __name__ == "__main__":
    sys.exit(main())
