"""Reads untrusted files and pages in a separate process (core/readers/child.py). If reading a file takes too much time or
memory, or crashes the separate process, the result is an error message of one sentence, and this process continues."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.readers.bounded_child import BoundBroken, BoundedChildren
from core.readers.read import FORMATS, PLAIN_FORMATS
from core.readers.reading import MAX_DOCUMENT_CHARACTERS, BadFile, ReadDocument, RefusedFile

CPU_SECONDS = 15
"""CPU seconds that a small file, or one line of a long file, may take to read."""
_BYTES_A_SECOND = 100_000
"""Number of bytes of a large file for which one more CPU second is allowed."""
_MAX_ANSWER_BYTES = 8 * MAX_DOCUMENT_CHARACTERS + 2**20
"""Maximum size in bytes of the answer for one document with its metadata."""
_SMALL_FILE_BYTES = 2**16
_PLAIN_ENDINGS = frozenset(ending for name in PLAIN_FORMATS for ending in FORMATS[name])
_CHILDREN = BoundedChildren("core.readers.child", _MAX_ANSWER_BYTES)


def read_file(path: Path | str, format: str = "auto", where: str | None = None) -> Iterator[ReadDocument | RefusedFile]:
    """Yield the documents of a file in order: one per file, or one per line for the formats `jsonl` and `lines`. An invalid
    line yields a RefusedFile.

    With the format `auto`, the suffix of the file determines the format, and the first bytes must match it. `where` names the
    file in reports and as the source of the documents (default: the name of the file). Titles come from front matter, HTML or
    PDF title, first heading or file name; lines and untitled JSON lines use their first 40 characters. Raises BenchError only
    for an unknown format."""
    path = Path(path).absolute()
    if format != "auto" and format not in FORMATS:
        raise BenchError(f"The format {format!r} is unknown: choose one of auto, {', '.join(FORMATS)}.")
    where = where or path.name
    try:
        size = path.stat().st_size
    except OSError:
        size = 0  # the separate process reports the fault
    return _ask_child({"read": [str(path), format, where]}, where, size)


def is_small(path: Path, format: str) -> bool:
    """Return whether a file is short plain text. Several such files can be read with one request to the separate process."""
    is_plain = format in PLAIN_FORMATS or (format == "auto" and path.suffix.lower() in _PLAIN_ENDINGS)
    try:
        return is_plain and path.stat().st_size <= _SMALL_FILE_BYTES
    except OSError:
        return False


def read_small(files: Sequence[tuple[Path, str]], format: str) -> list[list[ReadDocument | RefusedFile]]:
    """Return the results of `read_file` for several small files, given as (path, where), with one request to the separate
    process, because a request takes longer than reading such a file."""
    results: list[list[ReadDocument | RefusedFile]] = [[] for _ in files]
    order = {"small": [[str(path.absolute()), format, where] for path, where in files]}
    try:
        for number, record in _CHILDREN.ask(order, CPU_SECONDS):
            results[number].append(_parse_record(record))
    except BoundBroken:
        return [list(read_file(path, format, where)) for path, where in files]
    return results


def read_page(page: str, where: str, title: str, with_metadata: bool = True) -> ReadDocument:
    """Return the document of an HTML page; see core.readers.html_file.parse_html. Raises BadFile if the page cannot be read."""
    order = {"html": [page, where, title, with_metadata]}
    results = list(_ask_child(order, where, len(page)))  # a process is reused only if its answer is read to the end
    if not results:
        raise BadFile(f"{where} was not read: add it again.")
    if isinstance(results[0], RefusedFile):
        raise BadFile(results[0].message)
    return results[0]


def _ask_child(order: Mapping[str, Any], where: str, size: int) -> Iterator[ReadDocument | RefusedFile]:
    line = None
    seconds = CPU_SECONDS + size / _BYTES_A_SECOND
    try:
        for record in _CHILDREN.ask(order, seconds):
            result = _parse_record(record)
            line = result.line
            yield result
    except BoundBroken as broken:
        why = {
            "time": f"takes more than {seconds:,.0f} seconds of computing to read: save it again, or split it",
            "memory": "takes too much memory to read: save it again, or split it",
            "output": f"holds a document of more than {_MAX_ANSWER_BYTES:,} bytes: split it",
            "crash": "is damaged or asks for too much memory, and broke its reader: save it again",
        }[broken.what]
        if line is not None:
            why += f". Nothing after line {line:,} was read"
        yield RefusedFile(where, None, f"{where} {why}.")


def _parse_record(record: Mapping[str, Any]) -> ReadDocument | RefusedFile:
    return ReadDocument(**record["read"]) if "read" in record else RefusedFile(**record["refused"])
