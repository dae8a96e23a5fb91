"""Answers that a page wants at every rerun and that take longer than a click may: reckoned aside once, then kept."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from workbench.aside import Aside

T = TypeVar("T")
KEPT = 32
"""Answers that are kept; the oldest goes first."""


class SlowAnswers:
    """One answer per key."""

    def __init__(self) -> None:
        self._aside = Aside()
        self._lock = threading.Lock()
        self._answers: OrderedDict[str, Any] = OrderedDict()

    def ask(self, key: str, work: Callable[[], T], wait: float) -> T | None:
        """What `work` gives (never None); None when that takes longer than `wait` seconds, and it goes on: ask again. Raises
        what `work` raised."""
        with self._lock:
            if key in self._answers:
                found: T = self._answers[key]
                return found
        answer: T | None = self._aside.ask(key, work, wait)
        if answer is not None:
            with self._lock:
                self._answers[key] = answer
                while len(self._answers) > KEPT:
                    self._answers.popitem(last=False)
        return answer

    def close(self) -> None:
        """Wait for what is under way."""
        self._aside.close()
