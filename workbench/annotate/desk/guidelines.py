"""Guidelines are written like prompts, as versions that never change. Each decision stores the version that was shown with its
item, so that decisions from before a change of the guideline can be found."""

from collections.abc import Mapping
from dataclasses import dataclass

from builders.task import tasks
from core.errors import BenchError
from core.text.markdown import as_html, strip_pictures
from store.engine.database import Database
from store.people import guidelines
from store.people.guidelines import EVERY_TASK, DecidedUnder, GuidelineVersion
from store.queue import queue
from store.reviews import progress
from workbench.roles import requires

__all__ = ["EVERY_TASK", "GuidelineCard", "GuidelineLine", "GuidelineStage", "GuidelineVersion", "name_task"]

MAX_CHARACTERS = 50_000
"""Maximum length of a text in characters, without pictures."""
MAX_PICTURE_CHARACTERS = 300_000
"""Maximum size in characters of all pictures in one text, which is sent with every item."""


@dataclass(frozen=True, slots=True)
class GuidelineLine:
    """One guideline in a list."""

    task: str
    """Name of the task; EVERY_TASK = all tasks."""
    version: int | None
    """Number of the version; None = no text."""


@dataclass(frozen=True, slots=True)
class GuidelineText:
    """The guideline for the items of a task: the text for all tasks, then the task's own text."""

    text: str
    """Text of the version; "" = withdrawn."""
    version: int

    @property
    def html(self) -> str:
        """Return the guideline as HTML, for display beside an item."""
        return as_html(self.text)


@dataclass(frozen=True, slots=True)
class OlderDecisions:
    """Effective decisions of one task that were made under an older version of the guideline."""

    task: str
    items: int
    without: int
    """Number of these decisions that were made before the first version."""
    first: str
    """Id of the first of the items."""


@dataclass(frozen=True, slots=True)
class GuidelineCard:
    """One text with its versions."""

    task: str
    text: str
    """Current text; "" = no text."""
    current: GuidelineVersion | None
    versions: tuple[GuidelineVersion, ...]
    """Versions, oldest first."""
    older: tuple[OlderDecisions, ...]
    """One row for each task of the text with such decisions."""

    @property
    def html(self) -> str:
        """Return the guideline as HTML, for display beside an item."""
        return as_html(self.text)


class GuidelineStage:
    """Verbs on guidelines."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._counted: tuple[object, list[DecidedUnder]] | None = None

    def list_lines(self) -> list[GuidelineLine]:
        """List the text for all tasks, then one for each task that can be drafted or has items."""
        current = guidelines.load_current(self._db)
        names = [EVERY_TASK, *tasks(), *queue.list_choices(self._db)["task"], *sorted(current)]
        return [GuidelineLine(name, current[name].version if name in current else None) for name in dict.fromkeys(names)]

    def card(self, task: str) -> GuidelineCard:
        """Load one guideline text with its versions."""
        versions = tuple(guidelines.load_versions(self._db, task))
        current = versions[-1] if versions else None
        return GuidelineCard(task, current.text if current else "", current, versions, self._count_older(task))

    def find_beside(self, task: str) -> GuidelineText | None:
        """Return the guideline for items of that task, or None when there is none."""
        current = find_guideline(self._db, task)
        return current if current and current.text else None

    @requires("write guidelines", lambda arguments: arguments["task"] or "for all tasks", notes=["note"])
    def save(self, task: str, text: str, *, by: str, note: str = "") -> GuidelineVersion:
        """Store this text as the current guideline; an empty text removes the guideline.

        Raises BenchError, and saves nothing, without a person's name, for an unknown task, or when the text is too long."""
        if not by.strip():
            raise BenchError("Give your name first: it is stored with the version.")
        if task not in {line.task for line in self.list_lines()}:
            raise BenchError(f"No task {task!r} in this workspace: choose one of the list.")
        words = text.replace("\r\n", "\n").strip()
        length = len(strip_pictures(words))
        if length > MAX_CHARACTERS:
            raise BenchError(f"The guideline has {length:,} characters; at most {MAX_CHARACTERS:,} can be stored: shorten it.")
        if (size := len(words) - length) > MAX_PICTURE_CHARACTERS:
            raise BenchError(
                f"The pictures of the guideline have {size:,} characters; at most {MAX_PICTURE_CHARACTERS:,} can be "
                "stored: take one out, or choose a smaller one."
            )
        if "\0" in words:
            raise BenchError("The guideline holds a NUL, which no file can store: take it out.")
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
    """Return the task's name from its plug-in, for display."""
    plug_in = tasks().get(task)
    return plug_in.label["en"] if plug_in else task.replace("_", " ").capitalize() or "All tasks"


def find_guideline(database: Database, task: str) -> GuidelineText | None:
    """Return the guideline for items of that task, or None when no guideline was ever written."""
    current = guidelines.load_current(database)
    version = _find_version(current, task)
    texts = [current[name].text for name in (EVERY_TASK, task) if name in current]
    return GuidelineText("\n\n".join(text for text in texts if text), version) if version else None


def describe_version(database: Database, task: str) -> str:
    """Return a key of the guideline text that stands beside items of that task: tasks with the same text have the same key; ""
    when there is none."""
    current = guidelines.load_current(database)
    shown = [current[name] for name in (EVERY_TASK, task) if name in current and current[name].text]
    return " ".join(str(one.version) for one in shown)


def choose_version(database: Database, task: str, seen: int | None) -> int:
    """Return the guideline version that a decision stores: the version on the screen, else the current version, never a later
    one; 0 = none."""
    current = _find_version(guidelines.load_current(database), task)
    return current if seen is None else max(0, min(seen, current))


def _find_version(current: Mapping[str, GuidelineVersion], task: str) -> int:
    """Return the current guideline version for items of that task; 0 = none."""
    return max((current[name].version for name in (EVERY_TASK, task) if name in current), default=0)
