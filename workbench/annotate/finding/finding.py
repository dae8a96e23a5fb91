"""Finding items: by filters and words, by likeness, one page at a time; and the way from one found item to the next."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.errors import BenchError
from core.nouns import Item, Status
from core.quality.difficulty import BANDS as DIFFICULTIES
from store.engine.database import Database
from store.items import finding, items
from store.items.finding import ORDERS, UNDEFINED_BAND, ItemSearch, ListPosition
from store.queue import queue
from store.queue.kind import ANY_FLAG, NO_FLAG, ItemKind
from workbench import acting
from workbench.annotate.finding.difficulty import rule_of
from workbench.annotate.finding.likeness import Alike, ItemVectors, Like
from workbench.kept import RunningWork
from workbench.roles import may, why_not

__all__ = [
    "ANY_FLAG",
    "BANDS",
    "NO_FLAG",
    "ORDERS",
    "PAGE",
    "STATUSES",
    "UNDEFINED_BAND",
    "Alike",
    "FindStage",
    "FoundPage",
    "ItemKind",
    "ItemSearch",
    "Like",
    "ListPosition",
]

PAGE = 50
"""Items on one page."""
HIDDEN = "(hidden until you have written your own)"
BANDS = (*DIFFICULTIES, UNDEFINED_BAND)
STATUSES: tuple[Status, ...] = ("drafted", "accepted", "discarded", "refused")


@dataclass(frozen=True, slots=True)
class FoundPage:
    """One page of what was found."""

    total: int
    """Items that were found in all."""
    rows: Sequence[Mapping[str, Any]]
    """Of this page: id, question, answer, status, task, level, domain, language, agent, overlap, revision, flags, cosine."""
    alike: Alike | None = None
    """What they were compared by; None when they were not."""


class FindStage:
    """Verbs on what is looked for."""

    def __init__(self, database: Database, hides: Callable[[Item, str], bool]) -> None:
        """`hides`: whether a person may not see the answer of an item yet."""
        self._db, self._hides = database, hides
        self._likeness = ItemVectors(database)

    def choices(self) -> Mapping[str, list[Any]]:
        """The values that there are items of, by what they are of; of people only oneself, unless one may see who did what."""
        found = queue.list_choices(self._db)
        flags = [NO_FLAG, ANY_FLAG, *found["flag"]] if found["flag"] else []
        people = [one for one in finding.list_people(self._db) if self.why_not_of(one) is None]
        return {**found, "flag": flags, "prompt": finding.list_prompts(self._db), "person": people}

    def why_not_of(self, person: str | None) -> str | None:
        """Why whoever asks may not look for what that person decided (None = for what people differ on, or changed in bulk), in
        a sentence; None when they may."""
        is_own = person is not None and acting.who() in (None, person)
        return None if is_own else why_not(self._db, "see who did what")

    def page(self, search: ItemSearch, like: Like, number: int) -> RunningWork[FoundPage]:
        """A page of the items, the first is 1; the most alike first where likeness is asked for, which may take a while: then
        the value is None until it is known. Raises BenchError when there is nothing to compare with, Refused on what whoever
        asks may not look for."""
        search = self._ruled(search)
        first = PAGE * (number - 1)
        if not like.is_asked:
            total, found = finding.load_page(self._db, search, PAGE, first)
            return RunningWork(FoundPage(total, self._rows(found, {})))
        working = self._likeness.ranked(like, finding.list_ids(self._db, search))
        alike = working.value
        if alike is None:
            return RunningWork(None, working.seconds)
        ids = list(alike.cosines)[first : first + PAGE]
        return RunningWork(FoundPage(len(alike.cosines), self._rows(items.load_items(self._db, ids), alike.cosines), alike))

    def how_far(self) -> str:
        """What the work on likeness said last."""
        return self._likeness.said

    def ids(self, search: ItemSearch, like: Like) -> list[str]:
        """All that were found, in order. Raises BenchError as long as likeness is asked for and not known."""
        search = self._ruled(search)
        found = finding.list_ids(self._db, search)
        if not like.is_asked:
            return found
        alike = self._likeness.ranked(like, found).value
        if alike is None:
            raise BenchError("How alike the items are is not known yet: wait until the list stands.")
        return list(alike.cosines)

    def place(self, search: ItemSearch, like: Like, item: str) -> ListPosition | None:
        """Where the item stands among the found ones, or would if it were still one; None when there is no such item, or it is
        not among those that are alike. Raises BenchError as `ids` does."""
        search = self._ruled(search)
        if not like.is_asked:
            return finding.locate_item(self._db, search, item)
        found = self.ids(search, like)
        if item not in found:
            return None
        at = found.index(item)
        return ListPosition(found[at - 1] if at else None, found[at + 1] if at + 1 < len(found) else None, at + 1, len(found))

    def close(self) -> None:
        """Wait for what is under way."""
        self._likeness.close()

    def _ruled(self, search: ItemSearch) -> ItemSearch:
        """With what counts as solved now. Raises Refused on what whoever asks may not look for."""
        if search.difficulty is not None:
            may(self._db, "see runs")
        is_of_others = search.is_disputed or search.bulk is not None
        if (search.person is not None and self.why_not_of(search.person)) or (is_of_others and self.why_not_of(None)):
            may(self._db, "see who did what")
        return search if search.difficulty is None else replace(search, rule=rule_of(self._db))

    def _rows(self, found: Sequence[Item], cosines: Mapping[str, float]) -> list[dict[str, Any]]:
        flags = finding.load_flags(self._db, [item.id for item in found])
        return [
            {
                "id": item.id,
                "question": item.question,
                "answer": self._answer(item),
                "status": item.status,
                "task": item.task,
                "level": item.level,
                "domain": item.domain,
                "language": item.language,
                "agent": item.provenance.agent,
                "overlap": item.overlap,
                "revision": item.revision,
                "flags": flags.get(item.id, []),
                "cosine": cosines.get(item.id),
            }
            for item in found
        ]

    def _answer(self, item: Item) -> str:
        person = acting.who()
        return HIDDEN if person is not None and self._hides(item, person) else next(iter(item.answers), "")
