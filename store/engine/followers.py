"""Rows of a few tables in memory. One process holds the file, and every change goes through the writer's cursor, which hands
each row that a statement writes to the table's follower. A follower shows the rows once they are committed, to the writer's own
thread at once. So no reader needs to clear anything, and no writer can forget to."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from threading import RLock, get_ident
from typing import Any, ClassVar, Generic, TypeVar, cast

from store.engine.columns import Fetch

Rows = Sequence[tuple[Any, ...]]
MAX_KEPT_READS = 2_000
"""Maximum number of values that one follower keeps; then all are read again."""


class Follower(ABC):
    """Follows the rows of one table. Subclasses name the table and the columns that they need."""

    table: ClassVar[str]
    columns: ClassVar[Sequence[str]]

    def __init__(self, lock: RLock) -> None:
        self.lock = lock
        """Held while a commit is applied; hold it to read several values, or several followers, of one moment."""
        self.is_lost = False
        """Whether the open transaction changes rows in a way that this follower cannot follow."""

    @abstractmethod
    def load(self, fetch: Fetch) -> None:
        """Read what is stored."""

    @abstractmethod
    def note(self, verb: str, rows: Rows) -> None:
        """Note the rows that a statement of the open transaction wrote; `verb` = "INSERT", "UPDATE" or "DELETE"."""

    def foresee_row(self, column: str, value: object, changed: Mapping[str, Any]) -> tuple[Any, ...] | None:
        """Return the only row whose column has the value, as an update with the changed columns makes it, or None if this
        follower cannot tell. DuckDB takes twice as long for an update that returns its rows."""
        return None

    @abstractmethod
    def commit(self) -> None:
        """Show the noted rows."""

    @abstractmethod
    def roll_back(self) -> None:
        """Forget the noted rows."""


F = TypeVar("F", bound=Follower)
Row = TypeVar("Row", bound=tuple[Any, ...])
Value = TypeVar("Value")


class Mirror(Follower, Generic[Row]):
    """All rows of a table in memory, by key. The writer's thread sees the rows of its transaction, every other thread those of
    the last commit."""

    row: ClassVar[type[Any]]
    """Named tuple of a row, with a field for each of `columns`."""
    key: ClassVar[Sequence[str]]
    """Fields that identify a row."""
    indexes: ClassVar[Sequence[str]] = ()
    """Fields by which `list_having` finds rows."""

    def __init__(self, lock: RLock) -> None:
        super().__init__(lock)
        self._rows: dict[Hashable, Row] = {}
        self._by: dict[str, dict[Hashable, dict[Hashable, Row]]] = {name: {} for name in self.indexes}
        self._pending: dict[Hashable, Row | None] = {}
        """Rows that the open transaction has written, None = deleted."""
        self._writer: int | None = None

    def load(self, fetch: Fetch) -> None:
        for row in fetch(f"SELECT {', '.join(self.columns)} FROM {self.table}", []):
            made = self._make(row)
            self._put(self._key(made), made)

    def get(self, *key: Hashable) -> Row | None:
        """Return the row with the key, or None if there is none."""
        one = key if len(self.key) > 1 else key[0]
        pending = self._own_pending()
        return pending[one] if one in pending else self._rows.get(one)

    def list_having(self, index: str, value: Hashable) -> list[Row]:
        """Return the rows whose field `index` has the value."""
        with self.lock:
            rows = self._by[index].get(value, {})
            if not (pending := self._own_pending()):
                return list(rows.values())
            kept = [row for key, row in rows.items() if key not in pending]
        return kept + [row for row in pending.values() if row is not None and getattr(row, index) == value]

    def list_rows(self) -> list[Row]:
        """Return all rows."""
        with self.lock:
            if not (pending := self._own_pending()):
                return list(self._rows.values())
            kept = [row for key, row in self._rows.items() if key not in pending]
        return kept + [row for row in pending.values() if row is not None]

    def note(self, verb: str, rows: Rows) -> None:
        self._writer = get_ident()
        for row in map(self._make, rows):
            key = self._key(row)
            if verb == "UPDATE" and self.get(*(key if isinstance(key, tuple) else (key,))) is None:
                self.is_lost = True  # the statement changed the key of a row, which stays behind under its old key
            self._pending[key] = None if verb == "DELETE" else row

    def foresee_row(self, column: str, value: object, changed: Mapping[str, Any]) -> tuple[Any, ...] | None:
        is_key = list(self.key) == [column] and column not in changed
        row = self.get(value) if is_key else None
        return row and cast(Any, row)._replace(**{name: changed[name] for name in self.columns if name in changed})

    def commit(self) -> None:
        for key, row in self._pending.items():
            self._put(key, row)
        self._pending = {}

    def roll_back(self) -> None:
        self._pending = {}

    def change(self, before: Row | None, after: Row | None) -> None:
        """Adapt what a subclass derives from the rows."""

    def _make(self, row: tuple[Any, ...]) -> Row:
        return cast(Row, self.row._make(row))

    def _key(self, row: Row) -> Hashable:
        values = tuple(getattr(row, name) for name in self.key)
        return values if len(values) > 1 else values[0]

    def _own_pending(self) -> dict[Hashable, Row | None]:
        return self._pending if self._pending and get_ident() == self._writer else {}

    def _put(self, key: Hashable, after: Row | None) -> None:
        before = self._rows.get(key)
        if after is not None:
            self._rows[key] = after  # in one step, because `get` reads without the lock
        else:
            self._rows.pop(key, None)
        for name, by in self._by.items():
            if before is not None:
                same = by[getattr(before, name)]
                del same[key]
                if not same:
                    del by[getattr(before, name)]
            if after is not None:
                by.setdefault(getattr(after, name), {})[key] = after
        self.change(before, after)


class KeptReads(Follower, Generic[Value]):
    """Values that were read for a key, the first of `columns`. A commit that writes a row of the key drops its value."""

    def __init__(self, lock: RLock) -> None:
        super().__init__(lock)
        self._values: dict[str, Value] = {}
        self._noted: list[tuple[Any, ...]] = []
        self._drops_all = False
        self.n_commits = 0
        """Number of commits that wrote to the table."""

    def get(self, key: str) -> Value | None:
        """Return the value, or None if it has to be read."""
        return self._values.get(key)

    def put(self, read: Mapping[str, Value], n_commits: int) -> None:
        """Keep the values that were read after `n_commits` commits, unless there was another since."""
        with self.lock:
            if n_commits == self.n_commits:
                self._values = {**(self._values if len(self._values) < MAX_KEPT_READS else {}), **read}

    def load(self, fetch: Fetch) -> None:
        """Read nothing: values are read when they are asked for."""

    def take(self, rows: Rows) -> None:
        """Drop or adapt the values of the committed rows."""
        for row in rows:
            self._values.pop(row[0], None)

    def note(self, verb: str, rows: Rows) -> None:
        self._noted += rows
        self._drops_all |= verb == "UPDATE"

    def commit(self) -> None:
        self.n_commits += bool(self._noted)
        if self._drops_all:
            self._values = {}
        self.take(self._noted)
        self.roll_back()

    def roll_back(self) -> None:
        self._noted, self._drops_all = [], False


class Followers:
    """The followers of one open workspace, one for each table that somebody has asked for."""

    def __init__(self) -> None:
        self.lock = RLock()
        self._shown: dict[str, Follower] = {}
        self._new: dict[str, Follower] = {}
        """Followers that the open transaction has loaded, maybe with rows that are not committed."""

    def find_shown(self, kind: type[F]) -> F | None:
        """Return the follower of committed rows, if it is loaded."""
        return cast(F | None, self._shown.get(kind.table))

    def find(self, kind: type[F]) -> F | None:
        """Return the follower that has the rows of the open transaction too, if it is loaded."""
        found = self._new.get(kind.table) or self._shown.get(kind.table)
        return None if found is None or found.is_lost else cast(F, found)

    def load(self, kind: type[F], fetch: Fetch) -> F:
        """Return the follower like `find`, and load it within the open transaction if need be."""
        found = self.find(kind)
        if found is None:
            found = self._new[kind.table] = kind(self.lock)
            found.load(fetch)
        return found

    def list_of(self, table: str) -> list[Follower]:
        """Return the followers of the table, which all have the same columns."""
        return [followers[table] for followers in (self._shown, self._new) if table in followers]

    def lose_all(self) -> None:
        """Have all followers loaded anew, because a text of several statements writes to nobody knows which tables."""
        for follower in (*self._shown.values(), *self._new.values()):
            follower.is_lost = True

    def commit(self) -> None:
        """Show what the open transaction wrote."""
        with self.lock:
            self._shown |= self._new
            self._new = {}
            self._shown = {table: follower for table, follower in self._shown.items() if not follower.is_lost}
            for follower in self._shown.values():
                follower.commit()

    def roll_back(self) -> None:
        """Forget what the open transaction wrote."""
        self._new = {}
        for follower in self._shown.values():
            follower.is_lost = False
            follower.roll_back()

    def forget(self) -> None:
        """Drop all followers, because nobody knows whether the transaction was committed."""
        with self.lock:
            self._shown, self._new = {}, {}


def list_columns(verb: str, table: str, followers: Iterable[Follower]) -> list[str]:
    """Return the columns that a statement on the table has to return to these followers. In an UPDATE, which can read from
    another table, the columns are qualified."""
    names = next((follower.columns for follower in followers), ())
    return [f"{table}.{name}" if verb == "UPDATE" else name for name in names]
