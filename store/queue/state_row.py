"""Keep the state rows of the waiting items in memory, in the queue's order, so that no query is needed to find a person's next
item or to count items."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from threading import RLock
from typing import Any, NamedTuple

from core.nouns import Status
from core.quality.conversations import TASK
from store.engine.columns import Fetch, build_in_condition, replace_surrogates
from store.engine.database import Source, fetch_of, find_follower
from store.engine.followers import Mirror, Rows
from store.queue.kind import ANY_KIND, ItemKind, build_kind_check
from store.queue.queue import PHASED_TASKS, WAITING_STATUS

MAX_LISTED_KINDS = 100
"""Maximum number of kinds of items for which a list is kept in memory; for more kinds, the oldest list is removed."""

MAX_SINGLE_CHANGES = 1_000
"""If one commit changes more rows than this number, the lists are built again; changes of fewer rows are applied one by one."""


class StateRow(NamedTuple):
    """A row of the table `state`, which contains the current state of one item; the fields of the row are the table's
    columns."""

    item: str
    number: int
    """Number of the item in the order in which items were stored."""
    revision: int
    """Number of the item's current revision."""
    latest: int
    """Number of the item's newest revision. The number is above `revision` if people edited the text as part of an opinion."""
    status: Status
    wanted: int
    """Number of people who must give a decision or opinion on the item."""
    given: int
    """Number of opinions on the item that are in effect while it waits; 0 after the decision."""
    place: int
    """Place that the queue's rules give the item; items with lower numbers come first."""
    task: str
    level: str | None
    domain: str
    language: str
    document: str | None
    """Id of the document that the app opens first with the item, or None."""
    agent: str | None
    flags: str

    @property
    def is_for_several(self) -> bool:
        """Check whether the item waits for opinions of several people or for a decision between them."""
        return self.status == WAITING_STATUS and (self.wanted > 1 or self.given > 0)

    @property
    def is_in_phases(self) -> bool:
        """Check whether the item waits for a review in two phases."""
        return self.status == WAITING_STATUS and self.task in PHASED_TASKS

    @property
    def is_touched(self) -> bool:
        """Check whether the item may have a decision or opinion that is in effect. The result is False only if the item is
        waiting, was never edited and has no opinion."""
        return not (self.status == WAITING_STATUS and self.latest == 1 and self.given == 0)

    @property
    def is_disputed(self) -> bool:
        """Check whether the item waits for a decision because all needed opinions are given and differ."""
        return self.status == WAITING_STATUS and self.given >= self.wanted

    @property
    def is_queued(self) -> bool:
        """Check whether the item waits in the queue, for an opinion or for a decision between opinions."""
        return self.status == WAITING_STATUS and self.task not in PHASED_TASKS

    @property
    def is_on_desk(self) -> bool:
        """Check whether the item waits in the queue of the review desk. Turns of conversations do not: people review whole
        conversations on a page of their own."""
        return self.is_queued and self.task != TASK

    @property
    def missing_opinions(self) -> int:
        """Return how many opinions the item still needs; 0 if the item is not waiting for opinions."""
        return max(0, self.wanted - self.given) if self.status == WAITING_STATUS else 0


def fetch_state_row(source: Source, item: str) -> StateRow | None:
    """Return the state row of the item, or None if there is none."""
    item = replace_surrogates(item)
    if (mirror := find_follower(source, StateMirror)) is not None and (row := mirror.get(item)) is not None:
        return row
    rows = fetch_of(source)(f"SELECT {', '.join(StateRow._fields)} FROM state WHERE item = ?", [item])
    return StateRow(*rows[0]) if rows else None


def fetch_state_rows(source: Source, items: Sequence[str]) -> list[StateRow]:
    """Return the state rows of the given items, with at most one query; items that do not exist are left out."""
    wanted = [replace_surrogates(item) for item in items]
    mirror = find_follower(source, StateMirror)
    held = [row for item in wanted if (row := mirror.get(item)) is not None] if mirror is not None else []
    others = list(set(wanted).difference(row.item for row in held))
    if not others:
        return held
    condition, params = build_in_condition("item", others)
    rows = fetch_of(source)(f"SELECT {', '.join(StateRow._fields)} FROM state WHERE {condition}", params)
    return held + [StateRow(*row) for row in rows]


_STATUS = StateRow._fields.index("status")


