"""Store the consent text to which people agree before their first rewrite, in versions, and each person's agreement. If the
consent text is empty, nobody must agree."""

from dataclasses import dataclass

from core.errors import BenchError
from store.engine import settings
from store.engine.columns import current_time
from store.engine.database import Database
from workbench.annotate.desk.decisions import check_length
from workbench.roles import requires

TEXT_SETTING = "rewrite_consent"
"""Key of the workspace setting with all versions of the consent text, oldest first, each as {"version", "text", "at"}."""
MAX_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class ConsentText:
    """One version of the text to which people agree before their first rewrite of a question."""

    version: int
    """Number of the version; 0 if nobody has written a consent text."""
    text: str
    """The consent text; if it is empty, people are not asked to agree."""


@dataclass(frozen=True, slots=True)
class ConsentRecord:
    """A person's agreement to one version of the consent text."""

    version: int
    at: str
    """Time at which the person agreed, in UTC and ISO format."""


class ConsentBook:
    """Methods that change the consent text, and that record who agreed to it."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def load_current(self) -> ConsentText:
        """Return the current version of the consent text to which people agree before they rewrite questions."""
        every = settings.get(self._db, TEXT_SETTING, [])
        return ConsentText(every[-1]["version"], every[-1]["text"]) if every else ConsentText(0, "")

    @requires("set the rules of the work", lambda arguments: "the consent text")
    def change(self, text: str) -> ConsentText:
        """Store `text` as the new consent text, so that everybody is asked again; if it is unchanged, store nothing. Older
        versions stay stored."""
        text = text.replace("\r\n", "\n").strip()
        check_length("consent text", text, MAX_CHARACTERS)
        before = self.load_current()
        if text != before.text:
            every = settings.get(self._db, TEXT_SETTING, [])
            new = {"version": before.version + 1, "text": text, "at": current_time()}
            settings.put(self._db, TEXT_SETTING, [*every, new])
        return self.load_current()

    def find_unagreed(self, person: str) -> ConsentText | None:
        """Return the current consent text if this person has not agreed to it yet, otherwise None."""
        current = self.load_current()
        agreed = {record.version for record in self.list_agreements(person)}
        return current if current.text and current.version not in agreed else None

    def check_agreed(self, person: str) -> None:
        """Raise BenchError if this person has not agreed to the current consent text yet."""
        if asked := self.find_unagreed(person):
            raise BenchError(
                f"{person} has not agreed to the consent text (version {asked.version}) yet: read it first, on the page "
                "Annotate > Rewrite of the app or with `consent show`, and agree to it."
            )

    @requires("rewrite questions")
    def agree(self, person: str, version: int) -> None:
        """Record that the person agrees to this `version` of the consent text. Raises BenchError if this version is not the
        current one."""
        if version != self.load_current().version:
            raise BenchError("The consent text has changed since it was shown: read it again.")
        key = f"agreed:{TEXT_SETTING}:{person}"
        agreed = settings.get(self._db, key, [])
        if person.strip() and version not in {record["version"] for record in agreed}:
            settings.put(self._db, key, [*agreed, {"version": version, "at": current_time()}])

    def list_agreements(self, person: str) -> list[ConsentRecord]:
        """List the versions of the consent text to which the person agreed, oldest first."""
        return [ConsentRecord(**record) for record in settings.get(self._db, f"agreed:{TEXT_SETTING}:{person}", [])]
