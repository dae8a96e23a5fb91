"""Makes the paths in a verb's options absolute, from the folder of the command line, because the app, which may run the verb,
is in another folder. An empty folder leaves every path unchanged."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from agents.kind import kind_of
from workbench.settings import parse_settings

FILES = ("predictions", "program", "spans")
"""Settings whose value is a file."""
FOLDERS = ("embedding_model", "near_model", "embed_cosine.model", "bertscore.model", "query_loss.model")
"""Settings whose value is a folder or a name."""
AGENTS = ("grammar.judge",)
"""Settings whose value is an agent's name, which may contain a path."""


def settings(folder: Path, pairs: Iterable[str]) -> dict[str, Any]:
    """Return the --set pairs with absolute paths."""
    values = parse_settings(pairs)
    if not folder.parts:
        return values
    for key, value in values.items():
        if isinstance(value, str) and key in FILES:
            values[key] = str(folder / value)
        elif isinstance(value, str) and key in FOLDERS:
            values[key] = _resolve_existing(folder, value)
        elif isinstance(value, str) and key in AGENTS:
            values[key] = agent(folder, value)
    return values


def agent(folder: Path, name: str) -> str:
    """Return the agent's name with an absolute path."""
    word, sign, path = name.partition(":")
    kind = kind_of(name)
    return f"{word}{sign}{_resolve_existing(folder, path)}" if path and kind is not None and kind.takes_path else name


def agents(folder: Path, names: Iterable[str]) -> list[str]:
    """Return the agents' names with absolute paths."""
    return [agent(folder, name) for name in names]


def _resolve_existing(folder: Path, name: str) -> str:
    """Return the absolute path of that name if the file exists, else the name."""
    return str(folder / name) if folder.parts and (folder / name).exists() else name
