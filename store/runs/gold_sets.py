"""Store and load gold sets: lists that an agent derives once from a gold answer and that people then change, such as questions
about the answer or the facts in it. Every version stays stored; the newest version for an item and gold answer is in use. Sets
written by the offline agent (without an LLM) are never used by an LLM judge."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from core.ids import content_hash
from store.engine.columns import Timestamp, current_time, from_json, insert_row
from store.engine.database import Cursor, Database

SHARED_COLUMNS = ("item", "number", "language", "answer", "made_by", "prompts", "offline", "made_at")
"""Names of the columns that each table of gold sets has, besides its key and its content."""


class GoldSet:
    """The fields and properties that all kinds of gold sets have. A subclass is a dataclass with these fields and its own
    content."""

    __slots__ = ()
    item: str
    answer: str
    """The gold answer that the set is about."""
    language: str
    by: str
    """Name of the agent or person who wrote the set."""
    prompts: tuple[str, ...]
    """Identities (name@hash) of the agent's prompts; empty for a set by a person."""
    is_offline: bool
    number: int
    at: Timestamp

    @property
    def gold(self) -> str:
        """Return the key of the gold answer that the set is about."""
        return gold_key(self.answer, self.language)

    @property
    def is_written(self) -> bool:
        """Check whether a person wrote the set."""
        return not self.prompts


S = TypeVar("S", bound=GoldSet)


def gold_key(answer: str, language: str) -> str:
    """Return the key that identifies this gold answer in gold sets."""
    return content_hash([answer, language]).removeprefix("b2:")[:16]


@dataclass(frozen=True, slots=True)
class GoldSetTable(Generic[S]):
    """The table of one kind of gold sets, whose rows are only added."""

    name: str
    content: Mapping[str, Callable[[S], Any]]
    """Dict from the name of each column with the content of a set to the function that returns its value."""
    build: Callable[[Mapping[str, Any], Mapping[str, Any]], S]
    """Build a set from (the fields that all gold sets have, the columns with the content)."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns from which a set is built, in the order of the rows that `read` takes."""
        return (*SHARED_COLUMNS, *self.content)

    @property
    def newest(self) -> str:
        """SQL that keeps only the newest version of each set."""
        return "QUALIFY row_number() OVER (PARTITION BY item, gold ORDER BY number DESC) = 1"

    def read(self, row: Sequence[Any]) -> S:
        """Build a set from a row with the values of `columns`."""
        values = dict(zip(self.columns, row, strict=True))
        shared = {
            "item": values["item"],
            "answer": values["answer"],
            "language": values["language"],
            "by": values["made_by"],
            "prompts": tuple(from_json(values["prompts"])),
            "is_offline": values["offline"],
            "number": values["number"],
            "at": values["made_at"],
        }
        return self.build(shared, {name: values[name] for name in self.content})

    def insert_sets(self, cursor: Cursor, sets: Sequence[S]) -> None:
        """Store sets that an agent wrote, within the caller's transaction. A new set is not stored if that agent can already
        use a stored set for the same gold answer."""
        for new in {(new.item, new.gold): new for new in sets}.values():
            stored = self._fetch_numbers(cursor, new)
            if not any(new.is_offline or not is_offline for _, is_offline in stored):
                self._insert(cursor, new, max((number for number, _ in stored), default=0) + 1)

    def write(self, database: Database, written: S, seen: int) -> bool:
        """Store a set that a person wrote after seeing the sets up to the number `seen`; 0 = there was none. If another set was
        added since, store nothing and return False."""

        def add(cursor: Cursor) -> bool:
            last = max((number for number, _ in self._fetch_numbers(cursor, written)), default=0)
            if last != seen:
                return False
            self._insert(cursor, written, last + 1)
            return True

        return database.write(add)

    def append(self, cursor: Cursor, new: S) -> None:
        """Store a set as the newest version, within the caller's transaction."""
        self._insert(cursor, new, max((number for number, _ in self._fetch_numbers(cursor, new)), default=0) + 1)

    def load_counting_sets(self, database: Database, items: Collection[str], for_offline: bool) -> dict[tuple[str, str], S]:
        """Return a dict from (item, key of the gold answer) to the set in use. `for_offline` selects the sets that offline
        judges use."""
        if not database.has_any(self.name):
            return {}
        where = "item IN (SELECT unnest(?::VARCHAR[])) AND (? OR NOT offline)"
        sql = f"SELECT {', '.join(self.columns)} FROM {self.name} WHERE {where} {self.newest}"
        return {(one.item, one.gold): one for one in map(self.read, database.rows(sql, [list(items), for_offline]))}

    def load_versions(self, database: Database, item: str, gold: str) -> list[S]:
        """Return every version of the set for the item and gold answer, oldest first."""
        sql = f"SELECT {', '.join(self.columns)} FROM {self.name} WHERE item = ? AND gold = ? ORDER BY number"
        return [self.read(row) for row in database.rows(sql, [item, gold])]

    def _fetch_numbers(self, cursor: Cursor, new: S) -> list[tuple[int, bool]]:
        """Return (version number, whether the offline agent wrote the set) for every set of the same item and gold answer as
        `new`."""
        sql = f"SELECT number, offline FROM {self.name} WHERE item = ? AND gold = ?"
        return cursor.execute(sql, [new.item, new.gold]).fetchall()

    def _insert(self, cursor: Cursor, new: S, number: int) -> None:
        key = f"{new.item}/{new.gold}/{number}"
        row = (new.item, number, new.language, new.answer, new.by, new.prompts, new.is_offline, current_time())
        content = tuple(read(new) for read in self.content.values())
        insert_row(cursor, self.name, ", ".join((*self.columns, "gold", "key")), (*row, *content, new.gold, key))
