"""Renders pages of a PDF in a separate process (core/readers/pdf_child.py), so that a damaged file cannot affect this
process."""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import Any, BinaryIO, cast

from core.errors import BenchError
from core.installation import IMPORT_FOLDER, complete_name
from core.readers.bounds import OUT_OF_MEMORY_STATUS
from core.readers.pdf_child import CPU_SECONDS

_WALL_SECONDS = CPU_SECONDS * 2.0
"""Wall-clock limit in seconds for drawing a page; larger than the CPU limit, because other processes share the processor."""
_EXCEEDED = (OUT_OF_MEMORY_STATUS, -signal.SIGXCPU, -signal.SIGKILL, -signal.SIGABRT)
"""Exit statuses of the drawing process that mean too much time or memory; pdfium aborts when the system refuses memory."""


def picture(file: BinaryIO, number: int, width: int) -> bytes:
    """Return page `number` of a PDF, counted from 1, as PNG or JPEG, `width` pixels wide. Raises BenchError if rendering
    fails."""
    return _ask_child(file, {"picture": [number - 1, width]}, number)


def boxes(file: BinaryIO, number: int, spans: Sequence[tuple[int, int]], text: str) -> dict[str, Any]:
    """Return the boxes that spans of a page's text cover on page `number` of a PDF; see core/readers/pdf_pages.py. `text` is
    the text of the page, and spans are offsets in it. Raises BenchError if the boxes cannot be found."""
    answer = _ask_child(file, {"boxes": [number - 1, [list(span) for span in spans], text]}, number)
    return cast(dict[str, Any], json.loads(answer))


def _ask_child(file: BinaryIO, order: dict[str, Any], number: int) -> bytes:
    exceeded = f"Page {number} of this PDF asks for too much time or memory to be drawn: read its text instead."
    with tempfile.TemporaryFile() as orders:
        orders.write(json.dumps(order).encode())
        orders.seek(0)
        try:
            done = subprocess.run(
                [sys.executable, "-m", complete_name("core.readers.pdf_child"), str(orders.fileno())],
                stdin=file,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=IMPORT_FOLDER,
                timeout=_WALL_SECONDS,
                pass_fds=[orders.fileno()],
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise BenchError(exceeded) from error
    if done.returncode in _EXCEEDED:
        raise BenchError(exceeded)
    if done.returncode != 0:
        raise BenchError(f"Page {number} of this PDF is broken and cannot be displayed: read its text instead.")
    return done.stdout
