"""A process of its own for what foreign files may make hang, grow or crash. One that has answered is kept for the next order;
one that broke a bound is killed, and the next order gets a new one."""

import atexit
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from core.readers.bounds import LENGTH_PREFIX, OUT_OF_MEMORY_STATUS

ROOT = Path(__file__).parents[2]
_WALL_SECONDS_PER_CPU_SECOND = 3
"""Seconds by the clock for each second of computing: other processes want theirs too."""
_READ_BYTES = 2**18
_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
"""What the process hears of ours: no key of an endpoint is among it."""


class BoundBroken(Exception):
    """An order was not answered within its bounds."""

    def __init__(self, what: Literal["time", "memory", "output", "crash"]) -> None:
        super().__init__(what)
        self.what = what


class BoundedChildren:
    """Processes that run one module, which calls core.readers.bounds.serve. At most one waits idle; as many work as threads
    ask."""

    def __init__(self, module: str, longest_answer: int) -> None:
        self._module, self._longest = module, longest_answer
        self._idle: list[_Child] = []
        self._lock = threading.Lock()
        atexit.register(self.close)
        os.register_at_fork(after_in_child=self._idle.clear)

    def ask(self, order: Mapping[str, Any], seconds: float) -> Iterator[Any]:
        """The answers to the order, as they come; each may take so many seconds of computing. Raises BoundBroken, after which
        nothing more comes. A process that has worked before may be full or damaged: then a new one is asked once more."""
        words = json.dumps({**order, "seconds": seconds}).encode()
        is_answered = False
        while True:
            child = self._take()
            is_used = child.is_used
            try:
                for answer in child.answers(words, seconds * _WALL_SECONDS_PER_CPU_SECOND, self._longest):
                    is_answered = True
                    yield answer
                break
            except BoundBroken as broken:
                if is_answered or not is_used or broken.what not in ("memory", "crash"):
                    raise
            finally:
                self._give_back(child)

    def close(self) -> None:
        """End the one that is idle."""
        with self._lock:
            while self._idle:
                self._idle.pop().kill()

    def _take(self) -> "_Child":
        with self._lock:
            return self._idle.pop() if self._idle else _Child(self._module)

    def _give_back(self, child: "_Child") -> None:
        with self._lock:
            if child.is_free and not self._idle:
                self._idle.append(child)
                return
        child.kill()


class _Child:
    """One process."""

    def __init__(self, module: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-X", "utf8", "-m", module],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            bufsize=0,
            pipesize=2**20,
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
        )
        self._held = bytearray()
        self.is_used, self.is_free = False, True

    def answers(self, order: bytes, patience: float, longest: int) -> Iterator[Any]:
        """Those to one order. Left before its end, the process is not free for another."""
        self.is_free, self.is_used = False, True
        self._send(LENGTH_PREFIX.pack(len(order)) + order)
        while length := LENGTH_PREFIX.unpack(self._read_bytes(LENGTH_PREFIX.size, patience))[0]:
            if length > longest:
                raise BoundBroken("output")
            yield json.loads(self._read_bytes(length, patience))
        self.is_free = True

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()

    def _send(self, words: bytes) -> None:
        assert self._process.stdin is not None
        left = memoryview(words)
        try:
            while left:
                left = left[self._process.stdin.write(left) :]
        except BrokenPipeError as error:
            raise self._explain_end() from error

    def _read_bytes(self, size: int, patience: float) -> bytes:
        """So many bytes of what it says."""
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        waiter = select.poll()
        waiter.register(pipe, select.POLLIN)
        end = time.monotonic() + patience
        while len(self._held) < size:
            left = end - time.monotonic()
            if left <= 0 or not waiter.poll(left * 1000):
                raise BoundBroken("time")
            piece = os.read(pipe, _READ_BYTES)
            if not piece:
                raise self._explain_end()
            self._held += piece
        found = bytes(self._held[:size])
        del self._held[:size]
        return found

    def _explain_end(self) -> BoundBroken:
        """Why it ended by itself."""
        import signal

        status = self._process.wait()
        whys: dict[int, Literal["time", "memory"]] = {
            OUT_OF_MEMORY_STATUS: "memory",
            -signal.SIGKILL: "memory",
            -signal.SIGXCPU: "time",
        }
        return BoundBroken(whys.get(status, "crash"))
