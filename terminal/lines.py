"""Writes human-readable lines to stderr. On a terminal, each progress line ("3 of 40 drafted") replaces the previous one;
elsewhere, the latest progress line is written once a second. All other lines stay."""

import os
import re
import shutil
import threading
import time
from collections.abc import Callable
from typing import TextIO

COUNT_SECONDS = 1.0
"""Minimum seconds between two progress lines about the same count, on a stream that is not a terminal, where a line cannot
replace the previous line."""


class Lines:
    """Writes lines to a stream. If nobody reads the stream any more, no error is raised, so that the work continues."""

    def __init__(self, stream: Callable[[], TextIO]) -> None:
        self._stream = stream
        self._lock = threading.RLock()
        self._last = ""
        self._pending: str | None = None
        self._written_at = 0.0
        self._timer: threading.Timer | None = None
        self._is_open = False

    def say(self, message: str) -> None:
        """Write one line: immediately or, if the line reports progress, within COUNT_SECONDS."""
        with self._lock:
            is_same_count = mask_numbers(message) is not None and mask_numbers(message) == mask_numbers(self._last)
            if is_same_count and message == self._last:
                return
            if not is_same_count:
                self.end()
            stream = self._stream()
            if stream.isatty() and os.environ.get("TERM", "dumb") != "dumb":
                self._overwrite_line(message)
            elif not is_same_count or time.monotonic() - self._written_at >= COUNT_SECONDS:
                self._write_line(message)
            else:
                self._pending = message
                if self._timer is None:
                    self._timer = threading.Timer(COUNT_SECONDS, self._write_pending)
                    self._timer.daemon = True
                    self._timer.start()
            self._last = message

    def end(self) -> None:
        """Write the pending progress line, if there is one. End the last progress line with a line break, so that later output
        does not replace it."""
        with self._lock:
            self._write_pending()
            if self._is_open:
                self._write("\n")
                self._is_open = False

    def _write_pending(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._pending is not None:
                self._write_line(self._pending)

    def _write_line(self, message: str) -> None:
        self._pending, self._written_at = None, time.monotonic()
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
    """Return a progress message up to its first comma, with each number replaced by #; None for any other message. Two progress
    messages with the same result count the same thing, such as "3 of 9 answered" and "4 of 9 answered, 1 failed"."""
    return re.sub(r"\d([\d,.]*\d)?", "#", message).partition(",")[0] if re.search(r"\d of \d", message) else None
