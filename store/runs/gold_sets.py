"""Store and load gold sets: lists about a gold answer, such as questions about it or the facts in it. An agent writes a list
once, and people then change it. Every version stays stored; for each item and gold answer, the newest version is used. An LLM
judge never uses a list that the offline agent (rules without an LLM) wrote."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from core.ids import content_hash
from store.engine.columns import Timestamp, current_time, from_json, insert_row
from store.engine.database import Cursor, Database

SHARED_COLUMNS = ("item", "number", "language", "answer", "made_by", "prompts", "offline", "made_at")
"""Names of the columns that every table of gold sets has in addition to its key and its content."""


class GoldSet:
    """The fields and properties that every kind of gold set has. A subclass is a dataclass with the common fields and its own
    content."""

    __slots__ = ()
    item: str
    answer: str
    """The gold answer that the set is about."""
    language: str
    by: str
    """Name of the agent or person who wrote this gold set."""
    prompts: tuple[str, ...]
    """Identities (name@hash) of the agent's prompts; empty if a person wrote the gold set."""
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
    """The table of one kind of gold sets; its rows are never changed or deleted."""

    name: str
    content: Mapping[str, Callable[[S], Any]]
    """Dict from the name of each column with content to the function that returns the column's value for a gold set."""
    build: Callable[[Mapping[str, Any], Mapping[str, Any]], S]
    """Function that builds a gold set from the fields that all gold sets have and the columns with the content."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that a gold set is built from, in the order of the rows that `read` takes."""
        return (*SHARED_COLUMNS, *self.content)

    @property
    def newest(self) -> str:
        """SQL condition that selects the newest version of each gold set."""
        return "QUALIFY row_number() OVER (PARTITION BY item, gold ORDER BY number DESC) = 1"

    def read(self, row: Sequence[Any]) -> S:
        """Build a gold set from a row with the values of `columns`."""
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
        """Store gold sets that an agent wrote, within the caller's transaction. A gold set is not stored if the agent can
        already use a stored one for the same gold answer."""
        for new in {(new.item, new.gold): new for new in sets}.values():
            stored = self._fetch_numbers(cursor, new)
            if not any(new.is_offline or not is_offline for _, is_offline in stored):
                self._insert(cursor, new, max((number for number, _ in stored), default=0) + 1)

    def write(self, database: Database, written: S, seen: int) -> bool:
        """Store a gold set by a person who had seen the versions up to the number `seen`; 0 means that there was none. If
        another version was added in the meantime, store nothing and return False."""

        def add(cursor: Cursor) -> bool:
            last = max((number for number, _ in self._fetch_numbers(cursor, written)), default=0)
            if last != seen:
                return False
            self._insert(cursor, written, last + 1)
            return True

        return database.write(add)

    def append(self, cursor: Cursor, new: S) -> None:
        """Store a gold set as the newest version, within the caller's transaction."""
        self._insert(cursor, new, max((number for number, _ in self._fetch_numbers(cursor, new)), default=0) + 1)

    def load_counting_sets(self, database: Database, items: Collection[str], for_offline: bool) -> dict[tuple[str, str], S]:
        """Return a dict from (item, key of the gold answer) to the gold set that is in use. If `for_offline` is true, return
        the sets that offline judges use."""
        if not database.has_any(self.name):
            return {}
        where = "item IN (SELECT unnest(?::VARCHAR[])) AND (? OR NOT offline)"
        sql = f"SELECT {', '.join(self.columns)} FROM {self.name} WHERE {where} {self.newest}"
        return {(one.item, one.gold): one for one in map(self.read, database.rows(sql, [list(items), for_offline]))}

    def load_versions(self, database: Database, item: str, gold: str) -> list[S]:
        """Return every version of the gold set for the item and gold answer, oldest first."""
        sql = f"SELECT {', '.join(self.columns)} FROM {self.name} WHERE item = ? AND gold = ? ORDER BY number"
        return [self.read(row) for row in database.rows(sql, [item, gold])]

    def _fetch_numbers(self, cursor: Cursor, new: S) -> list[tuple[int, bool]]:
        """Return (version number, whether the offline agent wrote the version) for every version with the same item and gold
        answer as `new`."""
        sql = f"SELECT number, offline FROM {self.name} WHERE item = ? AND gold = ?"
        return cursor.execute(sql, [new.item, new.gold]).fetchall()

    def _insert(self, cursor: Cursor, new: S, number: int) -> None:
        key = f"{new.item}/{new.gold}/{number}"
        row = (new.item, number, new.language, new.answer, new.by, new.prompts, new.is_offline, current_time())
        content = tuple(read(new) for read in self.content.values())
        insert_row(cursor, self.name, ", ".join((*self.columns, "gold", "key")), (*row, *content, new.gold, key))
