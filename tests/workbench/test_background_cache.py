"""Work that is cache: made once, told of while it is under way, tried again after a failure, done in its asker's context."""

import threading
import time
from contextvars import ContextVar
from functools import partial

import pytest

from core.cancellation import Cancelled, raise_if_cancelled
from core.errors import BenchError
from workbench.background_cache import BackgroundCache

WHO: ContextVar[str] = ContextVar("who", default="nobody")


def test_what_is_kept_is_made_once_and_told_of_while_it_is_under_way() -> None:
    cache, go, made = BackgroundCache(), threading.Event(), []

    def make() -> str:
        go.wait(10)
        made.append(1)
        return "done"

    assert cache.get("a", make, wait_seconds=0.01).value is None
    assert not cache.get("a", make).is_ready
    go.set()
    assert cache.wait_for("a", make) == "done" and cache.get("a", make).value == "done" and made == [1]
    cache.close()


def test_a_failure_is_raised_once_and_then_tried_again() -> None:
    cache, ends = BackgroundCache(), iter([BenchError("Not now."), None])

    def make() -> str:
        if error := next(ends):
            raise error
        return "done"

    with pytest.raises(BenchError, match="Not now"):
        cache.wait_for("a", make)
    assert cache.wait_for("a", make) == "done"
    cache.close()


def test_the_oldest_results_go_first() -> None:
    cache, made = BackgroundCache(max_results=2), []

    def make(key: str) -> str:
        made.append(key)
        return key

    for key in ("a", "b", "c", "b", "a"):
        cache.wait_for(key, partial(make, key))
    assert made == ["a", "b", "c", "a"]
    cache.close()


def test_work_sees_what_its_asker_sees() -> None:
    cache, token = BackgroundCache(), WHO.set("Ada")
    assert cache.wait_for("a", WHO.get) == "Ada"
    WHO.reset(token)
    assert cache.wait_for("b", WHO.get) == "nobody"
    cache.close()


def test_a_close_breaks_off_what_asks_between_its_pieces() -> None:
    cache, began, pieces = BackgroundCache(), threading.Event(), iter(range(1_000_000))

    def make() -> str:
        for _ in pieces:
            began.set()
            time.sleep(0.001)
            raise_if_cancelled()
        return "all of it"

    assert cache.get("a", make, wait_seconds=0.01).value is None
    assert began.wait(10)
    cache.close()
    assert next(pieces) < 999_999
    with pytest.raises(Cancelled):
        cache.get("a", make)


def test_no_more_works_run_at_once_than_a_cache_has_threads_and_others_do_not_wait_for_them() -> None:
    slow, quick, go, begun = BackgroundCache(threads=2), BackgroundCache(), threading.Event(), []

    def make(name: str) -> str:
        begun.append(name)
        go.wait(10)
        return name

    pieces = [slow.submit(partial(make, name)) for name in ("a", "b", "c", "d")]
    assert quick.wait_for("e", lambda: "e") == "e"
    assert set(begun) <= {"a", "b"} and not any(piece.done() for piece in pieces)
    go.set()
    assert [piece.result(10) for piece in pieces] == ["a", "b", "c", "d"] and sorted(begun) == ["a", "b", "c", "d"]
    slow.close()
    quick.close()


def test_a_close_waits_for_the_works_of_its_own_cache_alone() -> None:
    own, other, go, begun = BackgroundCache(), BackgroundCache(), threading.Event(), threading.Event()

    def make() -> str:
        begun.set()
        go.wait(10)
        return "done"

    held, first = other.submit(make), own.submit(lambda: "first")
    own.close(finishes_all=True)
    assert first.result(0) == "first" and not held.done()
    with pytest.raises(Cancelled, match="closed"):
        own.submit(lambda: "late")
    assert begun.wait(10)
    waiting = other.submit(lambda: "never")
    closing = threading.Thread(target=other.close)
    closing.start()
    while not waiting.cancelled():
        pass
    assert closing.is_alive() and not held.done()
    go.set()
    closing.join(10)
    assert held.result(0) == "done" and not closing.is_alive()
