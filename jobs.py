"""The background runner: a daemon thread with an asyncio loop in which jobs run. A job continues after the browser tab that
started it is closed. Each result of a job is stored immediately, so that no result is lost if the process is killed."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from core.errors import BenchError
from workbench import Workbench
from workbench.control import Control
from workbench.guest_workbench import find_whole

CANCEL_CHECK_SECONDS = 0.2
"""Seconds between two checks whether a job was cancelled for good."""
CANCEL_GRACE_SECONDS = 0.3
"""Seconds that the calls in flight of a cancelled job have to finish."""
CANCEL_END_SECONDS = 0.4
"""Seconds that the work of a cancelled job has to end after its calls were aborted."""
KINDS_WITH_SYSTEMS = ("run", "sweep")
"""Kinds of jobs that wait for systems under test, which may send requests of their own."""
KINDS_THAT_BREAK_OFF = ("draft_one",)
"""Kinds of jobs that abort their calls themselves when they are cancelled."""
_runners: "dict[Workbench, Runner]" = {}
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class RunningJob:
    """A job that the background runner has started."""

    job: str
    control: Control
    future: "Future[dict[str, Any]]"
    listeners: "list[Callable[[str], None]]"
    """Functions that are called with each progress message of the job."""

    @property
    def is_over(self) -> bool:
        return self.future.done()

    def result(self) -> dict[str, Any]:
        """Wait until the job ends and return its result, or raise its error. Signals such as Ctrl-C are handled during the
        wait."""
        while not self.future.done():
            wait([self.future], timeout=0.2)
        return self.future.result()

    def cancel(self) -> None:
        """Stop the job once its calls in flight have finished and their results are stored."""
        self.control.cancel()

    @property
    def is_stopping(self) -> bool:
        """Return whether the job was cancelled but its last calls are still in flight."""
        return not self.is_over and self.control.stopping


class Runner:
    """The background thread, with its event loop, that runs the jobs of one workbench."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._running: dict[str, RunningJob] = {}
        self._cut_short: set[str] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="jobs", daemon=True)
        self._thread.start()

    def submit(self, job: str, say: Callable[[str], None] = lambda message: None, by: str = "app") -> RunningJob:
        """Start a job, or return the running job if the job has already been started.

        If the process ends before the job, a job that the app started continues at the app's next start; a job that a terminal
        command started waits until somebody repeats the command."""
        with _lock:
            running = self._running.get(job)
            if running is None or running.is_over:
                listeners = [say]

                def report(message: str) -> None:
                    self._bench.upkeep.keep_message(job, message)
                    for listen in tuple(listeners):
                        listen(message)

                control = Control(say=report, asked=lambda: self._bench.upkeep.is_cancelled(job))
                future = asyncio.run_coroutine_threadsafe(self._work(job, control, by), self._loop)
                running = self._running[job] = RunningJob(job, control, future, listeners)
            else:
                running.listeners.append(say)
            return running

    def resume(self, job: str) -> RunningJob:
        """Continue a job that was interrupted or stopped. Raises BenchError if the job has ended, or is still stopping."""
        whole = self._bench.upkeep.find_resumable(job)
        if self.is_stopping(whole):
            raise BenchError(f"Job {whole} is stopping and still has calls in flight: resume the job after it has stopped.")
        return self.submit(whole)

    def pause(self, job: str) -> None:
        """Stop the job once its calls in flight have finished, so that it can be resumed. Raises BenchError if the job is not
        running."""
        running = self._running.get(self._bench.upkeep.pause(job))
        if running is None or running.is_over:
            raise BenchError(f"Job {job} is not running, so it cannot be paused.")
        running.cancel()

    def cancel(self, job: str) -> None:
        """Stop the job for good once its calls in flight have finished. Raises BenchError if there is no such job, or if it has
        ended."""
        self._bench.upkeep.cancel(job)
        running = self._running.get(job)
        if running is not None:
            running.cancel()

    def is_at_work(self, job: str) -> bool:
        """Return whether the job is running in this process."""
        return job in self._running and not self._running[job].is_over

    def is_stopping(self, job: str) -> bool:
        """Return whether the job was cancelled but its last calls are still in flight."""
        return job in self._running and self._running[job].is_stopping

    async def _work(self, job: str, control: Control, by: str) -> dict[str, Any]:
        kind = self._bench.upkeep.begin(job, by)
        try:
            result = await self._carry_out(job, kind, control)
        except Exception as error:
            self._bench.upkeep.fail(job, str(error) if isinstance(error, BenchError) else f"{type(error).__name__}: {error}")
            raise
        self._bench.upkeep.end(job, result, goes_on=by == "app" and job in self._cut_short)
        return result

    async def _carry_out(self, job: str, kind: str, control: Control) -> dict[str, Any]:
        """Do the job's work and return its result. Raises BenchError if the work was aborted because the job was cancelled."""
        body = asyncio.create_task(self._bench.find_job_body(kind)(job, control))
        watcher = asyncio.create_task(self._break_off_if_cancelled(job, kind, control, body))
        try:
            result = await body
        except asyncio.CancelledError:
            if control.is_broken_off and body.cancelled():
                raise BenchError(f"The job {job} was cancelled; its results so far are stored.") from None
            raise
        finally:
            watcher.cancel()
            self._bench.agents.forget_job(job)
        return {**result, "stopped": "cancelled"} if control.is_broken_off and result["stopped"] else result

    async def _break_off_if_cancelled(
        self, job: str, kind: str, control: Control, body: "asyncio.Task[dict[str, Any]]"
    ) -> None:
        """Abort the job's calls in flight soon after somebody has cancelled the job for good, because an endpoint may never
        answer. The calls of a job that is only paused are not aborted."""
        if kind in KINDS_THAT_BREAK_OFF:
            return
        while not await asyncio.to_thread(self._is_cancelled, control):
            await asyncio.sleep(CANCEL_CHECK_SECONDS)
        await asyncio.sleep(CANCEL_GRACE_SECONDS)
        control.is_broken_off = True
        self._bench.agents.end_calls(job)
        if kind in KINDS_WITH_SYSTEMS:
            await asyncio.sleep(CANCEL_END_SECONDS)
            body.cancel()

    def _is_cancelled(self, control: Control) -> bool:
        """Return whether somebody has cancelled the job for good; if so, also stop the job."""
        with suppress(Exception):  # the workspace may be closing
            if control.asked():
                control.cancel()
                return True
        return False

    @property
    def is_working(self) -> bool:
        """Return whether any job of this runner is still running."""
        return any(not running.is_over for running in self._running.values())

    def stop(self, seconds: float | None = None, goes_on: bool = False) -> None:
        """Stop all jobs once their calls in flight have finished, and then the event loop.

        Wait at most `seconds` for the jobs (None = no limit); jobs that take longer end with the process. With `goes_on`, the
        jobs that the app started and that nobody had stopped before this call continue at the app's next start."""
        if goes_on:
            self._cut_short.update(job for job, running in self._running.items() if not running.control.stopping)
        for running in self._running.values():
            running.cancel()
        if not wait([running.future for running in self._running.values()], timeout=seconds).not_done:
            asyncio.run_coroutine_threadsafe(self._loop.shutdown_default_executor(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()


def start(bench: Workbench) -> Runner:
    """Return the background runner of the workbench; the first call starts it."""
    bench = find_whole(bench)
    with _lock:
        if bench not in _runners:
            _runners[bench] = Runner(bench)
        return _runners[bench]


def stop(bench: Workbench, seconds: float | None = None, goes_on: bool = False) -> None:
    """Stop the background runner of the workbench, if it has one; see Runner.stop."""
    with _lock:
        runner = _runners.get(bench)
    if runner is None:
        return
    runner.stop(seconds, goes_on)
    if not runner.is_working:
        with _lock:
            del _runners[bench]


def is_working() -> bool:
    """Return whether any job of this process is still running."""
    with _lock:
        return any(runner.is_working for runner in _runners.values())
