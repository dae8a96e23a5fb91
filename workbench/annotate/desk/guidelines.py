"""Guidelines: written like prompts, as versions that are never changed. Each decision carries the version that stood beside its
item, so that a changed guideline tells what was decided under the old one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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

LONGEST = 50_000
"""Characters of one text, pictures apart."""
LARGEST_PICTURES = 300_000
"""Characters of all pictures in one text: they are sent with every item that it stands beside."""


@dataclass(frozen=True, slots=True)
class GuidelineLine:
    """One text in a list."""

    task: str
    """EVERY_TASK = of all."""
    version: int | None
    """None = nothing is written."""


@dataclass(frozen=True, slots=True)
class Older:
    """Standing decisions of one task that were made under an older text."""

    task: str
    items: int
    without: int
    """Of these, made before there was any text."""
    first: str
    """The first of the items."""


@dataclass(frozen=True, slots=True)
class GuidelineCard:
    """One text with all there is to know about it."""

    task: str
    text: str
    """What counts; "" = nothing."""
    standing: GuidelineVersion | None
    versions: tuple[GuidelineVersion, ...]
    """Oldest first."""
    older: tuple[Older, ...]
    """A row for each task that the text is of and that has such decisions."""

    @property
    def html(self) -> str:
        """The text as it is drawn beside an item."""
        return as_html(self.text)


class GuidelineStage:
    """Verbs on guidelines."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._counted: tuple[Any, list[DecidedUnder]] | None = None

    def every(self) -> list[GuidelineLine]:
        """The text for all tasks, then one for each task that can be drafted or that items are of."""
        current = guidelines.load_current(self._db)
        names = [EVERY_TASK, *dict.fromkeys((*tasks(), *queue.list_choices(self._db)["task"], *sorted(current)))]
        return [GuidelineLine(name, current[name].version if name in current else None) for name in dict.fromkeys(names)]

    def card(self, task: str) -> GuidelineCard:
        """One text."""
        versions = tuple(guidelines.load_versions(self._db, task))
        standing = versions[-1] if versions else None
        return GuidelineCard(task, standing.text if standing else "", standing, versions, self._older(task))

    def beside(self, task: str) -> dict[str, Any] | None:
        """{"html", "version"} of what stands beside an item of that task; None when nothing does."""
        found = beside(self._db, task)
        return {"html": as_html(found["text"]), "version": found["version"]} if found and found["text"] else None

    @requires("write guidelines", lambda given: given["task"] or "for all tasks", notes=["note"])
    def save(self, task: str, text: str, *, by: str, note: str = "") -> GuidelineVersion:
        """Make this the text that counts; an empty one takes it back. Raises BenchError, saving nothing, when nobody signs,
        when there is no such task, or when it is too long."""
        if not by.strip():
            raise BenchError("Give your name first: it is stored with the version.")
        if task not in {line.task for line in self.every()}:
            raise BenchError(f"No task {task!r} in this workspace: choose one of the list.")
        words = text.replace("\r\n", "\n").strip()
        length = len(strip_pictures(words))
        if length > LONGEST:
            raise BenchError(f"The guideline has {length:,} characters; at most {LONGEST:,} can be stored: shorten it.")
        if (size := len(words) - length) > LARGEST_PICTURES:
            raise BenchError(
                f"The pictures of the guideline have {size:,} characters; at most {LARGEST_PICTURES:,} can be "
                "stored: take one out, or choose a smaller one."
            )
        if "\0" in words:
            raise BenchError("The guideline holds a NUL, which no file can hold: take it out.")
        return guidelines.add(self._db, task, words, " ".join(note.split()), by.strip())

    def _older(self, task: str) -> tuple[Older, ...]:
        current = guidelines.load_current(self._db)
        found: dict[str, list[DecidedUnder]] = {}
        for row in self._standing():
            if task in (EVERY_TASK, row.task) and row.version < version_of(current, row.task):
                found.setdefault(row.task, []).append(row)
        return tuple(
            Older(
                name,
                sum(row.items for row in rows),
                sum(row.items for row in rows if row.version == 0),
                min(rows, key=lambda row: row.place).first,
            )
            for name, rows in found.items()
        )

    def _standing(self) -> list[DecidedUnder]:
        """Counted once for as long as nobody decides or edits."""
        key = progress.fingerprint(self._db)
        if self._counted is None or self._counted[0] != key:
            self._counted = key, guidelines.load_decisions_by_version(self._db)
        return self._counted[1]


def name_task(task: str) -> str:
    """A task in words, as its plug-in names it."""
    known = tasks().get(task)
    return known.label["en"] if known else task.replace("_", " ").capitalize() or "All tasks"


def beside(database: Database, task: str) -> dict[str, Any] | None:
    """{"text", "version"} of what stands beside an item of that task: the text for all tasks, then its own. None when nothing
    was ever written; the text is "" when all of it was taken back."""
    current = guidelines.load_current(database)
    version = version_of(current, task)
    texts = [current[name].text for name in (EVERY_TASK, task) if name in current]
    return {"text": "\n\n".join(text for text in texts if text), "version": version} if version else None


def version_of(current: Mapping[str, GuidelineVersion], task: str) -> int:
    """The version that a decision on an item of that task is made under; 0 = none."""
    return max((current[name].version for name in (EVERY_TASK, task) if name in current), default=0)


def under(database: Database, task: str, seen: int | None) -> int:
    """The version that a decision carries: the one on the screen, or else the one that counts now; never one yet to come. 0 =
    none."""
    now = version_of(guidelines.load_current(database), task)
    return now if seen is None else max(0, min(seen, now))
