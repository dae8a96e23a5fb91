"""How often and how much one person uploads to a server on which people sign in. team.md 1."""

from collections.abc import Iterator
from io import BytesIO

import pytest

from core.errors import BenchError
from tests.workbench.setup.test_accounts import Clock
from workbench import Workbench, actor
from workbench.release import upload_limits
from workbench.release.upload_limits import UPLOADS_PER_MINUTE, UploadLimits
from workbench.release.uploads import Upload

MEGABYTE = 2**20


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def bench(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "local")
    monkeypatch.setattr(upload_limits, "BYTES_PER_HOUR", 2**30)
    with Workbench.open(":memory:") as bench:
        bench.uploads.limits = UploadLimits(clock)
        yield bench


def add(bench: Workbench, person: str, size: int = 5) -> str:
    """Upload one file of that size, as that person; returns the sentence of a refusal."""
    with actor.act_as(person):
        try:
            bench.uploads.add([Upload("a.txt", BytesIO(b"Tides"), size)], domain=None, language="en")
        except BenchError as error:
            return str(error)
    return ""


def test_the_eleventh_upload_within_a_minute_waits_and_the_next_person_does_not(bench: Workbench, clock: Clock) -> None:
    for _ in range(UPLOADS_PER_MINUTE):
        assert add(bench, "Ada") == ""
        clock.seconds += 2
    assert add(bench, "ada ") == "You started 10 uploads within a minute: wait 40 seconds, then try again."
    assert add(bench, "Bob") == ""
    clock.seconds += 40
    assert add(bench, "Ada") == ""


def test_a_gigabyte_an_hour_is_the_limit_and_the_sentence_says_when(bench: Workbench, clock: Clock) -> None:
    assert add(bench, "Ada", 600 * MEGABYTE) == ""
    clock.seconds += 600
    sentence = "One person may upload 1 GB within an hour, and this would be more: "
    assert add(bench, "Ada", 500 * MEGABYTE) == sentence + "wait 50 minutes, then try again."
    assert add(bench, "Ada", 400 * MEGABYTE) == "", "what fits is taken"
    assert add(bench, "Bob", 500 * MEGABYTE) == ""
    clock.seconds += 3000
    assert add(bench, "Ada", 500 * MEGABYTE) == ""
    assert add(bench, "Ada", 1025 * MEGABYTE) == sentence + "upload less at once."


def test_without_sign_in_and_at_the_terminal_nothing_is_limited(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2 * UPLOADS_PER_MINUTE):
        bench.uploads.add([Upload("a.txt", BytesIO(b"Tides"), 5)], domain=None, language="en")
    monkeypatch.delenv("BENCHWRIGHT_SIGN_IN")
    for _ in range(2 * UPLOADS_PER_MINUTE):
        assert add(bench, "Ada") == ""
