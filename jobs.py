"""The background runner: one daemon thread with an asyncio loop, in which long work outlives the terminal line or the browser
tab that asked for it. What a job has done is in the store at every moment; the runner itself may be killed."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import Any

from core.errors import BenchError
from workbench import Workbench
from workbench.control import Control

_runners: "dict[Workbench, Runner]" = {}
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class RunningJob:
    """A job at work."""

    job: str
    control: Control
    future: "Future[dict[str, Any]]"
    hearers: "list[Callable[[str], None]]"
    """Where its progress goes; who asks for a job that runs already hears it from there on."""

    def result(self) -> dict[str, Any]:
        """Wait for its end; raises what ended it. Stays awake for signals."""
        while not self.future.done():
            wait([self.future], timeout=0.2)
        return self.future.result()

    def cancel(self) -> None:
        """Finish the calls in flight, store them, stop."""
        self.control.cancel()

    @property
    def is_stopping(self) -> bool:
        """Whether somebody wants it stopped and its last calls are still in flight."""
        return not self.future.done() and self.control.stopping


class Runner:
    """One thread, one loop, for one workbench."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._running: dict[str, RunningJob] = {}
        self._cut_short: set[str] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="jobs", daemon=True)
        self._thread.start()

    def submit(self, job: str, say: Callable[[str], None] = lambda message: None, by: str = "app") -> RunningJob:
        """Work the job; the same job twice is one. One that was begun by the app goes on by itself at its next start, should
        the process end before it; one by a terminal waits for its command."""
        with _lock:
            running = self._running.get(job)
            if running is None or running.future.done():
                hearers = [say]

                def heard(message: str) -> None:
                    self._bench.upkeep.told(job, message)
                    for hear in tuple(hearers):
                        hear(message)

                control = Control(say=heard, asked=lambda: self._bench.upkeep.is_cancelled(job))
                future = asyncio.run_coroutine_threadsafe(self._work(job, control, by), self._loop)
                running = self._running[job] = RunningJob(job, control, future, hearers)
            else:
                running.hearers.append(say)
            return running

    def resume(self, job: str) -> RunningJob:
        """Go on with an interrupted or stopped job. Raises BenchError when it is over, or still stopping."""
        whole = self._bench.upkeep.resumable(job)
        if self.is_stopping(whole):
            raise BenchError(f"Job {whole} is still finishing its calls in flight: resume it when it has paused.")
        return self.submit(whole)

    def pause(self, job: str) -> None:
        """Stop it after its calls in flight; it can go on. Raises BenchError when it is not at work."""
        running = self._running.get(self._bench.upkeep.pause(job))
        if running is None or running.future.done():
            raise BenchError(f"Job {job} is not at work: there is nothing to pause.")
        running.cancel()

    def cancel(self, job: str) -> None:
        """Stop it after its calls in flight; it never goes on. Raises BenchError when it is done, or no job."""
        self._bench.upkeep.cancel(job)
        running = self._running.get(job)
        if running is not None:
            running.cancel()

    def is_at_work(self, job: str) -> bool:
        """Whether this runner has it in hand."""
        running = self._running.get(job)
        return running is not None and not running.future.done()

    def is_stopping(self, job: str) -> bool:
        """Whether it is asked to stop and its last calls are still in flight."""
        running = self._running.get(job)
        return running is not None and running.is_stopping

    def message(self, job: str) -> str:
        """What the job said last in this process; "" when it said nothing."""
        return str(self._bench.upkeep.job(job).message)

    async def _work(self, job: str, control: Control, by: str) -> dict[str, Any]:
        kind = self._bench.upkeep.begin(job, by)
        try:
            result = await self._bench.work(kind)(job, control)
        except Exception as error:
            self._bench.upkeep.fail(job, str(error) if isinstance(error, BenchError) else f"{type(error).__name__}: {error}")
            raise
        self._bench.upkeep.end(job, result, goes_on=by == "app" and job in self._cut_short)
        return result

    @property
    def is_working(self) -> bool:
        return any(not running.future.done() for running in self._running.values())

    def stop(self, seconds: float | None = None, goes_on: bool = False) -> None:
        """End every job after its calls in flight, then the loop. What has not ended after so many seconds (None = however
        long it takes) is left to the end of the process. With `goes_on` the jobs of the app that nobody else stopped go on at
        its next start."""
        if goes_on:
            self._cut_short.update(job for job, running in self._running.items() if not running.control.stopping)
        for running in self._running.values():
            running.cancel()
        left = wait([running.future for running in self._running.values()], timeout=seconds).not_done
        if not left:
            asyncio.run_coroutine_threadsafe(self._loop.shutdown_default_executor(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()


def start(bench: Workbench) -> Runner:
    """The runner of that workbench; made at the first call, the same one ever after."""
    with _lock:
        if bench not in _runners:
            _runners[bench] = Runner(bench)
        return _runners[bench]


def stop(bench: Workbench, seconds: float | None = None, goes_on: bool = False) -> None:
    """End the runner of that workbench, if it has one: see Runner.stop."""
    with _lock:
        runner = _runners.get(bench)
    if runner is None:
        return
    runner.stop(seconds, goes_on)
    if not runner.is_working:
        with _lock:
            del _runners[bench]


def is_working() -> bool:
    """Whether any job of this process is not over."""
    with _lock:
        return any(runner.is_working for runner in _runners.values())
