"""Who comes in: the identity of a person, and the record of sign-ins and refusals. What repeats at each request is one line an
hour."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from store.engine.database import Database
from store.people import sign_ins
from workbench.roles import MAX_NAME_CHARACTERS
from workbench.setup.access.access_secrets import format_time

IdentitySource = Literal["local", "oidc", "header", "workspace", "token"]
SIGHT_INTERVAL_SECONDS = 3600.0
"""Seconds in which requests of one token, or of one person behind a proxy, from one address count as one sign-in."""
MAX_MARKS = 10_000
"""Maximum number of sign-ins and uses in memory; beyond this number all are removed, and recorded again."""
MAX_ADDRESS_CHARACTERS = 100


@dataclass(frozen=True, slots=True)
class Identity:
    """A signed-in person."""

    person: str
    """Name of the person in stored columns."""
    name: str
    """Name for display."""
    source: IdentitySource


class SignInRecord:
    """Adds rows to the record."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._db, self._clock = database, clock
        self._marks: dict[str, float] = {}

    def add(self, act: str, tried: str, address: str, detail: str = "", *, is_refused: bool = False) -> None:
        """Add a row; a refusal that repeats within a minute adds nothing."""
        shown = address[:MAX_ADDRESS_CHARACTERS]
        at = format_time(self._clock())
        sign_ins.add(self._db, at, act, tried[:MAX_NAME_CHARACTERS], shown, detail, is_refused)

    def is_due(self, key: str, seconds: float = SIGHT_INTERVAL_SECONDS) -> bool:
        """Return whether the key was not marked within that number of seconds; if so, mark the key."""
        now = self._clock()
        if 0 <= now - self._marks.get(key, 0.0) < seconds:  # a mark later than now: the clock was set back
            return False
        if len(self._marks) >= MAX_MARKS:
            self._marks.clear()
        self._marks[key] = now
        return True
