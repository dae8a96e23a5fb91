"""Foreign files and pages are read in a process of their own (core/readers/child.py): one that asks for too much time or
memory, or breaks its reader, becomes one sentence, and this process goes on."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.readers.bounded_child import BoundBroken, BoundedChildren
from core.readers.read import FORMATS, PLAIN_FORMATS
from core.readers.reading import MAX_DOCUMENT_CHARACTERS, ReadDocument, RefusedFile, UnreadableFile

CPU_SECONDS = 15
"""Of computing for a small file, or for one line of a long one."""
_BYTES_A_SECOND = 100_000
"""A large file gets a second more for so many."""
_LONGEST_ANSWER = 8 * MAX_DOCUMENT_CHARACTERS + 2**20
"""Bytes of one document with what its file says of it."""
_SMALL_FILE_BYTES = 2**16
_PLAIN_ENDINGS = frozenset(ending for name in PLAIN_FORMATS for ending in FORMATS[name])
_CHILDREN = BoundedChildren("core.readers.child", _LONGEST_ANSWER)


def read_file(path: Path | str, format: str = "auto", where: str | None = None) -> Iterator[ReadDocument | RefusedFile]:
    """What the file holds, in order: one Read, or one per line for `jsonl` and `lines`; a Refused for what cannot be taken.
    `auto` goes by the ending, and the first bytes must agree with it. `where` is how the file is named in reports and as the
    documents' source (default: its name). Titles: front matter, HTML or PDF title, first heading, file name; lines and
    untitled JSON lines: their first 40 characters. Raises BenchError only on an unknown format."""
    if format != "auto" and format not in FORMATS:
        raise BenchError(f"No format {format!r}; there are: auto, {', '.join(FORMATS)}.")
    return _read(Path(path).absolute(), format, where or Path(path).name)


def is_small(path: Path, format: str) -> bool:
    """Whether a file is plain text and short, so that many of them can be read in one go."""
    is_plain = format in PLAIN_FORMATS or (format == "auto" and path.suffix.lower() in _PLAIN_ENDINGS)
    try:
        return is_plain and path.stat().st_size <= _SMALL_FILE_BYTES
    except OSError:
        return False


def read_small(files: Sequence[tuple[Path, str]], format: str) -> list[list[ReadDocument | RefusedFile]]:
    """What read_file gives for each of some small files, (path, where), in one go: a message each way takes longer than one of
    them."""
    found: list[list[ReadDocument | RefusedFile]] = [[] for _ in files]
    order = {"small": [[str(path.absolute()), format, where] for path, where in files]}
    try:
        for number, record in _CHILDREN.ask(order, CPU_SECONDS):
            found[number].append(_parse_record(record))
    except BoundBroken:
        return [list(read_file(path, format, where)) for path, where in files]
    return found


def read_page(page: str, where: str, title: str, with_metadata: bool = True) -> ReadDocument:
    """The document of an HTML page: see core.readers.html_file.from_html. Raises Unfit."""
    for found in _answers({"html": [page, where, title, with_metadata]}, where, len(page)):
        if isinstance(found, ReadDocument):
            return found
        raise UnreadableFile(found.message)
    raise UnreadableFile(f"{where} was not read: give it once more.")


def _read(path: Path, format: str, where: str) -> Iterator[ReadDocument | RefusedFile]:
    try:
        size = path.stat().st_size
    except OSError:
        size = 0  # the reader says what is wrong with it
    yield from _answers({"read": [str(path), format, where]}, where, size)


def _answers(order: Mapping[str, Any], where: str, size: int) -> Iterator[ReadDocument | RefusedFile]:
    line = None
    seconds = CPU_SECONDS + size / _BYTES_A_SECOND
    try:
        for record in _CHILDREN.ask(order, seconds):
            found = _parse_record(record)
            line = found.line
            yield found
    except BoundBroken as broken:
        why = {
            "time": f"takes more than {seconds:,.0f} seconds of computing to read: save it anew, or split it",
            "memory": "takes too much memory to read: save it anew, or split it",
            "output": f"holds a document of more than {_LONGEST_ANSWER:,} bytes: split it",
            "crash": "is damaged or asks for too much memory, and broke its reader: save it anew",
        }[broken.what]
        if line is not None:
            why += f". What stands behind line {line:,} was not read"
        yield RefusedFile(where, None, f"{where} {why}.")


def _parse_record(record: Mapping[str, Any]) -> ReadDocument | RefusedFile:
    return ReadDocument(**record["read"]) if "read" in record else RefusedFile(**record["refused"])
