"""Define launchers. A launcher starts the shards (parts) of a command as processes on this machine, or writes a file for the
scheduler of a cluster. A launcher only starts the shards. Each shard runs the same command with its own --shard and --out, and
its folder shows its progress."""

import json
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.catalog import catalog
from core.errors import BenchError
from core.installation import FOLDER, PREFIX
from eval.settings import Setting
from store.runs.shard_files import read_manifest

COMMAND_FILE = "launch.json"
"""Name of the file that contains the command divided into shards; it is in the folder above the shards' folders."""
MAX_LISTED = 20
"""Maximum number of shards that a message lists by number."""


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """The shards of a command that have to be started, and the parts of their command lines."""

    words: Sequence[str]
    """The words of the command without --shard and --out: a subcommand and its arguments."""
    of: int
    """Number of shards into which the command is divided."""
    out: Path
    """Folder that contains a folder for each shard, named by the shard's number."""
    numbers: Sequence[int]
    """Numbers of the shards that have to be started, because their results are not complete."""
    program: Sequence[str]
    """First words of every command line, which start this installation of the program."""

    def command(self, number: int) -> list[str]:
        """Return the command that runs shard `number`."""
        return [*self.program, *self.words, "--shard", f"{number}/{self.of}", "--out", str(self.out / str(number))]

    def shell_line(self, variable: str, program: Sequence[str] | None = None) -> str:
        """Return the command as a shell line that takes the shard's number from the environment variable `variable`."""
        words = shlex.join([*(self.program if program is None else program), *self.words])
        return f'{words} --shard "${variable}/{self.of}" --out {shlex.quote(str(self.out))}/"${variable}"'


@dataclass(frozen=True, slots=True)
class LaunchedShards:
    """What a launcher started or wrote, and which shards failed."""

    of: int
    started: Sequence[int]
    """Numbers of the shards that were started, or that the written file will start."""
    written: str | None = None
    """Path of the file for a scheduler; None if the launcher ran the shards itself."""
    submit: str | None = None
    """Command that submits the file to the scheduler; None if no file was written."""
    failed: Mapping[int, str] = field(default_factory=dict)
    """Dict from the number of each failed shard to the last line that it printed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Launcher:
    """A plug-in that starts shards in one way, such as local processes or Slurm."""

    label: str
    launch: Callable[[LaunchPlan, Mapping[str, Any], Callable[[str], None]], LaunchedShards]
    """Function that starts the shards, or writes the file that starts them. The arguments of the function are the plan, the
    launcher's settings, and a function that reports progress."""
    settings: Mapping[str, Setting]


def launchers() -> Mapping[str, Launcher]:
    """Return a dict from name to launcher; a launcher starts the shards of a command in one way."""
    return catalog("workbench.launchers", "LAUNCHER", Launcher)


def plan_launch(words: Sequence[str], of: int, out: Path) -> LaunchPlan:
    """Return a plan to start those shards of the command that have no complete results in the folder `out`."""
    stored = _read_words(out / COMMAND_FILE)
    if stored is not None and stored != _drop_budget(words):
        raise BenchError(f"{out} has the shards of another command: name another folder with --out.")
    numbers = [number for number in range(of) if not _is_complete(out / str(number), of)]
    program = [sys.executable, "-m", "benchwright"] if PREFIX else [sys.executable, str(FOLDER / "cli.py")]
    return LaunchPlan(words, of, out, numbers, program)


def _is_complete(folder: Path, of: int) -> bool:
    """Return whether the shard's folder contains complete results of this program version. Raises BenchError if the folder
    belongs to a command that is divided into another number of shards."""
    try:
        manifest = read_manifest(folder)
    except BenchError:  # results of another version: the shard runs again and reports the problem
        return False
    if manifest is not None and manifest.shard.of != of:
        raise BenchError(f"{folder} is one of {manifest.shard.of} shards, not of {of}: name another folder with --out.")
    return manifest is not None and manifest.is_complete


def _read_words(path: Path) -> list[str] | None:
    """Return the command (without --budget) whose shards the folder contains, or None if the folder is new."""
    try:
        return list(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _drop_budget(words: Sequence[str]) -> list[str]:
    """Return the command without --budget, because the same shards may be launched again with another budget."""
    kept: list[str] = []
    for before, word in zip(["", *words], words, strict=False):
        if before != "--budget" and word != "--budget" and not word.startswith("--budget="):
            kept.append(word)
    return kept


def make_folders(plan: LaunchPlan) -> None:
    """Create the folders of the shards, and store the command in the parent folder."""
    try:
        for number in plan.numbers:
            (plan.out / str(number)).mkdir(parents=True, exist_ok=True)
        (plan.out / COMMAND_FILE).write_text(json.dumps(_drop_budget(plan.words)), encoding="utf-8")
    except OSError as error:
        raise BenchError(f"{plan.out} cannot be written ({error.strerror}): name another folder with --out.") from error


def write_script(path: Path, text: str) -> Path:
    """Write the file for a scheduler; return its path."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BenchError(f"{path} cannot be written ({error.strerror}): name another file with --set file=PATH.") from error
    return path


def list_numbers(numbers: Sequence[int]) -> str:
    """Return the numbers as text; consecutive numbers become ranges, as in "0-3,7"."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1][1:] = [number]
        else:
            ranges.append([number])
    return ",".join("-".join(map(str, pair)) for pair in ranges)
