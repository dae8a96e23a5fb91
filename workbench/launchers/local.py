"""Run shards as processes on this machine, several at the same time. A process that was killed is started again once."""

import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

from eval.settings import Setting, read_settings
from workbench.launcher import LaunchedShards, Launcher, LaunchPlan, make_folders

MAX_STARTS = 2
"""Maximum number of times that a shard's process is started."""
LOG = "log.txt"
"""Name of the file in a shard's folder that contains everything that the shard's process printed."""


def launch(plan: LaunchPlan, settings: Mapping[str, Any], say: Callable[[str], None]) -> LaunchedShards:
    at_once = read_settings(SETTINGS, settings)["at_once"] or os.cpu_count() or 1
    make_folders(plan)
    is_stopping = Event()
    running: set[subprocess.Popen[bytes]] = set()
    ended, failed = [0], {}

    def work(number: int) -> None:
        log = plan.out / str(number) / LOG
        for start in range(MAX_STARTS):
            with log.open("ab") as out:
                process = subprocess.Popen(
                    plan.command(number), stdout=out, stderr=out, stdin=subprocess.DEVNULL, start_new_session=True
                )  # a terminal's Ctrl-C would reach it beside the signal below, and a second one ends it at once
                running.add(process)
                code = process.wait()
                running.discard(process)
            if is_stopping.is_set() or not is_killed(code) or start == MAX_STARTS - 1:
                break
            say(f"Shard {number}/{plan.of} was killed: it is started once more.")
        if code:
            failed[number] = find_last_line(log)
        ended[0] += 1
        say(f"{ended[0]} of {len(plan.numbers)} shards ended, {len(failed)} of them with an error")

    pool = ThreadPoolExecutor(at_once)
    futures = [pool.submit(work, number) for number in plan.numbers]
    try:
        for future in futures:
            future.result()
    except KeyboardInterrupt:
        is_stopping.set()
        pool.shutdown(wait=False, cancel_futures=True)
        for process in tuple(running):
            process.send_signal(signal.SIGINT)  # each shard finishes its running calls and stores them
        pool.shutdown()
        raise
    return LaunchedShards(plan.of, plan.numbers, failed=dict(sorted(failed.items())))


def is_killed(code: int) -> bool:
    """Return whether the exit code means that a signal ended the process, directly or under a shell. A shard that ends because
    of an error has the exit code 1."""
    return code < 0 or code > 128


def find_last_line(log: Path) -> str:
    """Return the last line of a shard's log, which is the error message with which the shard ended."""
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines() if log.exists() else []
    return lines[-1] if lines else "the shard printed no message"


SETTINGS = {"at_once": Setting(0, "Number of processes that run at the same time; 0 = one per core.")}
LAUNCHER = Launcher(label="Processes here", launch=launch, settings=SETTINGS)
