"""A server that does not answer: one line after some seconds, and an end."""

import threading
from collections.abc import Callable

from terminal.silence import watch_silence

WAIT = 10.0


def wait_for(event: threading.Event) -> None:
    assert event.wait(WAIT)


def recorder() -> tuple[list[str], threading.Event, Callable[[str], None]]:
    said, is_said = list[str](), threading.Event()

    def say(message: str) -> None:
        said.append(message)
        is_said.set()

    return said, is_said, say


def test_one_line_is_said_for_each_silence() -> None:
    said, is_said, say = recorder()
    with watch_silence(say, "no answer", 0.02) as note_answer:
        wait_for(is_said)
        threading.Event().wait(0.1)
        assert said == ["no answer"], "the silence goes on, and is not said again"
        is_said.clear()
        note_answer()
        wait_for(is_said)
    assert said == ["no answer"] * 2


def test_nothing_is_said_to_one_who_hears_answers() -> None:
    said, _, say = recorder()
    with watch_silence(say, "no answer", 5.0) as note_answer:
        for _ in range(1_000):
            note_answer()
    assert said == [] and not [one for one in threading.enumerate() if one.name == "silence"]
