"""Runs a whole project at two sizes, one process for each verb, and prints what an item costs at each. A verb holds its row if
an item of the large project costs at most 1.5 times what an item of the small one does. With a folder to keep, a run that was
broken off goes on after the last step that ended.

    python tests/scale/run.py [--small 10000] [--large 1000000] [--shards 8] [--keep FOLDER]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST = 1.5
"""An item of the large project may cost so many times what one of the small project does."""
DECISIONS, TAKEN = 10, 200
"""Decisions on each item; items that a person takes from the queue, one after the other."""
ONE_CALL = ("next item", "open pages", "gather again")
"""Steps that are one look at the project: the whole step is compared, not its share of an item."""
RUN = ("--system", "closed_book", "--agent", "offline", "--metrics", "exact_match")


@dataclass(frozen=True)
class Cost:
    """What one command took: seconds of the clock and of the processor, and the most MB that it held. Of a step with several
    commands: seconds from its beginning to its end, their seconds of the processor together, and the most that one held."""

    seconds: float
    processor: float
    memory: float


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    parser.add_argument("--small", type=int, default=10_000)
    parser.add_argument("--large", type=int, default=1_000_000)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument(
        "--keep", type=Path, help="Folder in which the projects and their costs stay; default: one that is removed"
    )
    options = parser.parse_args(arguments)
    sizes = (options.small, options.large)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        costs = [run_project(folder / str(size), size, options.shards) for size in sizes]
        stored = [(folder / str(size) / "w.duckdb").stat().st_size / size for size in sizes]
    print_table(sizes, costs, stored)
    return 0


def run_project(folder: Path, size: int, shards: int) -> dict[str, Cost]:
    """Return step -> its cost, for a project of so many documents and items. Steps whose cost stands in the folder are done."""
    folder.mkdir(parents=True, exist_ok=True)
    stored = folder / "costs.json"
    costs = {name: Cost(**cost) for name, cost in json.loads(stored.read_text()).items()} if stored.exists() else {}
    for name, commands in list_steps(folder, size, shards):
        if name not in costs:
            costs[name] = run_step(commands)
            stored.write_text(json.dumps({name: asdict(cost) for name, cost in costs.items()}))
        cost = costs[name]
        print(f"{size:>10,}  {name:<14}{cost.seconds:>9.1f} s{cost.processor:>9.1f} s{cost.memory:>9.0f} MB", flush=True)
    return costs


def run_step(commands: Iterable[Sequence[object]]) -> Cost:
    """Run the commands of a step, as many at once as there are cores, and return their cost together."""
    began = time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        costs = list(threads.map(run_command, commands))
    return Cost(time.perf_counter() - began, sum(cost.processor for cost in costs), max(cost.memory for cost in costs))


def list_steps(folder: Path, size: int, shards: int) -> Iterator[tuple[str, Iterable[Sequence[object]]]]:
    """Yield (name, its commands) for each step of a project, in order."""
    workspace, squad, release = folder / "w.duckdb", folder / "squad.json", folder / "release"
    parts = [folder / "shards" / str(number) for number in range(shards)]

    def verb(*words: object) -> list[Sequence[object]]:
        return [("cli.py", *words, "--workspace", workspace)]

    yield "make", [("tests/scale/made_project.py", "write_squad", squad, size)]
    yield "import", verb("import", squad, "--format", "squad")
    yield "wait", [("tests/scale/made_project.py", "wait_for_review", workspace)]
    yield "next item", [("tests/scale/made_project.py", "take_items", workspace, TAKEN)]
    yield "decide", [("tests/scale/made_project.py", "add_decisions", workspace, DECISIONS)]
    yield "agreement", verb("agreement", "--json")
    yield "open pages", [("tests/scale/made_project.py", "open_pages", workspace)]
    yield "items", verb("items", "--json")
    yield "freeze", verb("freeze", "v1", "--allow-unlicensed", "made")
    yield "verify", verb("verify", "v1")
    yield "export", verb("export", "v1", release, "--format", "parquet")
    yield (
        "run",
        [("cli.py", "run", release, *RUN, "--shard", f"{number}/{shards}", "--out", part) for number, part in enumerate(parts)],
    )
    yield "gather", verb("gather", *parts)
    yield "gather again", verb("gather", *parts)
    yield "report", verb("report", find_run(workspace))


def find_run(workspace: Path) -> str:
    """Return the id of the newest run."""
    command = [sys.executable, "cli.py", "runs", "--json", "--workspace", workspace]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return str(json.loads(printed)[0]["id"])


def run_command(command: Sequence[object]) -> Cost:
    """Run a script of the checkout with its arguments in a process of its own and return its cost."""
    began = time.perf_counter()
    words = [sys.executable, *map(str, command)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(words, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=said) as process,
    ):
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        last = said.read().decode(errors="replace").strip().splitlines()[-1:]
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {process.returncode}: {' '.join(last)}")
    return Cost(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def print_table(sizes: Sequence[int], costs: Sequence[Mapping[str, Cost]], stored: Sequence[float]) -> None:
    """Print what each step costs at both sizes, by seconds of the processor, and whether the row holds."""
    print(f"\n{os.cpu_count()} cores. Seconds of the processor, and the most memory of one process at each size:\n")
    print(f"{'step':<14}{'per':<6}{sizes[0]:>12,}{sizes[1]:>12,}{'ratio':>8}{'target':>8}  held{'MB':>10}{'MB':>8}")
    small, large = costs
    for name in small:
        parts = (1, 1) if name in ONE_CALL else sizes
        values = [cost[name].processor / part * 1e3 for cost, part in zip(costs, parts, strict=True)]
        ratio = values[1] / values[0]
        target = f"{MOST:>8.1f}  {'yes' if ratio <= MOST else 'no':<4}"
        per = "call" if name in ONE_CALL else "item"
        memory = f"{small[name].memory:>10.0f}{large[name].memory:>8.0f}"
        print(f"{name:<14}{per:<6}{values[0]:>9.3f} ms{values[1]:>9.3f} ms{ratio:>8.2f}{target}{memory}")
    print(f"{'stored':<14}{'item':<6}{stored[0]:>10.0f} B{stored[1]:>10.0f} B{stored[1] / stored[0]:>8.2f}")


if __name__ == "__main__":
    sys.exit(main())
