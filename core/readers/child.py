"""What reads foreign files, in a process of its own with bounded time and memory. core/readers/isolated.py orders it."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.readers.bounds import serve
from core.readers.html_file import parse_html
from core.readers.read import read_in_process
from core.readers.reading import ReadDocument, RefusedFile, UnreadableFile

MAX_MEMORY_BYTES = 2_500_000_000
"""Bytes of address space."""


def answers(order: dict[str, Any]) -> Iterator[Any]:
    """{"read": [path, format, where]} gives every Read and Refused of the file; {"small": [those three, ...]} gives [number,
    Read or Refused] for several files; {"html": [page, where, title, with metadata]} gives the one of the page."""
    for number, (path, format, where) in enumerate(order.get("small", ())):
        for found in read_in_process(Path(path), format, where):
            yield number, _record(found)
    if "read" in order:
        path, format, where = order["read"]
        for found in read_in_process(Path(path), format, where):
            yield _record(found)
    if "html" in order:
        yield _page(*order["html"])


def _page(page: str, where: str, title: str, with_metadata: bool) -> dict[str, Any]:
    try:
        return _record(parse_html(page, where, title, with_metadata=with_metadata))
    except UnreadableFile as unfit:
        return _record(RefusedFile(where, None, str(unfit)))


def _record(found: ReadDocument | RefusedFile) -> dict[str, Any]:
    return {"read" if isinstance(found, ReadDocument) else "refused": asdict(found)}


if __name__ == "__main__":
    serve(answers, MAX_MEMORY_BYTES)
