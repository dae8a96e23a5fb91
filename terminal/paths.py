"""Makes the paths in a verb's options absolute, from the folder of the command line, because the app, which may run the verb,
is in another folder. An empty folder leaves every path unchanged. Without a folder the command line is that of an access token,
for which the server reads and writes no files."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from agents.kind import kind_of
from core.errors import BenchError
from workbench.settings import parse_settings

FILES = ("predictions", "program", "spans")
"""Settings whose value is a file."""
FOLDERS = ("embedding_model", "near_model", "reranker", "embed_cosine.model", "bertscore.model", "query_loss.model")
"""Settings whose value is a folder or a name."""
AGENTS = ("grammar.judge",)
"""Settings whose value is an agent's name, which may contain a path."""


def find_file(folder: Path | None, name: str) -> Path:
    """Return the path of a file or folder that a verb reads or writes. Raises BenchError without a folder."""
    if folder is None:
        raise BenchError(
            f"A server reads and writes no files for an access token, so {name} cannot be used: run the command on the server, "
            "or use the app's pages."
        )
    return folder / name


def settings(folder: Path | None, pairs: Iterable[str]) -> dict[str, Any]:
    """Return the --set pairs with absolute paths."""
    values = parse_settings(pairs)
    if folder is not None and not folder.parts:
        return values
    for key, value in values.items():
        if isinstance(value, str) and key in FILES:
            values[key] = str(find_file(folder, value))
        elif isinstance(value, str) and key in FOLDERS:
            if folder is None and _is_path(value):
                find_file(folder, value)
            values[key] = _resolve_existing(folder, value)
        elif isinstance(value, str) and key in AGENTS:
            values[key] = agent(folder, value)
    return values


def agent(folder: Path | None, name: str) -> str:
    """Return the agent's name with an absolute path. Raises BenchError without a folder when the agent may be a file."""
    word, sign, path = name.partition(":")
    kind = kind_of(name)
    if not path or kind is None or not kind.takes_path:
        return name
    find_file(folder, path)
    return f"{word}{sign}{_resolve_existing(folder, path)}"


def agents(folder: Path | None, names: Iterable[str]) -> list[str]:
    """Return the agents' names with absolute paths."""
    return [agent(folder, name) for name in names]


def _is_path(name: str) -> bool:
    """Return whether the name of a model is a path; addresses and names of agents are not."""
    kind = kind_of(name) if ":" in name else None
    is_address = name.startswith(("http://", "https://")) or (kind is not None and not kind.takes_path)
    return not is_address and (name.startswith(("~", ".")) or "/" in name or "\\" in name or Path(name).exists())


def _resolve_existing(folder: Path | None, name: str) -> str:
    """Return the absolute path of that name if the file exists, else the name."""
    return str(folder / name) if folder is not None and folder.parts and (folder / name).exists() else name
