"""Write an array script for Slurm. After an interruption, a new script starts only the shards that are not complete, and each
continues where it stopped. All nodes must have the same files under the same paths."""

import os
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from eval.settings import Setting, read_settings
from workbench.launcher import LaunchedShards, Launcher, LaunchPlan, list_numbers, make_folders, write_script

SCRIPT = """#!/bin/bash
#SBATCH --job-name=benchwright
#SBATCH --array={array}
#SBATCH --output={log}
#SBATCH --cpus-per-task={cpus}
{options}#SBATCH --requeue
#SBATCH --signal=INT@{grace}
cd {folder}
srun --ntasks=1 --signal=INT@{grace} {line}
"""
GRACE_SECONDS = 60
"""Number of seconds before the time limit at which Slurm tells a shard to finish and to store its running calls."""


def launch(plan: LaunchPlan, settings: Mapping[str, Any], say: Callable[[str], None]) -> LaunchedShards:
    chosen = read_settings(SETTINGS, settings)
    make_folders(plan)
    array = list_numbers(plan.numbers) + (f"%{chosen['at_once']}" if chosen["at_once"] else "")
    given = {name: chosen[name] for name in ("partition", "time", "mem", "gres", "account") if chosen[name]}
    text = SCRIPT.format(
        array=array,
        log=plan.out / "%a" / "slurm-%A.txt",
        cpus=chosen["cpus"],
        options="".join(f"#SBATCH --{name}={value}\n" for name, value in given.items()),
        grace=GRACE_SECONDS,
        folder=shlex.quote(os.getcwd()),
        line=plan.shell_line("SLURM_ARRAY_TASK_ID"),
    )
    path = write_script(Path(chosen["file"]) if chosen["file"] else plan.out / "slurm.sh", text)
    return LaunchedShards(plan.of, plan.numbers, str(path), shlex.join(["sbatch", str(path)]))


SETTINGS = {
    "file": Setting("", "Script file to write; default: slurm.sh in --out."),
    "at_once": Setting(0, "Number of shards that run at the same time; 0 = as many as Slurm starts."),
    "cpus": Setting(1, "Number of cores for each shard.", 1),
    "mem": Setting("", "Memory for each shard, such as 8G."),
    "time": Setting("", "Time limit for each shard, such as 04:00:00."),
    "partition": Setting("", "Partition."),
    "gres": Setting("", "Other resources for each shard, such as gpu:1."),
    "account": Setting("", "Account that pays."),
}
LAUNCHER = Launcher(label="Slurm", launch=launch, settings=SETTINGS)
