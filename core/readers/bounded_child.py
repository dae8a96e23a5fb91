"""Processes untrusted files in a separate process with limits, because such a file may make a process hang, use too much memory
or crash. A process that has answered is reused; a process that exceeded a limit is killed, and a new process is started for the
next request."""

import atexit
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from core.cancellation import raise_if_cancelled
from core.installation import IMPORT_FOLDER, complete_name
from core.readers.bounds import LENGTH_PREFIX, OUT_OF_MEMORY_STATUS

_WALL_SECONDS_PER_CPU_SECOND = 3
"""Number of wall-clock seconds that a request may take for each CPU second of its limit; other processes share the
processor."""
_CANCEL_CHECK_SECONDS = 0.3
"""Seconds between two checks of whether the computation was cancelled, while a caller waits for an answer."""
_READ_BYTES = 2**18
_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
"""Environment variables that the separate process inherits; no endpoint's key is among them."""


class BoundBroken(Exception):
    """Error for a separate process that exceeded a limit before its answer was complete."""

    def __init__(self, what: Literal["time", "memory", "output", "crash"]) -> None:
        super().__init__(what)
        self.what = what


class BoundedChildren:
    """Separate processes with limits, each of which runs the same module; this module calls core.readers.bounds.serve. Each
    calling thread uses a separate process; at most one idle process is kept for reuse."""

    def __init__(self, module: str, max_answer_bytes: int, decode: Callable[[bytes], Any] = json.loads) -> None:
        """Create the object without starting a process; the function `decode` decodes an answer, which is JSON by default."""
        self._module, self._max_answer_bytes, self._decode = module, max_answer_bytes, decode
        self._idle: list[_Child] = []
        self._lock = threading.Lock()
        atexit.register(self.close)
        os.register_at_fork(after_in_child=self._idle.clear)

    def ask(self, order: Mapping[str, Any], seconds: float) -> Iterator[Any]:
        """Send a request to a process and yield the process's answers. Each answer may take `seconds` of CPU time. Raises
        BoundBroken if the process exceeds a limit, or core.cancellation.Cancelled if the work is cancelled.

        A reused process may be damaged or short of memory. If such a process fails before its first answer, the request is sent
        to a new process."""
        message = json.dumps({**order, "seconds": seconds}).encode()
        is_answered = False
        while True:
            child = self._take()
            is_used = child.is_used
            try:
                for answer in child.answers(message, seconds * _WALL_SECONDS_PER_CPU_SECOND, self._max_answer_bytes):
                    is_answered = True
                    yield self._decode(answer)
                break
            except BoundBroken as broken:
                if is_answered or not is_used or broken.what not in ("memory", "crash"):
                    raise
            finally:
                self._release(child)

    def close(self) -> None:
        """End the idle process, if there is one."""
        with self._lock:
            while self._idle:
                self._idle.pop().kill()

    def _take(self) -> "_Child":
        with self._lock:
            return self._idle.pop() if self._idle else _Child(self._module)

    def _release(self, child: "_Child") -> None:
        with self._lock:
            if child.is_free and not self._idle:
                self._idle.append(child)
                return
        child.kill()


class _Child:
    """One separate process, with the pipes that connect it to this process."""

    def __init__(self, module: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-X", "utf8", "-m", complete_name(module)],
            cwd=IMPORT_FOLDER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            bufsize=0,
            pipesize=2**20,
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
        )
        self._buffer = bytearray()
        self.is_used, self.is_free = False, True

    def answers(self, order: bytes, wait_seconds: float, max_bytes: int) -> Iterator[bytes]:
        """Yield the process's encoded answers to one request. The process accepts the next request only after the last answer
        is read."""
        self.is_free, self.is_used = False, True
        self._send(LENGTH_PREFIX.pack(len(order)) + order)
        while length := LENGTH_PREFIX.unpack(self._read_bytes(LENGTH_PREFIX.size, wait_seconds))[0]:
            if length > max_bytes:
                raise BoundBroken("output")
            yield self._read_bytes(length, wait_seconds)
        self.is_free = True

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()

    def _send(self, message: bytes) -> None:
        assert self._process.stdin is not None
        rest = memoryview(message)
        try:
            while rest:
                rest = rest[self._process.stdin.write(rest) :]
        except BrokenPipeError as error:
            raise self._explain_end() from error

    def _read_bytes(self, size: int, wait_seconds: float) -> bytes:
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        end = time.monotonic() + wait_seconds
        while len(self._buffer) < size:
            left = end - time.monotonic()
            if left <= 0:
                raise BoundBroken("time")
            raise_if_cancelled()
            if not poll.poll(min(left, _CANCEL_CHECK_SECONDS) * 1000):
                continue
            piece = os.read(pipe, _READ_BYTES)
            if not piece:
                raise self._explain_end()
            self._buffer += piece
        answer = bytes(self._buffer[:size])
        del self._buffer[:size]
        return answer

    def _explain_end(self) -> BoundBroken:
        """Return an error that names the limit which the process exceeded, as its exit status shows."""
        import signal

        status = self._process.wait()
        whys: dict[int, Literal["time", "memory"]] = {
            OUT_OF_MEMORY_STATUS: "memory",
            -signal.SIGKILL: "memory",
            -signal.SIGXCPU: "time",
        }
        return BoundBroken(whys.get(status, "crash"))
