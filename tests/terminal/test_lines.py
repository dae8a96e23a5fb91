"""What a terminal and a file are told of a job that goes on."""

import io

import pytest

from terminal import lines
from terminal.lines import Lines


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def told(stream: io.StringIO, *messages: str) -> str:
    said = Lines(lambda: stream)
    for message in messages:
        said.say(message)
    said.end()
    return stream.getvalue()


def test_a_file_gets_the_first_and_the_last_line_of_what_goes_on_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "COUNT_SECONDS", 600.0)
    numbers = [f"vanilla: {n} of 1,000 answered" for n in range(1, 1_001)]
    assert told(io.StringIO(), *numbers, "Scoring ...") == f"{numbers[0]}\n{numbers[-1]}\nScoring ...\n"


def test_what_waits_is_written_without_another_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "COUNT_SECONDS", 0.05)
    stream = io.StringIO()
    said = Lines(lambda: stream)
    said.say("1 of 3")
    said.say("2 of 3")
    timer = said._timer
    assert timer is not None and stream.getvalue() == "1 of 3\n"
    timer.join()
    assert stream.getvalue() == "1 of 3\n2 of 3\n"


def test_words_are_never_held_back() -> None:
    assert told(io.StringIO(), "a.jsonl:3: no id.", "a.jsonl:3: no id.", "a.jsonl:4: no id.") == (
        "a.jsonl:3: no id.\na.jsonl:3: no id.\na.jsonl:4: no id.\n"
    )


def test_on_a_screen_a_line_takes_the_place_of_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    assert told(Screen(), "1 of 2", "2 of 2", "Done.") == "1 of 2\r\x1b[K2 of 2\nDone.\n"


def test_a_line_wider_than_the_screen_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "8")
    assert told(Screen(), "1 of 10 drafted", "2 of 10 drafted") == "1 of 10 drafted\n2 of 10 drafted\n"


def test_a_count_stays_one_line_when_something_fails_and_is_not_written_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    numbers = ("1 of 1,002 answered", "1 of 1,002 answered", "2 of 1,002 answered, 1 failed")
    assert told(Screen(), *numbers) == f"{numbers[0]}\r\x1b[K{numbers[2]}\n"
    assert told(io.StringIO(), *numbers[:2], "Done.") == f"{numbers[0]}\nDone.\n"


def test_a_dumb_terminal_is_no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert told(Screen(), "1 of 2", "2 of 2") == "1 of 2\n2 of 2\n"
