"""Makes the relative paths in a verb's options absolute. The paths are relative to `folder`, the working directory of the
command line. The app, which may run the verb, has another working directory. If `folder` is empty, all paths stay unchanged. If
`folder` is None, the command line uses an access token, for which the server reads and writes no files."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from agents.kind import kind_of
from core.errors import BenchError
from workbench.settings import parse_settings

FILES = ("predictions", "program", "spans")
"""Names of settings whose value is a file."""
FOLDERS = ("embedding_model", "near_model", "reranker", "embed_cosine.model", "bertscore.model", "query_loss.model")
"""Names of settings whose value is a folder or the name of a model."""
AGENTS = ("grammar.judge",)
"""Names of settings whose value is the name of an agent; the agent's name may contain a path."""
MAX_READ_BYTES = 64 * 2**20
"""Maximum size of a file that a verb reads whole; what reads the content has smaller limits of its own."""


def find_file(folder: Path | None, name: str) -> Path:
    """Return the path of a file or folder that a verb reads or writes. Raises BenchError if `folder` is None (a command with an
    access token)."""
    if folder is None:
        raise BenchError(
            f"A server reads and writes no files for an access token, so {name} cannot be used: run the command on the server, "
            "or use the app's pages."
        )
    return folder / name


def read_bytes(folder: Path | None, name: str) -> bytes:
    """Return the content of a file that a verb reads whole. Raises BenchError if the file cannot be read, has more than
    MAX_READ_BYTES bytes, as a device without an end has, or is a named pipe; the pipes of a shell stand in /dev."""
    path = find_file(folder, name)
    try:
        if path.is_fifo() and not path.is_relative_to("/dev"):
            raise BenchError(f"{name} is a named pipe, which may never end: give a file.")
        with path.open("rb") as file:
            raw = file.read(MAX_READ_BYTES + 1)
    except OSError as error:
        raise BenchError(f"{name} cannot be read ({error.strerror}): give another file.") from error
    if len(raw) > MAX_READ_BYTES:
        raise BenchError(f"{name} is larger than {MAX_READ_BYTES // 2**20} MB: split it, or give another file.")
    return raw


def settings(folder: Path | None, pairs: Iterable[str]) -> dict[str, Any]:
    """Return the settings given with --set as a dict; make the paths in them absolute."""
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
    """Return an agent's name; if it contains a path, make the path absolute. Raises BenchError if `folder` is None (a command
    with an access token) and the agent is read from a file."""
    word, sign, path = name.partition(":")
    kind = kind_of(name)
    if not path or kind is None or not kind.takes_path:
        return name
    find_file(folder, path)
    return f"{word}{sign}{_resolve_existing(folder, path)}"


def agents(folder: Path | None, names: Iterable[str]) -> list[str]:
    """Return the names of agents; make the paths in them absolute."""
    return [agent(folder, name) for name in names]


def _is_path(name: str) -> bool:
    """Return whether `name` is the path of a model, and not an address, a model name or the name of an agent."""
    kind = kind_of(name) if ":" in name else None
    is_address = name.startswith(("http://", "https://")) or (kind is not None and not kind.takes_path)
    return not is_address and (name.startswith(("~", ".")) or "/" in name or "\\" in name or Path(name).exists())


def _resolve_existing(folder: Path | None, name: str) -> str:
    """Return `name` as an absolute path if a file of that name exists in `folder`, else return `name` unchanged."""
    return str(folder / name) if folder is not None and folder.parts and (folder / name).exists() else name
