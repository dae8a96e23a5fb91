"""What people agree to before their first rewrite: a text in versions, and who agreed to which when. Where the text is empty
nobody is asked."""

from typing import Any, NamedTuple

from core.errors import BenchError
from store.engine import settings
from store.engine.columns import current_time
from store.engine.database import Database
from workbench.roles import requires

TEXT = "rewrite_consent"
"""Setting: every version of the text, oldest first: {"version", "text", "at"}."""
LONGEST = 20_000


class Consent(NamedTuple):
    """The text that stands."""

    version: int
    """0 = there was never one."""
    text: str
    """Empty = none is asked for."""


class ConsentBook:
    """Keeps both."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def standing(self) -> Consent:
        every = settings.get(self._db, TEXT, [])
        return Consent(every[-1]["version"], every[-1]["text"]) if every else Consent(0, "")

    @requires("set the rules of the work", lambda given: "the consent text")
    def change(self, text: str) -> Consent:
        """Put another text in force, which asks everybody again; the same text changes nothing. Older ones stay on record."""
        text = text.replace("\r\n", "\n").strip()
        if len(text) > LONGEST:
            raise BenchError(f"The consent text has {len(text):,} characters; at most {LONGEST:,} can be stored: shorten it.")
        before = self.standing()
        if text != before.text:
            every = settings.get(self._db, TEXT, [])
            settings.put(self._db, TEXT, [*every, {"version": before.version + 1, "text": text, "at": current_time()}])
        return self.standing()

    def asked(self, person: str) -> Consent | None:
        """What this person has yet to agree to; None when nothing."""
        standing = self.standing()
        agreed = {one["version"] for one in self.agreements(person)}
        return standing if standing.text and standing.version not in agreed else None

    @requires("rewrite questions")
    def agree(self, person: str, version: int) -> None:
        """Record it. Raises BenchError when that version stands no more: nobody agrees to what was not on the screen."""
        if version != self.standing().version:
            raise BenchError("The text has changed since it was shown: read it again.")
        agreed = self.agreements(person)
        if person.strip() and version not in {one["version"] for one in agreed}:
            settings.put(self._db, f"agreed:{TEXT}:{person}", [*agreed, {"version": version, "at": current_time()}])

    def agreements(self, person: str) -> list[dict[str, Any]]:
        """{"version", "at"} of each agreement of this person's, oldest first."""
        return list(settings.get(self._db, f"agreed:{TEXT}:{person}", []))
