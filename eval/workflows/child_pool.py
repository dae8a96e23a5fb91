"""Run child processes that each handle one request at a time, with JSON lines as input and output. A process that hangs or
breaks is killed with all its children."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from core.errors import BenchError
from eval.settings import Settings
from eval.system import SystemFailed

MAX_LINE_BYTES = 16 * 1024 * 1024
"""Maximum number of bytes of one line from a child process; an answer is a single line."""
MAX_PRINTED_BYTES = 4000
"""Number of bytes that are kept from the end of a child process's printed output, for error messages."""


class Child:
    """One running child process, which takes requests and replies in JSON lines."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.printed = bytearray()
        self.drain = asyncio.create_task(self._drain())

    @classmethod
    async def start_child(cls, words: Sequence[str], name: str, limit: float) -> "Child":
        """Start a child process and return it when it is ready; `words` are the command-line arguments after the Python
        interpreter. Raises BenchError if the process is not ready within `limit` seconds."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=MAX_LINE_BYTES,
            start_new_session=True,
        )
        child = cls(process)
        try:
            async with asyncio.timeout(limit):
                first = await child.receive()
        except TimeoutError as error:
            await child.kill_group()
            raise BenchError(f"{name} did not load within {limit:g} seconds.") from error
        except SystemFailed as error:
            raise BenchError(f"{name} cannot be loaded: {error}") from error
        if "error" in first:
            await child.kill_group()
            raise BenchError(f"{name} cannot be loaded: {first['error']}.")
        return child

    async def _drain(self) -> None:
        if self.process.stderr:
            while piece := await self.process.stderr.read(65536):
                self.printed += piece
                del self.printed[:-MAX_PRINTED_BYTES]

    async def send(self, message: Mapping[str, Any]) -> None:
        if self.process.stdin is None or self.process.returncode is not None:
            raise await self._describe_end()
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            await self.process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError) as error:
            raise await self._describe_end() from error

    async def receive(self) -> dict[str, Any]:
        if self.process.stdout is None:
            raise await self._describe_end()
        try:
            line = await self.process.stdout.readline()
        except ValueError as error:
            raise SystemFailed(f"The program's answer is longer than {MAX_LINE_BYTES // 2**20} MB.", stop="too_long") from error
        if not line:
            raise await self._describe_end()
        message: dict[str, Any] = json.loads(line)
        return message

    async def _describe_end(self) -> SystemFailed:
        await self.kill_group()
        lines = self.printed.decode("utf-8", "replace").strip().splitlines()
        last = f": {lines[-1].strip()[:300]}" if lines else ""
        return SystemFailed(f"The program ended with exit code {self.process.returncode}{last}.", stop="crashed")

    async def kill_group(self) -> None:
        """Kill the child process and all its children."""
        with suppress(ProcessLookupError):  # the process may have ended already
            os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()
        await self.drain


class ChildPool:
    """A pool of child processes, each started when it is first needed."""

    def __init__(self, words: Sequence[str], name: str, size: int, limit: float) -> None:
        self.words, self.name, self.limit = words, name, limit
        self.free: asyncio.LifoQueue[Child | None] = asyncio.LifoQueue()
        for _ in range(size):
            self.free.put_nowait(None)
        self.running: set[Child] = set()
        self._starting = asyncio.Lock()
        """Lock that lets processes start only one at a time, because many processes that start together on few cores would all
        be ready late."""
        self._first: asyncio.Task[None] | None = None

    def start_first(self) -> "ChildPool":
        """Start a first process in the background, e.g. while the model's first calls run, and return the pool. If the process
        cannot be started, the method `take` raises the error."""
        self._first = asyncio.create_task(self._start_first())
        return self

    async def _start_first(self) -> None:
        with suppress(BenchError):
            await self.give_back(await self.take(), True)

    async def take(self) -> Child:
        child = await self.free.get()
        try:
            if child is None or child.process.returncode is not None:
                async with self._starting:
                    child = await Child.start_child(self.words, self.name, self.limit)
                self.running.add(child)
        except BaseException:
            self.free.put_nowait(None)
            raise
        return child

    async def give_back(self, child: Child, is_healthy: bool) -> None:
        if not is_healthy:
            self.running.discard(child)
            await child.kill_group()
        self.free.put_nowait(child if is_healthy else None)

    async def close(self) -> None:
        if self._first is not None:
            await asyncio.gather(self._first, return_exceptions=True)
        for child in self.running:
            await child.kill_group()


async def close_pool(settings: Settings) -> None:
    """End the processes of the pool in the setting "pool"."""
    await settings["pool"].close()
