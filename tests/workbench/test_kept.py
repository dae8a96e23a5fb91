"""Work that is kept: made once, told of while it is under way, tried again after a failure, done in its asker's context."""

import threading
import time
from contextvars import ContextVar
from functools import partial

import pytest

from core.cancellation import Cancelled, raise_if_cancelled
from core.errors import BenchError
from workbench.kept import BackgroundCache

WHO: ContextVar[str] = ContextVar("who", default="nobody")


def test_what_is_kept_is_made_once_and_told_of_while_it_is_under_way() -> None:
    kept, go, made = BackgroundCache(), threading.Event(), []

    def make() -> str:
        go.wait(10)
        made.append(1)
        return "done"

    assert kept.get("a", make, patience=0.01).value is None
    assert not kept.get("a", make).is_ready
    go.set()
    assert kept.now("a", make) == "done" and kept.get("a", make).value == "done" and made == [1]
    kept.close()


def test_a_failure_is_raised_once_and_then_tried_again() -> None:
    kept, ends = BackgroundCache(), iter([BenchError("Not now."), None])

    def make() -> str:
        if error := next(ends):
            raise error
        return "done"

    with pytest.raises(BenchError, match="Not now"):
        kept.now("a", make)
    assert kept.now("a", make) == "done"
    kept.close()


def test_the_oldest_results_go_first() -> None:
    kept, made = BackgroundCache(most=2), []

    def make(key: str) -> str:
        made.append(key)
        return key

    for key in ("a", "b", "c", "b", "a"):
        kept.now(key, partial(make, key))
    assert made == ["a", "b", "c", "a"]
    kept.close()


def test_work_sees_what_its_asker_sees() -> None:
    kept, token = BackgroundCache(), WHO.set("Ada")
    assert kept.now("a", WHO.get) == "Ada"
    WHO.reset(token)
    assert kept.now("b", WHO.get) == "nobody"
    kept.close()


def test_a_close_breaks_off_what_asks_between_its_pieces() -> None:
    kept, began, pieces = BackgroundCache(), threading.Event(), iter(range(1_000_000))

    def make() -> str:
        for _ in pieces:
            began.set()
            time.sleep(0.001)
            raise_if_cancelled()
        return "all of it"

    assert kept.get("a", make, patience=0.01).value is None
    assert began.wait(10)
    kept.close()
    assert next(pieces) < 999_999
    with pytest.raises(Cancelled):
        kept.get("a", make)
