"""The place of this code: a checkout, whose top folder is on the import path, or the installed package `benchwright`, which
holds the same folders. Names of modules in strings are completed here, because a build completes import statements alone."""

from pathlib import Path

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
