"""A reader that dies at its first order, as a library that meets a damaged file may."""

import os
import signal
from collections.abc import Iterator
from typing import Any

from core.readers.bounds import serve


def answers(order: dict[str, Any]) -> Iterator[Any]:
    os.kill(os.getpid(), signal.SIGSEGV)
    yield order


if __name__ == "__main__":
    serve(answers, 10**9)
