"""The version of Benchwright and the commit that it was made from."""

import subprocess

from core.installation import FOLDER

VERSION = "0.1.0.dev0"
COMMIT_FILE = "commit.txt"
"""File in the installed package with the commit; hatch_build.py writes it."""


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
