"""How far long work is: told now and then, with the time left once there is a pace to tell it by."""

import pytest

from core import progress_reporter
from core.progress_reporter import ProgressReporter, format_duration


def test_it_tells_once_a_second_and_guesses_after_two(monkeypatch: pytest.MonkeyPatch) -> None:
    now, heard = [0.0], list[str]()
    monkeypatch.setattr(progress_reporter.time, "monotonic", lambda: now[0])
    work = ProgressReporter(heard.append, "index: cutting", "documents", 1_000)
    for seconds, done in ((0.5, 10), (1.0, 100), (1.5, 150), (4.0, 250), (6.0, 1_000)):
        now[0] = seconds
        work.report_progress(done)
    assert heard == [
        "index: cutting 100 of 1,000 documents",
        "index: cutting 250 of 1,000 documents, about 12 s left",
        "index: cutting 1,000 of 1,000 documents",
    ]


def test_work_that_is_not_alike_is_told_by_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    now, heard = [0.0], list[str]()
    monkeypatch.setattr(progress_reporter.time, "monotonic", lambda: now[0])
    work = ProgressReporter(heard.append, "embedding", "texts", 200)
    now[0] = 10.0
    work.report_progress(100, share=0.8)
    assert heard == ["embedding 100 of 200 texts, about 2 s left"]


def test_long_times_are_round() -> None:
    assert [format_duration(seconds) for seconds in (0.2, 89, 100, 5_399, 9_000)] == [
        "about 1 s",
        "about 89 s",
        "about 2 min",
        "about 90 min",
        "about 2.5 h",
    ]
