"""The command line as a process of its own, for what only a process shows: pipes, signals, its environment."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent


def command(*words: object) -> list[str]:
    return [sys.executable, str(ROOT / "cli.py"), *map(str, words)]


def surroundings(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment without its workspace, with some more."""
    return {k: v for k, v in os.environ.items() if k != "BENCHWRIGHT_WORKSPACE"} | dict(more or {})


@contextmanager
def child_of(*words: object, folder: Path) -> "Iterator[subprocess.Popen[str]]":
    """A verb at work in that folder; the block waits for its end, or kills it when the test has failed."""
    with subprocess.Popen(
        command(*words), env=surroundings(), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        try:
            yield child
        except BaseException:
            child.kill()
            raise


def terminal(
    *words: object, cwd: Path, environment: Mapping[str, str] | None = None, pipe: str = ""
) -> "subprocess.CompletedProcess[str]":
    """The verb's end; `pipe` is what its stdout goes through: "head -c 1"."""
    line = command(*words)
    if pipe:
        line = ["bash", "-o", "pipefail", "-c", " ".join(f"'{word}'" for word in line) + f" | {pipe}"]
    return subprocess.run(line, cwd=cwd, env=surroundings(environment), capture_output=True, text=True, check=False)
