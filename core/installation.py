"""The place and the version of this code: a checkout, whose top folder is on the import path, or the installed package
`benchwright`, which holds the same folders. Names of modules in strings are completed here, because a build completes import
statements alone."""

import subprocess
from pathlib import Path

VERSION = "0.1.0.dev0"
COMMIT_FILE = "commit.txt"
"""File in the installed package with the commit; hatch_build.py writes it."""
PREFIX = __name__.removesuffix("core.installation")
"""Start of the full name of each module of ours: "" in a checkout, "benchwright." in the installed package."""
FOLDER = Path(__file__).parents[1]
"""Folder with app.py, prompts, samples and the other folders of ours."""
IMPORT_FOLDER = Path(__file__).parents[__name__.count(".")]
"""Folder from which a child process can import our modules."""
COMMAND = "benchwright" if PREFIX else "cli.py"
"""Name of the command line in messages for people."""
COMMAND_WORDS = ("benchwright",) if PREFIX else ("python", "cli.py")
"""First words of a command that a person can copy."""


def complete_name(module: str) -> str:
    """Return the full name of a module of ours, for example of "eval.metrics"."""
    return f"{PREFIX}{module}"


def find_commit() -> str:
    """Return the commit, with "-dirty" if files differ from it; "" if it is unknown."""
    written = FOLDER / COMMIT_FILE
    if written.exists():
        return written.read_text(encoding="utf-8").strip()
    if not (FOLDER / ".git").exists():
        return ""
    command = ["git", "-C", str(FOLDER), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def describe_version() -> str:
    """Return the version with the commit, for people."""
    commit = find_commit()
    return f"benchwright {VERSION} (commit {commit or 'unknown'})"
