"""How the annotation goes: Table 1 of the drafts, the people, the agents, the days, and how far two people agree. All figures
are queries over kept rows, made beside the page and kept until something changes."""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any, TypeVar

from eval.page import Cell, Page, Table, count, figure, words
from eval.renderer import renderers
from store import progress
from store.database import Database
from workbench.annotate.construction import BY, Construction, Line, construction, makers, page_of
from workbench.annotate.double_decisions import Agreed, agreed
from workbench.annotate.pace import Day, Days, Pace, days_of, pace
from workbench.annotate.people import PersonLine, people
from workbench.evaluate.reports import MIMES
from workbench.kept import Kept, Working

__all__ = ["BY", "Agreed", "Construction", "Day", "Line", "Pace", "PersonLine", "ProgressStage"]
T = TypeVar("T")


class ProgressStage:
    """Verbs that count."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._kept = Kept()

    def construction(self, by: str = "level") -> Working[Construction]:
        """Table 1 by level, domain or task, when it is there."""
        found = self._drafts()
        return Working(None if found.value is None else construction(found.value, by), found.seconds)

    def makers(self) -> Working[list[Line]]:
        """What became of the drafts of each (agent, prompt), when it is there."""
        found = self._drafts()
        return Working(None if found.value is None else makers(found.value), found.seconds)

    def people(self) -> Working[list[PersonLine]]:
        """What each person decided, when it is there."""
        db = self._db
        return self._ask("people", lambda: people(progress.works(db), progress.reasons(db), progress.edits(db)))

    def pace(self, today: date | None = None) -> Working[Pace]:
        """Decisions by day and what they promise, when they are there. `today` is the server's day."""
        found, waiting = self._days(), progress.waiting(self._db)
        made = None if found.value is None else pace(found.value.everybody, waiting, today or date.today())
        return Working(made, found.seconds)

    def days(self, person: str) -> Working[Sequence[Day]]:
        """One person's days with decisions, oldest first, when they are there."""
        found = self._days()
        return Working(None if found.value is None else found.value.of.get(person, []), found.seconds)

    def agreement(self) -> Working[Agreed]:
        """How far people agree where two decided on one item, when it is there."""
        return self._ask("agreement", lambda: agreed(progress.doubles(self._db)))

    def table(self, by: str, form: str) -> str:
        """Table 1 as csv or latex."""
        cells = self._kept.now(self._key("drafts"), lambda: progress.drafts(self._db))
        return renderers()[form].render(page_of(construction(cells, by)))

    def file(self, by: str, form: str) -> tuple[str, str]:
        """(name, MIME type) of a file that holds it."""
        return f"construction-by-{by}{renderers()[form].ending}", MIMES[form]

    def timesheet(self, person: str) -> str:
        """One person's days as CSV, in which no name is run as a formula."""
        days = self._kept.now(self._key("days"), lambda: days_of(progress.slots(self._db)))
        rows: list[list[Cell]] = [
            [words(day.date.isoformat()), words(person), count(day.decisions), figure(day.active, 1, 1 / 60),
             count(day.measured)]
            for day in days.of.get(person, [])
        ]
        heads = ["date", "person", "decisions", "active minutes", "decisions timed"]
        return renderers()["csv"].render(Page("Timesheet", [Table("Timesheet", heads, rows)]))

    def close(self) -> None:
        """Begin no more background work."""
        self._kept.close()

    def _drafts(self) -> Working[list[progress.Drafts]]:
        return self._ask("drafts", lambda: progress.drafts(self._db))

    def _days(self) -> Working[Days]:
        return self._ask("days", lambda: days_of(progress.slots(self._db)))

    def _ask(self, what: str, make: Callable[[], T]) -> Working[T]:
        return self._kept.get(self._key(what), make)

    def _key(self, what: str) -> tuple[Any, ...]:
        return what, progress.fingerprint(self._db)



def zone() -> str:
    """The time zone that days are of: the server's."""
    return datetime.now().astimezone().tzname() or "the server's time"
