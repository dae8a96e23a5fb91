"""Answers that a page wants and that take longer than a click may: reckoned in a thread, asked for until they are there."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, TimeoutError
from contextvars import copy_context
from typing import Any, TypeVar

T = TypeVar("T")
KEPT = 32
"""Answers that are kept; the oldest goes first."""


class SlowAnswers:
    """One answer per key, reckoned once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: OrderedDict[str, Future[Any]] = OrderedDict()

    def ask(self, key: str, work: Callable[[], T], wait: float) -> T | None:
        """What `work` gives, as soon as it is there; None when that takes longer than `wait` seconds, and it goes on. Raises
        what `work` raised."""
        with self._lock:
            answer = self._answers.get(key)
            if answer is None:
                answer = self._answers[key] = Future()
                threading.Thread(target=copy_context().run, args=(_work, answer, work), name="slow answer", daemon=True).start()
                while len(self._answers) > KEPT:
                    self._answers.popitem(last=False)
        try:
            found: T = answer.result(wait)
        except TimeoutError:
            return None
        return found


def _work(answer: "Future[Any]", work: Callable[[], Any]) -> None:
    try:
        answer.set_result(work())
    except Exception as error:  # noqa: BLE001 - handed to whoever asks
        answer.set_exception(error)
