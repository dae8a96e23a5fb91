"""Store the guidelines for annotators as versions that never change, like prompts. Each decision records the version that the
review page showed, so that decisions under an older version can be found."""

from collections.abc import Mapping
from dataclasses import dataclass

from builders.task import tasks
from core.errors import BenchError
from core.nouns import Review
from core.text.markdown import as_html, strip_pictures
from store.engine.columns import Timestamp
from store.engine.database import Database
from store.people import guidelines
from store.people.guidelines import EVERY_TASK, DecidedUnder, GuidelineVersion
from store.queue import queue
from store.queue.effective_reviews import BULK, PHASES
from store.reviews import progress
from workbench.roles import requires

__all__ = ["EVERY_TASK", "GuidelineCard", "GuidelineLine", "GuidelineStage", "GuidelineVersion", "name_task"]

MAX_CHARACTERS = 50_000
"""Maximum length of a guideline in characters, without its pictures."""
MAX_PICTURE_CHARACTERS = 300_000
"""Maximum number of characters of all pictures in one guideline, because the browser gets them with every item."""


@dataclass(frozen=True, slots=True)
class GuidelineLine:
    """One guideline as a row in the list of guidelines."""

    task: str
    """Name of the task to which the guideline applies, or EVERY_TASK for all tasks."""
    version: int | None
    """Number of the current version, or None if nobody has written a guideline."""


@dataclass(frozen=True, slots=True)
class GuidelineText:
    """The guideline that reviewers of a task read: first the text for all tasks, then the text for this task."""

    text: str
    """Text of the guideline; "" if it was withdrawn."""
    version: int
    at: Timestamp
    """Time at which this version was saved."""

    @property
    def html(self) -> str:
        """Return the guideline as HTML, to be shown beside an item."""
        return as_html(self.text)

    def is_newer_than(self, decision: Review) -> bool:
        """Return whether the decision was made under an older version of the guideline. If the person was not shown the
        guideline, as in a bulk action, the version at the time of the decision counts."""
        if decision.role == "settled" or BULK in decision.details or PHASES in decision.details:
            return decision.at < self.at
        return bool(decision.details.get("guideline", 0) < self.version)


@dataclass(frozen=True, slots=True)
class OlderDecisions:
    """Number of decisions of one task that are in effect and were made under an older version of the guideline."""

    task: str
    items: int
    without: int
    """Number of decisions that were made before the first guideline."""
    first: str
    """Id of the first item with a decision under an older version of the guideline."""


@dataclass(frozen=True, slots=True)
class GuidelineCard:
    """One guideline with all its versions."""

    task: str
    text: str
    """Current text of the guideline; "" if there is none."""
    current: GuidelineVersion | None
    versions: tuple[GuidelineVersion, ...]
    """All versions of the guideline, oldest first."""
    older: tuple[OlderDecisions, ...]
    """The decisions under older versions, in one row for each task that has any."""

    @property
    def html(self) -> str:
        """Return the guideline as HTML, to be shown beside an item."""
        return as_html(self.text)


