"""Waiting for a condition, for tests of what happens in another process."""

import threading
import time
from collections.abc import Callable

import jobs
from tests.openai_server import Running
from workbench import Workbench


def until(claim: Callable[[], object], seconds: float = 60.0) -> None:
    """Returns as soon as the claim holds; fails when it has not for so long."""
    end = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.05)


def stop_in_flight(bench: Workbench, job: jobs.RunningJob, server: Running, goes_on: bool = False) -> None:
    """Stops the runner of the workbench while the endpoint holds the job's calls, and lets them go once the job is stopping."""

    def release() -> None:
        until(lambda: job.control.stopping)
        server.script([])

    releasing = threading.Thread(target=release)
    releasing.start()
    jobs.stop(bench, goes_on=goes_on)
    releasing.join()
