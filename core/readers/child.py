"""Program of the separate process that reads untrusted files with limited time and memory. core/readers/isolated.py sends the
requests."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.readers.bounds import serve
from core.readers.html_file import parse_html
from core.readers.read import read_in_process
from core.readers.reading import BadFile, ReadDocument, RefusedFile

MAX_MEMORY_BYTES = 2_500_000_000
"""Maximum address space of the process in bytes."""


def answers(order: dict[str, Any]) -> Iterator[Any]:
    """Yield the documents and refused files of a request as JSON records.

    For the request {"read": [path, format, where]}, the function yields each ReadDocument and RefusedFile of the file. For the
    request {"small": [[path, format, where], ...]}, the function yields [number, result] for several files. For the request
    {"html": [page, where, title, with_metadata]}, the function yields the result for the page."""
    for number, (path, format, where) in enumerate(order.get("small", ())):
        for result in read_in_process(Path(path), format, where):
            yield number, _record(result)
    if "read" in order:
        path, format, where = order["read"]
        yield from map(_record, read_in_process(Path(path), format, where))
    if "html" in order:
        page, where, title, with_metadata = order["html"]
        try:
            yield _record(parse_html(page, where, title, with_metadata=with_metadata))
        except BadFile as error:
            yield _record(RefusedFile(where, None, str(error)))


def _record(result: ReadDocument | RefusedFile) -> dict[str, Any]:
    return {"read" if isinstance(result, ReadDocument) else "refused": asdict(result)}


if __name__ == "__main__":
    serve(answers, MAX_MEMORY_BYTES)
