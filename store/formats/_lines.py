"""What the formats share about files from outside: how much one may hold, what its first bytes say, and how a record that
cannot be read is told."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.json_lines import JsonLine, read_objects
from core.readers.raw import describe_kind, detect_utf_16, find_byte_order_mark

LONGEST_TEXT = 5_000_000
"""Characters of one document."""
LONGEST_ANSWER = 200_000
"""Characters of a question or an answer."""


def describe_refusal(where: str, line: int | None, why: str, unit: str = "Line") -> dict[str, Any]:
    """A row of Bundle.refused. `why` ends a sentence that begins with the place; the line is a `unit` of it."""
    place = f"{unit} {line} of {where}" if line else where
    return {"where": where, "line": line, "message": f"{place} {why}."}


def read_lines(path: Path) -> Iterator[JsonLine]:
    """Every line that is not blank. Raises BenchError when the file cannot be read or is plainly something else."""
    try:
        with path.open("rb") as file:
            check_text(path, file.read(4096))
        yield from read_objects(path)
    except OSError as error:
        raise BenchError(f"{path} cannot be read: {error.strerror or error}.") from error


def check_text(path: Path, start: bytes) -> None:
    """Raises BenchError when a file that should hold UTF-8 text begins as something else does."""
    found = describe_kind(start)
    if not found and (find_byte_order_mark(start) not in (None, "utf-8-sig") or detect_utf_16(start)):
        found = "UTF-16 text"
    if not found and b"\0" in start:
        found = "binary data"
    if not found and start.lstrip()[:1] == b"<":
        found = "HTML or XML"
    if found:
        raise BenchError(f"{path} is {found}, not UTF-8 text of JSON lines: give the unpacked .jsonl file.")
