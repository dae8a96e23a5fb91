"""Lines for people on stderr. Of a count that goes on ("3 of 40 drafted") each line takes the place of the one before on a
terminal, and elsewhere one a second is written, the latest; whatever else is said stays."""

import os
import re
import shutil
import threading
import time
from collections.abc import Callable
from typing import TextIO

PACE = 1.0
"""Seconds from one line of a count to the next, where nothing is written over."""


class Lines:
    """What is said, to a stream. Nobody listening is no reason to stop working."""

    def __init__(self, stream: Callable[[], TextIO]) -> None:
        self._stream = stream
        self._lock = threading.RLock()
        self._last = ""
        self._waits: str | None = None
        self._at = 0.0
        self._timer: threading.Timer | None = None
        self._is_open = False

    def say(self, message: str) -> None:
        """One line, now or within PACE."""
        with self._lock:
            goes_on = mask_numbers(message) is not None and mask_numbers(message) == mask_numbers(self._last)
            if not goes_on:
                self.end()
            if is_screen(self._stream()):
                self._overwrite_line(message)
            elif not goes_on or time.monotonic() - self._at >= PACE:
                self._line(message)
            else:
                self._waits = message
                if self._timer is None:
                    self._timer = threading.Timer(PACE, self._catch_up)
                    self._timer.daemon = True
                    self._timer.start()
            self._last = message

    def end(self) -> None:
        """What still waits is written, and a line that could be written over is closed."""
        with self._lock:
            self._catch_up()
            if self._is_open:
                self._write("\n")
                self._is_open = False

    def _catch_up(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._waits is not None:
                self._line(self._waits)

    def _line(self, message: str) -> None:
        self._waits, self._at = None, time.monotonic()
        self._write(message + "\n")

    def _overwrite_line(self, message: str) -> None:
        back = "" if not self._is_open else "\r\x1b[K" if len(self._last) < shutil.get_terminal_size().columns else "\n"
        self._write(back + message)
        self._is_open = True

    def _write(self, text: str) -> None:
        try:
            self._stream().write(text)
            self._stream().flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream().fileno())


def mask_numbers(message: str) -> str | None:
    """What a message counts, without the numbers; None when it counts nothing."""
    return re.sub(r"\d[\d,.]*", "#", message) if re.search(r"\d of \d", message) else None


def is_screen(stream: TextIO) -> bool:
    """Whether a line of it can be written over."""
    return stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"
