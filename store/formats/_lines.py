"""Contain the common code of the formats that read files of other projects: size limits, detection of a file's kind by its
first bytes, and messages about rejected records."""

import shlex
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.json_lines import JsonLine, read_objects
from core.readers.raw import describe_kind, detect_utf_16, find_byte_order_mark

ENDINGS = (".json", ".jsonl")
"""Endings of the names of files that are read as questions in a folder."""
MAX_NAMED_LINKS = 3
"""Maximum number of skipped links that an error message lists."""
MAX_TEXT_CHARACTERS = 5_000_000
"""Maximum length in characters of a document's text that is read from a file."""
MAX_ANSWER_CHARACTERS = 200_000
"""Maximum length in characters of a question or an answer that is read from a file."""
WITHHELD = "is withheld: its answers are not in this layout"
"""Reason why the row of a withheld item is rejected; the reason completes a sentence that begins with the row's position."""


def describe_refusal(where: str, line: int | None, why: str, unit: str = "Line") -> dict[str, Any]:
    """Return an entry for `Bundle.refused`, the list of rejected records. The message is a sentence that begins with the
    position of the record (`unit` and the number `line`) and continues with `why`."""
    place = f"{unit} {line} of {where}" if line else where
    return {"where": where, "line": line, "message": f"{place} {why}."}


def find_file(path: Path, name: str, alternative: str) -> Path:
    """Return the file `name` in the folder `path`, or `path` itself if it is a file. Raises BenchError if there is no such
    file; the message advises to give `alternative` instead."""
    file = path / name if path.is_dir() else path
    if not file.is_file():
        links = list_links(path, (file.suffix,))
        raise BenchError(describe_lack(path, name, f"give an exported folder, or {alternative}", links))
    return file


def list_links(folder: Path, endings: Collection[str] = ENDINGS) -> list[Path]:
    """Return the symbolic links in a folder that point to folders, or whose names have one of the `endings`."""
    if not folder.is_dir():
        return []
    return sorted(entry for entry in folder.iterdir() if entry.is_symlink() and (entry.suffix in endings or entry.is_dir()))


def describe_lack(path: Path, wanted: str, advice: str, links: Sequence[Path]) -> str:
    """Return an error message that the folder does not contain `wanted`; the message also names the links that were skipped."""
    if not links:
        return f"{path} holds no {wanted}: {advice}."
    names = [link.name for link in links[:MAX_NAMED_LINKS]]
    names += [f"{len(links) - MAX_NAMED_LINKS} more"] if len(links) > MAX_NAMED_LINKS else []
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    skipped = f"{listed} is a link, which is" if len(links) == 1 else f"{listed} are links, which are"
    remedy = f"copy the folder with the files that its links lead to (cp -rL {shlex.quote(str(path))} NEW_FOLDER)"
    return f"{path} holds no {wanted}, and {skipped} not followed: {advice}, or {remedy}."


def read_start(path: Path) -> bytes:
    """Return the first bytes of a file. Raises BenchError if the file cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(4096)
    except OSError as error:
        raise BenchError(f"{path} cannot be read: {error.strerror or error}.") from error


def read_lines(path: Path) -> Iterator[JsonLine]:
    """Yield every line that is not blank as parsed JSON. Raises BenchError if the file cannot be read or has another format."""
    check_text(path, read_start(path))
    try:
        yield from read_objects(path)
    except OSError as error:
        raise BenchError(f"{path} cannot be read: {error.strerror or error}.") from error


def check_text(path: Path, start: bytes) -> None:
    """Check that a file is UTF-8 text, given `start`, the first bytes of the file. Raises BenchError if the file is not UTF-8
    text."""
    kind = describe_kind(start)
    if not kind and (find_byte_order_mark(start) not in (None, "utf-8-sig") or detect_utf_16(start)):
        kind = "UTF-16 text"
    if not kind and b"\0" in start:
        kind = "binary data"
    if not kind and start.lstrip()[:1] == b"<":
        kind = "HTML or XML"
    if kind:
        raise BenchError(f"{path} is {kind}, not UTF-8 text of JSON lines: give the unpacked .jsonl file.")