class StateMirror(Mirror[StateRow]):
    """The state rows of waiting items in memory, in the order of the queue. Rows of items that were decided before the table
    was read are not in memory, because a large project has many of them; a row that was read stays in memory after the
    decision."""

    table, columns, row, key = "state", StateRow._fields, StateRow, ("item",)
    holds_all = False

    def __init__(self, lock: RLock) -> None:
        super().__init__(lock)
        self._shared: dict[Any, Any] = {}
        """Each value that occurs in rows, so that rows with the same value can share it in memory."""
        self._lists: dict[ItemKind, list[StateRow]] = {ANY_KIND: []}
        """Dict from kind to the items of that kind that wait for opinions, sorted by place and number."""
        self._checks: dict[ItemKind, Callable[[StateRow], bool]] = {ANY_KIND: build_kind_check(ANY_KIND)}
        self._by_document: dict[str | None, list[StateRow]] = {}
        """Dict from document to its items that wait for opinions."""
        self._disputed: dict[str, StateRow] = {}

    def list_next(
        self,
        kind: ItemKind,
        after: StateRow | None,
        document: str | None,
        accepts: Callable[[StateRow], bool],
        limit: int,
        among: Iterable[str] | None = None,
    ) -> list[StateRow]:
        """Return at most `limit` state rows of items of the kind that wait for opinions, in the queue's order. Items for which
        `accepts` returns False are left out. Of items with the same place in the queue, those on the document come first, then
        those after `after`. `among` limits the search to the given items."""
        with self.lock:
            if among is None:
                rows, here = self._list(kind), self._by_document.get(document, [])
                here = here if kind == ANY_KIND else list(filter(self._checks[kind], here))
            else:
                rows = sorted(self.select_open(kind, among), key=_order)
                here = [row for row in rows if row.document == document]
            return list(islice(filter(accepts, _walk(rows, here, after, document)), limit))

    def select_open(self, kind: ItemKind, items: Iterable[str]) -> list[StateRow]:
        """Return the state rows of those given items that are of the kind and wait for opinions."""
        is_of_kind, rows = build_kind_check(kind), map(self.get, items)
        return [row for row in rows if row is not None and row.is_on_desk and not row.is_disputed and is_of_kind(row)]

    def count_open(self, kind: ItemKind) -> int:
        """Return how many items of the kind wait for opinions."""
        with self.lock:
            return len(self._list(kind))

    def count_disputed(self, kind: ItemKind) -> int:
        """Return the number of items of the kind whose needed opinions are all given and differ."""
        is_of_kind = build_kind_check(kind)
        with self.lock:
            return sum(map(is_of_kind, self._disputed.values()))

    def count_on_document(self, document: str | None) -> int:
        """Return how many items on the given document wait for opinions; 0 if `document` is None."""
        with self.lock:
            return len(self._by_document.get(document, ())) if document is not None else 0

    def load(self, fetch: Fetch) -> None:
        """Load the rows of all waiting items first and then build the lists at once, which is faster than adding the rows one
        by one."""
        for values in fetch(f"SELECT {', '.join(self.columns)} FROM {self.table} WHERE status = ?", [WAITING_STATUS]):
            self._rows[values[0]] = self._make(values)
        self._arrange()

    def note(self, verb: str, rows: Rows) -> None:
        if verb != "DELETE":
            rows = [row for row in rows if row[_STATUS] == WAITING_STATUS or self._is_held(row[0])]
        super().note(verb, rows)

    def _is_held(self, item: str) -> bool:
        return item in self._rows or self._pending.get(item) is not None

    def commit(self) -> None:
        if len(self._pending) <= MAX_SINGLE_CHANGES:
            return super().commit()
        for key, row in self._pending.items():
            if row is None:
                self._rows.pop(key, None)
            else:
                self._rows[key] = row
        self._pending = {}
        self._arrange()

    def _arrange(self) -> None:
        """Build the lists of waiting items from the rows."""
        waiting = [row for row in self._rows.values() if row.is_queued]
        every = sorted((row for row in waiting if row.is_on_desk and not row.is_disputed), key=_order)
        self._disputed = {row.item: row for row in waiting if row.is_disputed}
        self._lists, self._checks = {ANY_KIND: every}, {ANY_KIND: build_kind_check(ANY_KIND)}
        self._by_document = {}
        for row in every:
            self._by_document.setdefault(row.document, []).append(row)

    def change(self, before: StateRow | None, after: StateRow | None) -> None:
        for row, edit in ((before, _remove), (after, _add)):
            if row is None or not row.is_queued:
                continue
            if row.is_disputed:
                if edit is _add:
                    self._disputed[row.item] = row
                else:
                    del self._disputed[row.item]
                continue
            if not row.is_on_desk:
                continue
            for kind, rows in self._lists.items():
                if self._checks[kind](row):
                    edit(rows, row)
            of_document = self._by_document.setdefault(row.document, [])
            edit(of_document, row)
            if not of_document:
                del self._by_document[row.document]

    def _make(self, row: tuple[Any, ...]) -> StateRow:
        item, number, *others = row
        return StateRow._make((item, number, *map(self._shared.setdefault, others, others)))

    def _list(self, kind: ItemKind) -> list[StateRow]:
        found = self._lists.get(kind)
        if found is None:
            if len(self._lists) > MAX_LISTED_KINDS:
                oldest = list(self._lists)[1]
                del self._lists[oldest], self._checks[oldest]
            check = self._checks[kind] = build_kind_check(kind)
            found = self._lists[kind] = list(filter(check, self._lists[ANY_KIND]))
        return found


def _walk(
    rows: Sequence[StateRow], of_document: Sequence[StateRow], after: StateRow | None, document: str | None
) -> Iterator[StateRow]:
    """Yield the rows in groups with the same place in the queue; the rows are already sorted in the queue's order. In each
    group, rows after `after` come first, beginning with the rows on the document; the rows before `after` come last."""
    start = 0
    while start < len(rows):
        place = rows[start].place
        end = bisect_left(rows, (place + 1, 0), start, key=_order)
        if after is None:
            yield from _slice(rows, start, end)
        else:
            here = (place, after.number)
            behind = bisect_right(rows, here, start, end, key=_order)
            if document is None:
                yield from _slice(rows, behind, end)
            else:
                first = bisect_right(of_document, here, key=_order)
                yield from _slice(of_document, first, bisect_left(of_document, (place + 1, 0), key=_order))
                yield from (row for row in _slice(rows, behind, end) if row.document != document)
            yield from _slice(rows, start, bisect_left(rows, here, start, end, key=_order))
        start = end


def _slice(rows: Sequence[StateRow], start: int, end: int) -> Iterator[StateRow]:
    return (rows[number] for number in range(start, end))


def _order(row: StateRow) -> tuple[int, int]:
    return row.place, row.number


def _add(rows: list[StateRow], row: StateRow) -> None:
    if not rows or _order(rows[-1]) < _order(row):
        rows.append(row)  # the case of nearly all rows while the table is read
    else:
        insort(rows, row, key=_order)


def _remove(rows: list[StateRow], row: StateRow) -> None:
    del rows[bisect_left(rows, _order(row), key=_order)]
