"""Passwords: hashes that are computed two at a time, and attempts that are counted."""

import queue
import threading
from typing import Any

import pytest
from argon2 import PasswordHasher

from core.errors import BenchError
from store.engine.database import Database
from tests.waiting import until
from workbench.setup.access import rate_limiter
from workbench.setup.access.attempts import AttemptLimiter
from workbench.setup.access.passwords import MAX_HASHES_AT_ONCE, MAX_HASHES_WAITING, Passwords
from workbench.setup.access.sign_in_record import SignInRecord

CHEAP = {"time_cost": 1, "memory_cost": 8, "parallelism": 1}


class SlowHasher(PasswordHasher):
    """A hasher whose comparisons take until the test lets them go."""

    def __init__(self) -> None:
        super().__init__(**CHEAP)
        self.may_end = threading.Event()
        self.running = 0
        self.most_running = 0
        self._lock = threading.Lock()

    def verify(self, *given: Any) -> Any:
        with self._lock:
            self.running += 1
            self.most_running = max(self.most_running, self.running)
        assert self.may_end.wait(60)
        with self._lock:
            self.running -= 1
        return super().verify(*given)


@pytest.mark.fault(55)
def test_two_hashes_at_once_sixteen_wait_and_the_next_is_refused() -> None:
    hasher = SlowHasher()
    checker = Passwords(hasher)
    stored = checker.hash_password("correct horse")
    outcomes: queue.Queue[bool | str] = queue.Queue()

    def check() -> None:
        try:
            outcomes.put(checker.is_right(stored, "correct horse"))
        except BenchError as error:
            outcomes.put(str(error))

    places = MAX_HASHES_AT_ONCE + MAX_HASHES_WAITING
    threads = [threading.Thread(target=check) for _ in range(places + 1)]
    for thread in threads:
        thread.start()
    assert outcomes.get(timeout=60) == "Too many people sign in at this moment: try again in a few seconds."
    until(lambda: hasher.running == MAX_HASHES_AT_ONCE)
    hasher.may_end.set()
    for thread in threads:
        thread.join()
    assert [outcomes.get_nowait() for _ in range(places)] == [True] * places
    assert hasher.most_running == MAX_HASHES_AT_ONCE


def test_new_passwords_have_the_parameters_that_owasp_names() -> None:
    assert Passwords().hash_password("correct horse").startswith("$argon2id$v=19$m=19456,t=2,p=1$")


def test_a_hash_with_other_parameters_is_checked_with_its_own() -> None:
    older = PasswordHasher().hash("correct horse")
    assert older.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert Passwords().is_right(older, "correct horse") and not Passwords().is_right(older, "another horse")


def test_a_letter_is_the_same_however_the_keyboard_composes_it() -> None:
    checker = Passwords(PasswordHasher(**CHEAP))
    stored = checker.hash_password("caf\u00e9 au lait")
    assert checker.is_right(stored, "cafe\u0301 au lait") and not checker.is_right(stored, "cafe au lait")
    assert not checker.is_right(stored, "\ud800") and not checker.is_right("no hash", "caf\u00e9 au lait")


def test_attempts_of_many_names_are_forgotten_before_they_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limiter, "MAX_COUNTED_KEYS", 3)
    with Database.open(":memory:") as database:
        limiter = AttemptLimiter(lambda: 100.0, SignInRecord(database, lambda: 100.0))
        for key in ("a", "b", "a", "c", "d"):
            limiter.begin({key: 2}, "sign in", "", "")
        with pytest.raises(BenchError, match="wait 60 seconds"):
            limiter.begin({"a": 2}, "sign in", "", "")
        limiter.begin({"b": 1}, "sign in", "", "")
