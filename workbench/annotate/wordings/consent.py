"""The text that people agree to before their first rewrite, in versions, with a record of each agreement. While the text is
empty nobody is asked."""

from dataclasses import dataclass

from core.errors import BenchError
from store.engine import settings
from store.engine.columns import current_time
from store.engine.database import Database
from workbench.annotate.desk.decisions import check_length
from workbench.roles import requires

TEXT_SETTING = "rewrite_consent"
"""Key of the stored setting with every version of the text, oldest first: {"version", "text", "at"}."""
MAX_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class ConsentText:
    """One version of the consent text."""

    version: int
    """Number of the version; 0 = no text yet."""
    text: str
    """Text of the consent; empty = people are not asked."""


@dataclass(frozen=True, slots=True)
class ConsentRecord:
    """A person's agreement to one version."""

    version: int
    at: str
    """Time of the consent: UTC, ISO format."""


class ConsentBook:
    """Verbs on the consent text."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def load_current(self) -> ConsentText:
        """Load the current consent text."""
        every = settings.get(self._db, TEXT_SETTING, [])
        return ConsentText(every[-1]["version"], every[-1]["text"]) if every else ConsentText(0, "")

    @requires("set the rules of the work", lambda arguments: "the consent text")
    def change(self, text: str) -> ConsentText:
        """Store another text as the current one, so that everybody is asked again; the same text changes nothing. Older
        versions are kept."""
        text = text.replace("\r\n", "\n").strip()
        check_length("consent text", text, MAX_CHARACTERS)
        before = self.load_current()
        if text != before.text:
            every = settings.get(self._db, TEXT_SETTING, [])
            new = {"version": before.version + 1, "text": text, "at": current_time()}
            settings.put(self._db, TEXT_SETTING, [*every, new])
        return self.load_current()

    def find_unagreed(self, person: str) -> ConsentText | None:
        """Return the text that this person has not agreed to yet, or None when there is none."""
        current = self.load_current()
        agreed = {record.version for record in self.list_agreements(person)}
        return current if current.text and current.version not in agreed else None

    @requires("rewrite questions")
    def agree(self, person: str, version: int) -> None:
        """Record the agreement. Raises BenchError for any version except the current one, because only that one was shown."""
        if version != self.load_current().version:
            raise BenchError("The text has changed since it was shown: read it again.")
        key = f"agreed:{TEXT_SETTING}:{person}"
        agreed = settings.get(self._db, key, [])
        if person.strip() and version not in {record["version"] for record in agreed}:
            settings.put(self._db, key, [*agreed, {"version": version, "at": current_time()}])

    def list_agreements(self, person: str) -> list[ConsentRecord]:
        """List this person's agreements, oldest first."""
        return [ConsentRecord(**record) for record in settings.get(self._db, f"agreed:{TEXT_SETTING}:{person}", [])]
