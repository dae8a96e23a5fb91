"""Record who signed in and who was refused. An event that occurs with every request is recorded once an hour."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from store.engine.database import Database
from store.people import sign_ins
from workbench.roles import MAX_NAME_CHARACTERS
from workbench.setup.access.access_secrets import format_time

IdentitySource = Literal["local", "oidc", "header", "workspace", "token"]
SIGHT_INTERVAL_SECONDS = 3600.0
"""Number of seconds within which all requests from one address, by one token or by one person behind a proxy, are recorded as
one sign-in."""
MAX_MARKS = 10_000
"""Maximum number of sign-ins in memory; when it is reached, all of them are forgotten, and the next ones are recorded again."""
MAX_ADDRESS_CHARACTERS = 100


@dataclass(frozen=True, slots=True)
class Identity:
    """A signed-in person, and the way in which the person signed in."""

    person: str
    """Name under which the person's work is stored."""
    name: str
    """Name of the signed-in person, as pages show it."""
    source: IdentitySource


class SignInRecord:
    """Stores who signed in and who was refused."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._db, self._clock = database, clock
        self._marks: dict[str, float] = {}

    def add(self, act: str, tried: str, address: str, detail: str = "", *, is_refused: bool = False) -> None:
        """Record a sign-in or a refusal, unless the same refusal was recorded within the last minute."""
        shown = address[:MAX_ADDRESS_CHARACTERS]
        at = format_time(self._clock())
        sign_ins.add(self._db, at, act, tried[:MAX_NAME_CHARACTERS], shown, detail, is_refused)

    def is_due(self, key: str, seconds: float = SIGHT_INTERVAL_SECONDS) -> bool:
        """Return whether an event must be recorded. The result is False if a call with the same key returned True within the
        last `seconds` seconds."""
        now = self._clock()
        if 0 <= now - self._marks.get(key, 0.0) < seconds:  # the time is in the future: the clock was set back
            return False
        if len(self._marks) >= MAX_MARKS:
            self._marks.clear()
        self._marks[key] = now
        return True