class GuidelineStage:
    """Methods that list, read and write guidelines."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._counted: tuple[object, list[DecidedUnder]] | None = None

    def list_lines(self) -> list[GuidelineLine]:
        """List the guideline for all tasks, then one guideline for each task that can be drafted or has items."""
        current = guidelines.load_current(self._db)
        names = [EVERY_TASK, *tasks(), *queue.list_choices(self._db)["task"], *sorted(current)]
        return [GuidelineLine(name, current[name].version if name in current else None) for name in dict.fromkeys(names)]

    def card(self, task: str) -> GuidelineCard:
        """Load one guideline with all its versions, and the number of decisions under older versions."""
        versions = tuple(guidelines.load_versions(self._db, task))
        current = versions[-1] if versions else None
        return GuidelineCard(task, current.text if current else "", current, versions, self._count_older(task))

    def find_beside(self, task: str) -> GuidelineText | None:
        """Return the guideline to show beside items of `task`; None if there is none or it was withdrawn."""
        current = find_guideline(self._db, task)
        return current if current and current.text else None

    @requires("write guidelines", lambda arguments: arguments["task"] or "for all tasks", notes=["note"])
    def save(self, task: str, text: str, *, by: str, note: str = "") -> GuidelineVersion:
        """Store `text` as the current guideline of `task`; an empty text withdraws the guideline.

        Raises BenchError and stores nothing if the person gives no name, if the task is unknown, or if the text is too long."""
        if not by.strip():
            raise BenchError("Give your name first: it is stored with the version.")
        if task not in {line.task for line in self.list_lines()}:
            raise BenchError(f"No task {task!r} in this workspace: choose one from the list.")
        words = text.replace("\r\n", "\n").strip()
        length = len(strip_pictures(words))
        if length > MAX_CHARACTERS:
            raise BenchError(f"The guideline has {length:,} characters; at most {MAX_CHARACTERS:,} can be stored: shorten it.")
        if (size := len(words) - length) > MAX_PICTURE_CHARACTERS:
            raise BenchError(
                f"The pictures of the guideline have {size:,} characters; at most {MAX_PICTURE_CHARACTERS:,} can be "
                "stored: remove one, or choose a smaller one."
            )
        if "\0" in words:
            raise BenchError("The guideline contains a NUL character, which no file can store: remove it.")
        return guidelines.add(self._db, task, words, " ".join(note.split()), by.strip())

    def _count_older(self, task: str) -> tuple[OlderDecisions, ...]:
        key = progress.fingerprint(self._db)
        if self._counted is None or self._counted[0] != key:  # cached until a decision or an edit
            self._counted = key, guidelines.load_decisions_by_version(self._db)
        current = guidelines.load_current(self._db)
        by_task: dict[str, list[DecidedUnder]] = {}
        for row in self._counted[1]:
            if task in (EVERY_TASK, row.task) and row.version < _find_version(current, row.task):
                by_task.setdefault(row.task, []).append(row)
        return tuple(
            OlderDecisions(
                name,
                sum(row.items for row in rows),
                sum(row.items for row in rows if row.version == 0),
                min(rows, key=lambda row: row.place).first,
            )
            for name, rows in by_task.items()
        )


def name_task(task: str) -> str:
    """Return the task's name for the screen, as its plug-in defines it."""
    plug_in = tasks().get(task)
    return plug_in.label["en"] if plug_in else task.replace("_", " ").capitalize() or "All tasks"


def find_guideline(database: Database, task: str) -> GuidelineText | None:
    """Return the guideline for items of `task`, or None if nobody ever wrote one."""
    current = guidelines.load_current(database)
    version = _find_version(current, task)
    texts = [current[name].text for name in (EVERY_TASK, task) if name in current]
    at = max((current[name].at for name in (EVERY_TASK, task) if name in current), default="")
    return GuidelineText("\n\n".join(text for text in texts if text), version, at) if version else None


def describe_version(database: Database, task: str) -> str:
    """Return a text that identifies the guideline shown for `task`; it is the same for tasks with the same guideline, and "" if
    no guideline is shown."""
    current = guidelines.load_current(database)
    shown = [current[name] for name in (EVERY_TASK, task) if name in current and current[name].text]
    return " ".join(str(one.version) for one in shown)


def choose_version(database: Database, task: str, seen: int | None) -> int:
    """Return the guideline version that is stored with a decision; 0 means no guideline. The version is `seen`, the one on the
    screen, but at most the current one; if `seen` is None, the current version is returned."""
    current = _find_version(guidelines.load_current(database), task)
    return current if seen is None else max(0, min(seen, current))


def _find_version(current: Mapping[str, GuidelineVersion], task: str) -> int:
    """Return the number of the current guideline version for items of `task`; 0 if there is no guideline."""
    return max((current[name].version for name in (EVERY_TASK, task) if name in current), default=0)
