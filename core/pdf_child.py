"""What looks at one page of a PDF, in a process of its own with bounded time and memory: the file is standard input, the order
is the one argument (JSON), the answer is standard output. A trouble that has a name ends it with the status NAMED."""

import ctypes
import json
import mmap
import os
import sys
from typing import Any

from core.pdf_pages import boxes, picture

GREEDY = 3
"""Exit status when memory ended."""
SECONDS = 15
"""Of computing."""
MEMORY = 1_500_000_000
"""Bytes, the file aside."""


def main(order: dict[str, Any]) -> bytes:
    """{"picture": [page, width]} gives the picture, {"boxes": [page, [[start, end], ...]]} gives JSON; pages from 0."""
    _bound(os.fstat(0).st_size)
    import pypdfium2

    file = mmap.mmap(0, 0, access=mmap.ACCESS_COPY)
    document = pypdfium2.PdfDocument((ctypes.c_ubyte * len(file)).from_buffer(file))
    if "picture" in order:
        return picture(document, *order["picture"])
    number, spans = order["boxes"]
    return json.dumps(boxes(document, number, spans)).encode()


def _bound(size: int) -> None:
    """From here on the system ends what takes too much; other work goes first."""
    import resource

    os.nice(5)
    for what, most in ((resource.RLIMIT_CPU, SECONDS), (resource.RLIMIT_AS, MEMORY + size), (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    try:
        answer = main(json.loads(sys.argv[1]))
    except MemoryError:
        sys.exit(GREEDY)
    sys.stdout.buffer.write(answer)
    sys.stdout.flush()
    os._exit(0)  # nothing is left to tidy, and a broken file may hang there
