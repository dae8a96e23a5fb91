"""Pages of a PDF, looked at in a process of their own (core/readers/pdf_child.py): whatever a file does there, this one goes
on."""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

from core.errors import BenchError
from core.readers.bounds import OUT_OF_MEMORY_STATUS
from core.readers.pdf_child import CPU_SECONDS

ROOT = Path(__file__).parents[2]
_WALL_SECONDS = CPU_SECONDS * 2.0
"""Seconds by the clock: other processes want theirs too."""
_TOO_MUCH = (OUT_OF_MEMORY_STATUS, -signal.SIGXCPU, -signal.SIGKILL, -signal.SIGABRT)
"""How the process ends then; pdfium aborts it when the system refuses memory."""


def picture(file: BinaryIO, number: int, width: int) -> bytes:
    """Page `number`, from 1, as PNG or JPEG, `width` pixels across; raises BenchError when it cannot be drawn."""
    return _answer(file, {"picture": [number - 1, width]}, number)


def boxes(file: BinaryIO, number: int, spans: Sequence[tuple[int, int]], text: str) -> dict[str, Any]:
    """Where the spans (code points of the page's own text) stand on page `number`, whose text this is, as
    core/readers/pdf_pages.py tells it; raises BenchError when that cannot be told."""
    found: dict[str, Any] = json.loads(_answer(file, {"boxes": [number - 1, [list(span) for span in spans], text]}, number))
    return found


def _answer(file: BinaryIO, order: dict[str, Any], number: int) -> bytes:
    with tempfile.TemporaryFile() as orders:
        orders.write(json.dumps(order).encode())
        orders.seek(0)
        words = [sys.executable, "-m", "core.readers.pdf_child", str(orders.fileno())]
        try:
            done = subprocess.run(
                words,
                stdin=file,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=ROOT,
                timeout=_WALL_SECONDS,
                pass_fds=[orders.fileno()],
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise _too_much(number) from error
    if done.returncode in _TOO_MUCH:
        raise _too_much(number)
    if done.returncode != 0:
        raise BenchError(f"Page {number} of this PDF is broken and cannot be drawn: read its text instead.")
    return done.stdout


def _too_much(number: int) -> BenchError:
    return BenchError(f"Page {number} of this PDF asks for too much time or memory to be drawn: read its text instead.")
