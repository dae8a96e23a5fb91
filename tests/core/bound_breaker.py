"""A process for tests/core/readers/test_bounded_child.py that does what the order says, however bad that is."""

import ctypes
import os
import socket
from collections.abc import Iterator
from typing import Any

from core.readers.bounds import serve


def answers(order: dict[str, Any]) -> Iterator[Any]:
    if order["do"] == "hang":
        while True:
            pass
    if order["do"] == "grow":
        yield len(b"x" * 2**33)
    if order["do"] == "die":
        os.abort()
    if order["do"] == "print":
        print("rubbish", flush=True)
    if order["do"] == "chatter":
        yield "x" * order["length"]
    if order["do"] == "call":
        try:
            socket.create_connection(("127.0.0.1", 9))
        except PermissionError:
            yield "refused in Python"
        yield ctypes.CDLL(None, use_errno=True).socket(2, 1, 0), ctypes.get_errno()
    if order["do"] == "tell":
        yield sorted(os.environ)
    yield from range(order.get("count", 0))
    yield os.getpid()


if __name__ == "__main__":
    serve(answers, 1_000_000_000)
