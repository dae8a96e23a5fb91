"""What is done in a process aside is bounded: it is ended when it hangs, grows, breaks or talks too much, and the next order
goes to a new one."""

import errno
import platform
import sys
import threading
from collections.abc import Iterator

import pytest

from core.readers.bounded_child import BoundBroken, BoundedChildren


@pytest.fixture
def children() -> Iterator[BoundedChildren]:
    made = BoundedChildren("tests.core.bound_breaker", 1_000)
    yield made
    made.close()


def ask(children: BoundedChildren, do: str, **more: object) -> list[object]:
    return list(children.ask({"do": do, **more}, 1))


def test_one_process_answers_order_after_order(children: BoundedChildren) -> None:
    first, second = ask(children, "count", count=3), ask(children, "print")
    assert first == [0, 1, 2, second[0]]


@pytest.mark.parametrize(("do", "what"), [("hang", "time"), ("grow", "memory"), ("die", "crash"), ("chatter", "output")])
def test_a_broken_bound_is_told_and_the_next_order_is_answered(children: BoundedChildren, do: str, what: str) -> None:
    before = ask(children, "count")
    with pytest.raises(BoundBroken) as broken:
        ask(children, do, length=2_000)
    assert broken.value.what == what
    assert ask(children, "count") != before


def test_what_is_left_half_heard_mixes_with_nothing(children: BoundedChildren) -> None:
    half = children.ask({"do": "count", "count": 100_000}, 5)
    assert next(half) == 0
    half.close()
    assert ask(children, "count", count=1)[0] == 0


def test_two_threads_have_two_processes(children: BoundedChildren) -> None:
    first = children.ask({"do": "count", "count": 1}, 1)
    next(first)
    found: list[object] = []
    other = threading.Thread(target=lambda: found.extend(ask(children, "count")))
    other.start()
    other.join()
    assert found and found != list(first)


@pytest.mark.skipif(sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"), reason="no filter known")
def test_it_has_no_network_in_python_nor_in_c(children: BoundedChildren) -> None:
    in_python, in_c, _ = ask(children, "call")
    assert in_python == "refused in Python" and in_c == [-1, errno.EPERM]


def test_it_hears_of_no_key(children: BoundedChildren, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "secret")
    names = ask(children, "tell")[0]
    assert isinstance(names, list) and "PATH" in names and "SOME_API_KEY" not in names
