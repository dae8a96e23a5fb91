"""Run shards as tasks of Ray, each with the cores and GPUs that it needs. If a worker process dies, Ray starts its task again.
If the program that launched the tasks dies, the same command continues the launch. All nodes must have the same files under the
same paths. The ledger of each shard, and not Ray, records which replies are already paid for."""

import logging
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from builders.languagetool import run_until_eof
from core.errors import BenchError
from eval.settings import Setting, read_settings
from workbench.launcher import LaunchedShards, Launcher, LaunchPlan, make_folders
from workbench.launchers.local import LOG, find_last_line

MAX_RETRIES = 3
"""Maximum number of times that a shard is started again because its process was killed or because an earlier process still has
its workspace open."""


def launch(plan: LaunchPlan, settings: Mapping[str, Any], say: Callable[[str], None]) -> LaunchedShards:
    try:
        import ray
    except ImportError as error:
        raise BenchError("The launcher ray needs the package ray: install it, or the extra `ray` of this package.") from error
    chosen = read_settings(SETTINGS, settings)
    plan = replace(plan, out=plan.out.absolute())
    make_folders(plan)
    folder, guard = os.getcwd(), [sys.executable, run_until_eof.__file__]

    def run_shard(command: list[str], log: str) -> int:
        """Run a shard's command on a worker process; return its exit code. Ray sends this nested function to the worker with
        its code, so that the worker imports nothing of this program."""
        import subprocess

        with open(log, "ab") as out:  # the guard watches a pipe from this worker, and ends the shard when the worker ends
            process = subprocess.Popen([*guard, *command], cwd=folder, stdin=subprocess.PIPE, stdout=out, stderr=out)
            code = process.wait()
        if code == 3 or not 0 <= code <= 128:
            raise RuntimeError(f"exit code {code}")
        return code

    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(address=chosen["address"] or None, log_to_driver=False, include_dashboard=False, logging_level=logging.ERROR)
    failed: dict[int, str] = {}
    try:
        task = ray.remote(
            num_cpus=chosen["cpus"], num_gpus=chosen["gpus"], max_retries=MAX_RETRIES, retry_exceptions=True, max_calls=1
        )(run_shard)
        logs = {number: plan.out / str(number) / LOG for number in plan.numbers}
        waiting = {task.remote(plan.command(number), str(log)): number for number, log in logs.items()}
        while waiting:
            (ended, *_), _ = ray.wait(list(waiting), num_returns=1)
            number = waiting.pop(ended)
            failed |= _read_end(ended, number, logs[number])
            say(f"{len(plan.numbers) - len(waiting)} of {len(plan.numbers)} shards ended, {len(failed)} of them with an error")
    finally:
        ray.shutdown()
    return LaunchedShards(plan.of, plan.numbers, failed=dict(sorted(failed.items())))


def _read_end(ended: Any, number: int, log: Path) -> dict[int, str]:
    """Return {shard number: reason of the failure} if the shard's task failed, otherwise an empty dict."""
    import ray

    try:
        return {number: find_last_line(log)} if ray.get(ended) else {}
    except ray.exceptions.RayError as error:
        return {number: f"its worker ended {MAX_RETRIES + 1} times ({type(error).__name__}); see {log}"}


SETTINGS = {
    "address": Setting(
        "", "Address of a Ray cluster; default: $RAY_ADDRESS, else a Ray on this machine that ends with the command."
    ),
    "cpus": Setting(1, "Number of cores for each shard.", 0),
    "gpus": Setting(0.0, "Number of GPUs for each shard; 0.5 = two shards share one."),
}
LAUNCHER = Launcher(label="Ray", launch=launch, settings=SETTINGS)
