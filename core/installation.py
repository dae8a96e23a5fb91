"""Tells where this project's code is and which version it has. The code is either a checkout, whose top folder is on the import
path, or the installed package `benchwright`, which contains the same folders. Converts module names in strings to full names,
because the build rewrites only import statements."""

import subprocess
from pathlib import Path

VERSION = "0.1.0.dev0"
COMMIT_FILE = "commit.txt"
"""File in the installed package that contains the commit; hatch_build.py writes it."""
PREFIX = __name__.removesuffix("core.installation")
"""Prefix of the full name of each module of this project: "" in a checkout, "benchwright." in the installed package."""
FOLDER = Path(__file__).parents[1]
"""Folder that contains app.py, prompts, samples and the other folders of this project."""
IMPORT_FOLDER = Path(__file__).parents[__name__.count(".")]
"""Folder that a child process must have on its import path to import this project's modules."""
COMMAND = "benchwright" if PREFIX else "cli.py"
"""Name of the command line program as shown to people."""
COMMAND_WORDS = ("benchwright",) if PREFIX else ("python", "cli.py")
"""First words of a command that a person can copy."""


def complete_name(module: str) -> str:
    """Return the full name under which a module of this project, such as "eval.metrics", can be imported."""
    return f"{PREFIX}{module}"


def find_commit() -> str:
    """Return the commit of this code, followed by "-dirty" if files differ from the commit; "" if the commit is unknown."""
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
    """Return the version and the commit of this code as text for people."""
    commit = find_commit()
    return f"benchwright {VERSION} (commit {commit or 'unknown'})"
