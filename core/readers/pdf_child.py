"""What looks at one page of a PDF, in a process of its own with bounded time and memory: the file is standard input, the order
is JSON in the file whose number is the one argument, the answer is standard output. When memory ends, its status is GREEDY."""

import ctypes
import json
import mmap
import os
import sys
from typing import Any

from core.readers.bounds import OUT_OF_MEMORY_STATUS, bound_memory, bound_seconds, forbid_network
from core.readers.pdf_pages import boxes, picture

CPU_SECONDS = 15
"""Of computing."""
MAX_MEMORY_BYTES = 1_500_000_000
"""Bytes, the file aside."""


def main(order: dict[str, Any]) -> bytes:
    """{"picture": [page, width]} gives the picture, {"boxes": [page, [[start, end], ...], text]} gives JSON; pages from 0."""
    bound_memory(MAX_MEMORY_BYTES + os.fstat(0).st_size)
    bound_seconds(CPU_SECONDS)
    forbid_network()
    import pypdfium2

    file = mmap.mmap(0, 0, access=mmap.ACCESS_COPY)
    document = pypdfium2.PdfDocument((ctypes.c_ubyte * len(file)).from_buffer(file))
    if "picture" in order:
        return picture(document, *order["picture"])
    return json.dumps(boxes(document, *order["boxes"])).encode()


if __name__ == "__main__":
    try:
        with os.fdopen(int(sys.argv[1]), encoding="utf-8") as orders:
            answer = main(json.load(orders))
    except MemoryError:
        sys.exit(OUT_OF_MEMORY_STATUS)
    sys.stdout.buffer.write(answer)
    sys.stdout.flush()
    os._exit(0)  # nothing is left to tidy, and a broken file may hang there
