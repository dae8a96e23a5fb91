"""Records who signed in and who was refused. An event that repeats with each request is recorded once an hour."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from store.engine.database import Database
from store.people import sign_ins
from workbench.roles import MAX_NAME_CHARACTERS
from workbench.setup.access.access_secrets import format_time

IdentitySource = Literal["local", "oidc", "header", "workspace", "token"]
SIGHT_INTERVAL_SECONDS = 3600.0
"""Requests from one address, by one token or one person behind a proxy, are recorded as one sign-in within this number of
seconds."""
MAX_MARKS = 10_000
"""Maximum number of remembered sign-ins; when it is reached, all are forgotten, and the next ones are recorded again."""
MAX_ADDRESS_CHARACTERS = 100


@dataclass(frozen=True, slots=True)
class Identity:
    """A signed-in person, and how they signed in."""

    person: str
    """Name under which the person's work is stored."""
    name: str
    """Name that pages show for the signed-in person."""
    source: IdentitySource


class SignInRecord:
    """Stores who signed in and who was refused."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._db, self._clock = database, clock
        self._marks: dict[str, float] = {}

    def add(self, act: str, tried: str, address: str, detail: str = "", *, is_refused: bool = False) -> None:
        """Record a sign-in or a refusal; the same refusal is not recorded again within a minute."""
        shown = address[:MAX_ADDRESS_CHARACTERS]
        at = format_time(self._clock())
        sign_ins.add(self._db, at, act, tried[:MAX_NAME_CHARACTERS], shown, detail, is_refused)

    def is_due(self, key: str, seconds: float = SIGHT_INTERVAL_SECONDS) -> bool:
        """Return whether to record an event: True unless a call with the same key returned True within the last `seconds`
        seconds."""
        now = self._clock()
        if 0 <= now - self._marks.get(key, 0.0) < seconds:  # a mark later than now: the clock was set back
            return False
        if len(self._marks) >= MAX_MARKS:
            self._marks.clear()
        self._marks[key] = now
        return True
