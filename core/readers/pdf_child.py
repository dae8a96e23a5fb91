"""Program of the separate process that renders one page of a PDF with limited time and memory. The program reads the PDF from
standard input and writes the answer to standard output. The program's only argument is the descriptor of a file that contains
the request as JSON."""

import ctypes
import json
import mmap
import os
import sys
from typing import Any

from core.readers.bounds import OUT_OF_MEMORY_STATUS, bound_memory, bound_seconds, forbid_network
from core.readers.pdf_pages import boxes, picture

CPU_SECONDS = 15
MAX_MEMORY_BYTES = 1_500_000_000
"""Maximum memory of the process in bytes, in addition to the size of the PDF."""


def main(order: dict[str, Any]) -> bytes:
    """Write the answer to a request: the request {"picture": [page, width]} gives an image, {"boxes": [page, [[start, end],
    ...], text]} gives JSON. Pages are counted from 0."""
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
    os._exit(0)  # a normal exit may hang on a damaged file
