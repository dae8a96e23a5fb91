"""Find items by properties, text or similarity, show them page by page, and find the neighbours of an item in the list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.errors import BenchError
from core.nouns import Item, Level, Status
from core.quality.difficulty import BANDS as DIFFICULTIES
from store.engine.database import Database
from store.items import finding, items
from store.items.finding import ORDERS, UNDEFINED_BAND, ItemSearch, ListPosition
from store.queue import queue
from store.queue.kind import ANY_FLAG, NO_FLAG, ItemKind
from store.queue.queue import PHASED_TASKS
from workbench import actor
from workbench.annotate.finding.difficulty import load_rule
from workbench.annotate.finding.item_similarity import ItemVectors, SimilarItems, SimilarityQuery
from workbench.background_cache import RunningWork
from workbench.roles import check_permission, explain_refusal

if TYPE_CHECKING:
    from workbench.annotate.reviewing.blind import Blind

__all__ = [
    "ANY_FLAG",
    "BANDS",
    "NO_FLAG",
    "ORDERS",
    "PAGE_SIZE",
    "STATUSES",
    "UNDEFINED_BAND",
    "FindStage",
    "FoundItem",
    "FoundPage",
    "ItemKind",
    "ItemSearch",
    "ListPosition",
    "SimilarItems",
    "SimilarityQuery",
]

PAGE_SIZE = 50
HIDDEN_ANSWER = "(hidden until you have written your own)"
HIDDEN_IN_PHASES = "(hidden until its two phases are over)"
BANDS = (*DIFFICULTIES, UNDEFINED_BAND)
STATUSES: tuple[Status, ...] = ("drafted", "accepted", "discarded", "refused")


@dataclass(frozen=True, slots=True)
class FoundItem:
    """One item that a search found, as the list shows it."""

    id: str
    question: str
    answer: str
    """First answer of the item; HIDDEN_ANSWER or HIDDEN_IN_PHASES if the answer is hidden from the current user."""
    status: Status
    task: str
    level: Level
    domain: str
    language: str
    agent: str | None
    overlap: float | None
    revision: int
    flags: Sequence[str]
    """Names of the gates (automatic checks) that flagged the item."""
    cosine: float | None
    """Cosine similarity to the text or item that was searched for; None if the search was not by similarity."""


@dataclass(frozen=True, slots=True)
class FoundPage:
    """One page of the items that a search found."""

    total: int
    """Number of items on all pages together."""
    rows: Sequence[FoundItem]
    similar: SimilarItems | None = None
    """Result of a search by similarity; None if the search was not by similarity."""


class FindStage:
    """Methods that search items and page through the results."""

    def __init__(self, database: Database, blind: "Blind") -> None:
        self._db, self._blind = database, blind
        self._vectors = ItemVectors(database)

    def choices(self) -> Mapping[str, Sequence[int | str]]:
        """Return a dict from the field of a search to the values that occur in items. Other people than the current user are
        listed only if the current user may see the work of others."""
        values = queue.list_choices(self._db)
        flags = [NO_FLAG, ANY_FLAG, *values["flag"]] if values["flag"] else []
        people = [name for name in finding.list_people(self._db) if self.why_not_of(name) is None]
        return {**values, "flag": flags, "prompt": finding.list_prompts(self._db), "person": people}

    def why_not_of(self, person: str | None) -> str | None:
        """Return the reason why the current user may not search for the decisions of `person` (None = everybody), or None if
        the current user may."""
        is_own = person is not None and actor.get_name() in (None, person)
        return None if is_own else explain_refusal(self._db, "see who did what")

    def page(self, search: ItemSearch, query: SimilarityQuery, number: int) -> RunningWork[FoundPage]:
        """Return page `number` of the found items; the first page has the number 1. In a search by similarity, the most similar
        items come first.

        The `value` of the returned object is None as long as the similarity is being computed. Raises BenchError if there is
        nothing to compare with, and NotAllowed if the current user may not make this search."""
        search = self._complete(search, query)
        first = PAGE_SIZE * (number - 1)
        if not query.is_asked:
            total, page = finding.load_page(self._db, search, PAGE_SIZE, first)
            return RunningWork(FoundPage(total, self._list_rows(page, {})))
        working = self._vectors.rank(query, finding.list_ids(self._db, search))
        similar = working.value
        if similar is None:
            return RunningWork(None, working.seconds)
        page = items.load_items(self._db, list(similar.cosines)[first : first + PAGE_SIZE])
        return RunningWork(FoundPage(len(similar.cosines), self._list_rows(page, similar.cosines), similar))

    def describe_progress(self) -> str:
        """Return the progress of computing the similarity, in words."""
        return self._vectors.message

    def ids(self, search: ItemSearch, query: SimilarityQuery) -> list[str]:
        """List the ids of all found items, in order. Raises BenchError if the similarity is still being computed."""
        search = self._complete(search, query)
        ids = finding.list_ids(self._db, search)
        if not query.is_asked:
            return ids
        similar = self._vectors.rank(query, ids).value
        if similar is None:
            raise BenchError("The similarity of the items is still being computed: wait for the list.")
        return list(similar.cosines)

    def place(self, search: ItemSearch, query: SimilarityQuery, item: str) -> ListPosition | None:
        """Return the item's position in the list of found items. If the search does not find the item any more, return its
        former position; if the item does not exist, return None.

        In a search by similarity, also return None if the item is not among the similar items. Raises BenchError if the
        similarity is still being computed."""
        search = self._complete(search, query)
        if not query.is_asked:
            return finding.locate_item(self._db, search, item)
        ids = self.ids(search, query)
        if item not in ids:
            return None
        at = ids.index(item)
        return ListPosition(ids[at - 1] if at else None, ids[at + 1] if at + 1 < len(ids) else None, at + 1, len(ids))

    def close(self) -> None:
        """Wait until the running background work has ended."""
        self._vectors.close()

    def _complete(self, search: ItemSearch, query: SimilarityQuery) -> ItemSearch:
        """Return the search with the rule for difficulty, and without items whose hidden answers it would reveal to the current
        user. Raises NotAllowed if the current user may not make this search, and BenchError if it would compare with a hidden
        answer."""
        if search.difficulty is not None:
            check_permission(self._db, "see runs")
        is_of_others = search.is_disputed or search.bulk is not None
        if (search.person is not None and self.why_not_of(search.person)) or (is_of_others and self.why_not_of(None)):
            check_permission(self._db, "see who did what")
        search = search if search.difficulty is None else replace(search, rule=load_rule(self._db))
        person = actor.get_name()
        if person is None or not self._blind.is_any_withheld:
            return search
        if query.item and query.of == "answer":
            compared = items.get(self._db, query.item)
            if self._blind.find_withheld_items([compared], person):
                raise BenchError(
                    f"The answer of {query.item} is {_describe_hidden(compared).strip('()')}: compare by the question."
                )
        search = replace(search, excluded=self._list_found_by_hidden_answer(search, query, person))
        if search.order not in finding.LENGTH_ORDERS or search.status not in (None, "drafted"):
            return search
        drafts = finding.list_ids(self._db, replace(search, status="drafted", order="oldest"))
        return replace(search, hidden_answers=tuple(sorted(self._blind.find_withheld(drafts, person))))

    def _list_found_by_hidden_answer(self, search: ItemSearch, query: SimilarityQuery, person: str) -> tuple[str, ...]:
        """List the items that the search would find only by an answer or evidence that is hidden from the person. The search
        leaves out these items, so that it does not reveal the hidden text."""
        is_by_answer = query.is_asked and query.of == "answer"
        if search.status not in (None, "drafted"):
            return ()
        waiting = replace(search, status="drafted")
        if is_by_answer:
            found = finding.list_ids(self._db, waiting)
        elif search.text.strip():
            in_question = set(finding.list_ids(self._db, replace(waiting, in_question_only=True)))
            found = [item for item in finding.list_ids(self._db, waiting) if item not in in_question]
        else:
            return ()
        return tuple(sorted(self._blind.find_withheld(found, person)))

    def _list_rows(self, page: Sequence[Item], cosines: Mapping[str, float]) -> list[FoundItem]:
        flags = finding.load_flags(self._db, [item.id for item in page])
        person = actor.get_name()
        hidden = set() if person is None else self._blind.find_withheld_items(page, person)
        return [
            FoundItem(
                id=item.id,
                question=item.question,
                answer=_describe_hidden(item) if item.id in hidden else next(iter(item.answers), ""),
                status=item.status,
                task=item.task,
                level=item.level,
                domain=item.domain,
                language=item.language,
                agent=item.provenance.agent,
                overlap=item.overlap,
                revision=item.revision,
                flags=flags.get(item.id, []),
                cosine=cosines.get(item.id),
            )
            for item in page
        ]


def _describe_hidden(item: Item) -> str:
    """Return the text that a list shows instead of the item's hidden answer."""
    return HIDDEN_IN_PHASES if item.task in PHASED_TASKS else HIDDEN_ANSWER
