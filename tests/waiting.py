"""Waiting for a condition, for tests of what happens in another process."""

import time
from collections.abc import Callable


def until(claim: Callable[[], object], seconds: float = 30.0) -> None:
    """Returns as soon as the claim holds; fails when it has not for so long."""
    end = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.05)
