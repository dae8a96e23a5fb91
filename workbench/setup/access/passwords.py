"""Hash and check passwords with argon2id, one at a time in this process."""

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from core.errors import BenchError
from core.person_name import fold_name

if TYPE_CHECKING:
    from argon2 import PasswordHasher

MIN_PASSWORD_CHARACTERS = 10
MAX_PASSWORD_CHARACTERS = 1000
TIME_COST, MEMORY_KIB, PARALLELISM = 2, 19_456, 1
"""Parameters of argon2id for new passwords, from OWASP's Password Storage Cheat Sheet. The parameters of RFC 9106, which
argon2-cffi uses by default, take six times as much computing: ten sign-ins a second would keep two cores busy, and people who
review would wait. Each stored hash contains its own parameters."""
MAX_HASHES_AT_ONCE = 1
"""Maximum number of passwords that are hashed at the same time; each takes 19 MiB and 0.04 seconds of a core."""
MAX_HASHES_WAITING = 16
"""Maximum number of callers that wait until they can hash a password. Further callers are refused, so that somebody who guesses
passwords cannot occupy all threads."""

_admitted = BoundedSemaphore(MAX_HASHES_AT_ONCE + MAX_HASHES_WAITING)
_hashing = BoundedSemaphore(MAX_HASHES_AT_ONCE)


class TooManyWaiting(BenchError):
    """Raised when too many callers are waiting to hash a password."""


class Passwords:
    """Hashes passwords and compares them with stored hashes. Calls run one after the other and take 0.04 seconds each: call the
    methods in a thread."""

    def __init__(self, hasher: "PasswordHasher | None" = None) -> None:
        self._given_hasher = hasher

    def hash_password(self, password: str) -> str:
        """Return the argon2id hash of the password, which contains its salt and parameters."""
        with _admit():
            return self._hasher_and_decoy[0].hash(_encode(password))

    def is_right(self, password_hash: str | None, password: str) -> bool:
        """Return whether the password has this hash. If `password_hash` is None because the name is unknown, the check takes
        the same time and returns False."""
        from argon2.exceptions import InvalidHashError, VerificationError

        with _admit():
            hasher, decoy = self._hasher_and_decoy
            try:
                return hasher.verify(password_hash or decoy, _encode(password)) and password_hash is not None
            except (VerificationError, InvalidHashError):
                return False

    def renew_hash(self, password_hash: str, password: str) -> str | None:
        """Return a new hash of the password if its hash has other parameters than new hashes have. Return None if the
        parameters are the same, or if too many callers are waiting; a later sign-in then renews the hash."""
        if not self._hasher_and_decoy[0].check_needs_rehash(password_hash):
            return None
        try:
            return self.hash_password(password)
        except TooManyWaiting:
            return None

    @cached_property
    def _hasher_and_decoy(self) -> "tuple[PasswordHasher, str]":
        """Return (the object that hashes, a false hash). A password is compared with the false hash if the name is unknown, so
        that the check takes the same time."""
        from argon2 import PasswordHasher

        hasher = self._given_hasher or PasswordHasher(TIME_COST, MEMORY_KIB, PARALLELISM)
        return hasher, hasher.hash("nobody's password")


def check_new_password(password: str, name: str) -> str:
    """Return the password if it can be used as a new password. Raises BenchError if it is too short, too long, equal to the
    person's name, or one repeated character."""
    if len(password) < MIN_PASSWORD_CHARACTERS:
        raise BenchError(f"The password has {len(password)} characters: choose one of at least {MIN_PASSWORD_CHARACTERS}.")
    if len(password) > MAX_PASSWORD_CHARACTERS:
        raise BenchError(f"The password has {len(password)} characters: choose one of at most {MAX_PASSWORD_CHARACTERS}.")
    if fold_name(password) == fold_name(name) or len(set(password)) == 1:
        raise BenchError("The password is the name, or one character repeated: choose another one.")
    return password


def _encode(password: str) -> bytes:
    """Return the password as bytes in the Unicode form NFC, because keyboards compose accented letters in different ways."""
    return unicodedata.normalize("NFC", password[:MAX_PASSWORD_CHARACTERS]).encode("utf-8", "surrogatepass")


@contextmanager
def _admit() -> Iterator[None]:
    """Return a context manager that waits until no other caller is hashing a password. Raises TooManyWaiting if too many
    callers are waiting."""
    if not _admitted.acquire(blocking=False):
        raise TooManyWaiting("Too many people sign in at this moment: try again in a few seconds.")
    try:
        with _hashing:
            yield
    finally:
        _admitted.release()
