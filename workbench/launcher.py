"""A launcher starts the shards of a command: as processes here, or by a file for the scheduler of a cluster. It is thin: each
shard is the same command with --shard and --out, and what a shard has done stands in its folder."""

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
"""File in the folder of the shards with the command that was divided."""
MAX_LISTED = 20
"""Maximum number of shards named in a message."""


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """The shards to start."""

    words: Sequence[str]
    """The command without --shard and --out: its verb and the verb's arguments."""
    of: int
    """Number of shards."""
    out: Path
    """Folder that gets a folder for each shard, named by its number."""
    numbers: Sequence[int]
    """Numbers of the shards that are not complete."""
    program: Sequence[str]
    """First words of every command: how this installation is started."""

    def command(self, number: int) -> list[str]:
        """Return the command of one shard."""
        return [*self.program, *self.words, "--shard", f"{number}/{self.of}", "--out", str(self.out / str(number))]

    def shell_line(self, variable: str, program: Sequence[str] | None = None) -> str:
        """Return the command as a line for a shell, in which a variable of the environment holds the shard's number."""
        words = shlex.join([*(self.program if program is None else program), *self.words])
        return f'{words} --shard "${variable}/{self.of}" --out {shlex.quote(str(self.out))}/"${variable}"'


@dataclass(frozen=True, slots=True)
class LaunchedShards:
    """What a launcher did."""

    of: int
    started: Sequence[int]
    """Numbers of the shards that were started, or that the written file starts."""
    written: str | None = None
    """The file for a scheduler, or None if the launcher ran the shards itself."""
    submit: str | None = None
    """Command that hands the file to the scheduler."""
    failed: Mapping[int, str] = field(default_factory=dict)
    """Number of each shard that did not end well -> the last line that it said."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Launcher:
    """One way to start shards."""

    label: str
    launch: Callable[[LaunchPlan, Mapping[str, Any], Callable[[str], None]], LaunchedShards]
    """Starts the shards of the plan, or writes the file that starts them. Gets the settings, and a function that tells
    progress."""
    settings: Mapping[str, Setting]


def launchers() -> Mapping[str, Launcher]:
    """Return every launcher by name."""
    return catalog("workbench.launchers", "LAUNCHER", Launcher)


def plan_launch(words: Sequence[str], of: int, out: Path) -> LaunchPlan:
    """Return the plan for those shards of the command that have no complete results in `out`."""
    stored = _read_words(out / COMMAND_FILE)
    if stored is not None and stored != _drop_budget(words):
        raise BenchError(f"{out} has the shards of another command: name another folder with --out.")
    numbers = [number for number in range(of) if not _is_complete(out / str(number), of)]
    program = [sys.executable, "-m", "benchwright"] if PREFIX else [sys.executable, str(FOLDER / "cli.py")]
    return LaunchPlan(words, of, out, numbers, program)


def _is_complete(folder: Path, of: int) -> bool:
    """Check whether the shard has all its results, from this version. Raises BenchError for a shard of another division."""
    try:
        manifest = read_manifest(folder)
    except BenchError:  # results of another version: the shard runs again and says what is wrong with them
        return False
    if manifest is not None and manifest.shard.of != of:
        raise BenchError(f"{folder} is a shard of {manifest.shard.of}, not of {of}: name another folder with --out.")
    return manifest is not None and manifest.is_complete


def _read_words(path: Path) -> list[str] | None:
    """Return the command whose shards are in the folder, or None for a new folder."""
    try:
        return list(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _drop_budget(words: Sequence[str]) -> list[str]:
    """Return the command without --budget, which may change between two launches of the same shards."""
    kept: list[str] = []
    for before, word in zip(["", *words], words, strict=False):
        if before != "--budget" and word != "--budget" and not word.startswith("--budget="):
            kept.append(word)
    return kept


def make_folders(plan: LaunchPlan) -> None:
    """Make the folders of the shards, which also take what the shards say."""
    try:
        for number in plan.numbers:
            (plan.out / str(number)).mkdir(parents=True, exist_ok=True)
        (plan.out / COMMAND_FILE).write_text(json.dumps(_drop_budget(plan.words)), encoding="utf-8")
    except OSError as error:
        raise BenchError(f"{plan.out} cannot be written ({error.strerror}): name another folder with --out.") from error


def write_script(path: Path, text: str) -> Path:
    """Write the file for a scheduler, and return its path."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BenchError(f"{path} cannot be written ({error.strerror}): name another file with --set file=PATH.") from error
    return path


def list_numbers(numbers: Sequence[int]) -> str:
    """Return the numbers as ranges: 0-3,7."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1][1:] = [number]
        else:
            ranges.append([number])
    return ",".join("-".join(map(str, pair)) for pair in ranges)
