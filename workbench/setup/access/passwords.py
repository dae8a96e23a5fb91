"""Passwords: argon2id hashes, at most two computed at a time in this process, and the limit on failed attempts."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from math import ceil
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from core.errors import BenchError
from core.person_name import fold_name
from workbench.setup.access.rate_limiter import RateLimiter

if TYPE_CHECKING:
    from argon2 import PasswordHasher

MIN_PASSWORD_CHARACTERS = 10
MAX_PASSWORD_CHARACTERS = 1000
MAX_HASHES_AT_ONCE = 2
"""Maximum number of concurrent hashes; each takes 64 MiB and 0.2 s of a core."""
MAX_HASHES_WAITING = 16
"""Maximum number of waiting callers; further callers are refused, so that guesses cannot occupy all threads."""
ATTEMPT_INTERVAL_SECONDS = 60.0

_admitted = BoundedSemaphore(MAX_HASHES_AT_ONCE + MAX_HASHES_WAITING)
_hashing = BoundedSemaphore(MAX_HASHES_AT_ONCE)


class Passwords:
    """Creates and checks hashes. A call takes about 0.2 s, and 0.7 s under load: call it in a thread."""

    def __init__(self, hasher: "PasswordHasher | None" = None) -> None:
        self._given_hasher = hasher

    def hash_password(self, password: str) -> str:
        """Return the password's hash, with its salt and parameters."""
        with _admit():
            return self._hasher_and_decoy[0].hash(_encode(password))

    def is_right(self, password_hash: str | None, password: str) -> bool:
        """Return whether the hash is the hash of that password. A hash of None (unknown name) takes the same time and returns
        False."""
        from argon2.exceptions import InvalidHashError, VerificationError

        with _admit():
            hasher, decoy = self._hasher_and_decoy
            try:
                return hasher.verify(password_hash or decoy, _encode(password)) and password_hash is not None
            except (VerificationError, InvalidHashError):
                return False

    @cached_property
    def _hasher_and_decoy(self) -> "tuple[PasswordHasher, str]":
        """Return the hasher, and a hash to compare with when the name is unknown."""
        from argon2 import PasswordHasher

        hasher = self._given_hasher or PasswordHasher()
        return hasher, hasher.hash("nobody's password")


def check_new_password(password: str, name: str) -> str:
    """Return the password if it is valid. Raises BenchError when it is too short, too long, or equal to the name."""
    if len(password) < MIN_PASSWORD_CHARACTERS:
        raise BenchError(f"The password has {len(password)} characters: choose one of at least {MIN_PASSWORD_CHARACTERS}.")
    if len(password) > MAX_PASSWORD_CHARACTERS:
        raise BenchError(f"The password has {len(password)} characters: choose one of at most {MAX_PASSWORD_CHARACTERS}.")
    if fold_name(password) == fold_name(name) or len(set(password)) == 1:
        raise BenchError("The password is the name, or one character repeated: choose another one.")
    return password


def _encode(password: str) -> bytes:
    """Encode the password in one Unicode form, because keyboards compose letters differently."""
    return unicodedata.normalize("NFC", password[:MAX_PASSWORD_CHARACTERS]).encode("utf-8", "surrogatepass")


@contextmanager
def _admit() -> Iterator[None]:
    """Wait for a free slot. Raises BenchError when too many callers wait already."""
    if not _admitted.acquire(blocking=False):
        raise BenchError("Too many people sign in at this moment: try again in a few seconds.")
    try:
        with _hashing:
            yield
    finally:
        _admitted.release()


class AttemptLimiter:
    """Counts failed attempts, in memory."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._attempts = RateLimiter(clock, ATTEMPT_INTERVAL_SECONDS)

    def begin_attempt(self, limits: Mapping[str, int]) -> None:
        """Count an attempt under each key. Raises BenchError, and counts nothing, when as many attempts as a key's limit failed
        within ATTEMPT_INTERVAL_SECONDS."""
        wait = self._attempts.count(limits)
        if wait > 0:
            raise BenchError(f"Too many attempts failed: wait {ceil(wait)} seconds, then try again.")

    def end_well(self, keys: Iterable[str]) -> None:
        """Remove the last attempt from each key, because it did not fail."""
        self._attempts.take_back(keys)
