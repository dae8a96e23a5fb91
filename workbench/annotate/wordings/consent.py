"""Stores the consent text that people agree to before their first rewrite, in versions, and each person's agreement. If the
text is empty, nobody has to agree."""

from dataclasses import dataclass

from core.errors import BenchError
from store.engine import settings
from store.engine.columns import current_time
from store.engine.database import Database
from workbench.annotate.desk.decisions import check_length
from workbench.roles import requires

TEXT_SETTING = "rewrite_consent"
"""Key of the setting with all versions of the consent text, oldest first, each {"version", "text", "at"}."""
MAX_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class ConsentText:
    """One version of the text that people agree to before their first rewrite."""

    version: int
    """Number of the version; 0 = no consent text was written yet."""
    text: str
    """The consent text; empty = people are not asked."""


@dataclass(frozen=True, slots=True)
class ConsentRecord:
    """A person's agreement to one version of the consent text."""

    version: int
    at: str
    """Time at which the person agreed: UTC, ISO format."""


class ConsentBook:
    """Methods that change the consent text and record people's agreement to it."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def load_current(self) -> ConsentText:
        """Load the current version of the consent text that people agree to before they rewrite questions."""
        every = settings.get(self._db, TEXT_SETTING, [])
        return ConsentText(every[-1]["version"], every[-1]["text"]) if every else ConsentText(0, "")

    @requires("set the rules of the work", lambda arguments: "the consent text")
    def change(self, text: str) -> ConsentText:
        """Store `text` as the new consent text, so that everybody is asked again; an unchanged text stores nothing. Older
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
        """Return the current consent text if this person has not agreed to it yet, else None."""
        current = self.load_current()
        agreed = {record.version for record in self.list_agreements(person)}
        return current if current.text and current.version not in agreed else None

    def check_agreed(self, person: str) -> None:
        """Raise BenchError when this person has not agreed to the current consent text yet."""
        if asked := self.find_unagreed(person):
            raise BenchError(
                f"{person} has not agreed to the consent text (version {asked.version}) yet: read it first, on the page "
                "Annotate > Rewrite of the app or with `consent show`, and agree to it."
            )

    @requires("rewrite questions")
    def agree(self, person: str, version: int) -> None:
        """Record that the person agrees to `version` of the consent text. Raises BenchError if that is not the current
        version."""
        if version != self.load_current().version:
            raise BenchError("The consent text has changed since it was shown: read it again.")
        key = f"agreed:{TEXT_SETTING}:{person}"
        agreed = settings.get(self._db, key, [])
        if person.strip() and version not in {record["version"] for record in agreed}:
            settings.put(self._db, key, [*agreed, {"version": version, "at": current_time()}])

    def list_agreements(self, person: str) -> list[ConsentRecord]:
        """List the person's agreements to versions of the consent text, oldest first."""
        return [ConsentRecord(**record) for record in settings.get(self._db, f"agreed:{TEXT_SETTING}:{person}", [])]
