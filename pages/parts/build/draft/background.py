"""Long work of a page: done in the background once, with a word in its place until then."""

from collections.abc import Callable, Hashable
from typing import TypeVar

from pages.parts.ui.waiting import when_ready
from workbench import open_workbench
from workbench.kept import RunningWork

T = TypeVar("T")


def compute_once(key: Hashable, make: Callable[[], T], words: str) -> T | None:
    """The result of `make` for that key; None while the words stand in its place, or the reason why there is none."""

    def ask() -> RunningWork[T]:
        return open_workbench().one_draft.run_in_background(key, make)

    return when_ready(ask, words)
