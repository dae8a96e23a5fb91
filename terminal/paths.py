"""Paths among a verb's words, read from the folder that the command was given in: a verb that the app works for a command line
stands in another folder. An empty folder leaves every word as it was typed."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from agents.kind import kind_of
from workbench.settings import parse_settings

FILES = ("predictions", "program")
"""Settings that name a file."""
FOLDERS = ("embedding_model", "near_model", "embed_cosine.model", "bertscore.model", "query_loss.model")
"""Settings that may name a folder, or something else."""


def settings(folder: Path, pairs: Iterable[str]) -> dict[str, Any]:
    """The --set pairs with whole paths."""
    found = parse_settings(pairs)
    if not folder.parts:
        return found
    for key, value in found.items():
        if isinstance(value, str) and key in FILES:
            found[key] = str(folder / value)
        elif isinstance(value, str) and key in FOLDERS:
            found[key] = where_there(folder, value)
    return found


def agent(folder: Path, name: str) -> str:
    """The agent's name with a whole path."""
    word, sign, path = name.partition(":")
    kind = kind_of(name)
    return f"{word}{sign}{where_there(folder, path)}" if path and kind is not None and kind.takes_path else name


def agents(folder: Path, names: Iterable[str]) -> list[str]:
    """As agent, for several."""
    return [agent(folder, name) for name in names]


def where_there(folder: Path, name: str) -> str:
    """The whole path of what is there under that name, else the name."""
    return str(folder / name) if folder.parts and (folder / name).exists() else name
