"""Keep the rows of a few tables in memory. Each cached table has an object, called a follower, that keeps the table's rows.
Only one process has the workspace file open, and a single cursor writes to the file. This cursor gives each written row to the
follower of the row's table. The thread that writes a row can read it from the follower immediately; other threads can read it
only after the commit. Code outside this module never needs to clear the cache."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from threading import RLock, get_ident
from typing import Any, ClassVar, Generic, TypeVar, cast

from store.engine.columns import Fetch

Rows = Sequence[tuple[Any, ...]]
MAX_KEPT_READS = 2_000
"""Maximum number of values in one KeptReads cache; when the cache is full, all its values are removed."""


class Follower(ABC):
    """Base class that keeps rows of one table in memory and updates them with each commit. Subclasses set `table` and
    `columns`."""

    table: ClassVar[str]
    columns: ClassVar[Sequence[str]]

    def __init__(self, lock: RLock) -> None:
        self.lock = lock
        """Lock that is held while the rows of a commit are applied. Hold the lock to read several values as they are at one
        moment."""
        self.is_lost = False
        """Whether the open transaction changed the table in a way that cannot be applied to the rows in memory, so that the
        table must be read again."""

    @abstractmethod
    def load(self, fetch: Fetch) -> None:
        """Load the current rows of the followed table."""

    @abstractmethod
    def note(self, verb: str, rows: Rows) -> None:
        """Collect the rows that a SQL statement wrote, until the open transaction is committed or rolled back. `verb` is
        "INSERT", "UPDATE" or "DELETE"."""

    def foresee_row(self, column: str, value: object, changed: Mapping[str, Any]) -> tuple[Any, ...] | None:
        """Return the row with `column` = `value` as it will be after an UPDATE that sets the columns in `changed`, or None if
        the rows in memory do not suffice to know it. If the new row is known beforehand, the UPDATE needs no RETURNING clause,
        which would double its time."""
        return None

    @abstractmethod
    def commit(self) -> None:
        """Make the rows that the transaction wrote visible to all threads, after its commit."""

    @abstractmethod
    def roll_back(self) -> None:
        """Discard the rows that the transaction wrote, after its rollback."""


F = TypeVar("F", bound=Follower)
Row = TypeVar("Row", bound=tuple[Any, ...])
Value = TypeVar("Value")


class Mirror(Follower, Generic[Row]):
    """A follower that keeps the rows of a table in memory, in a dict by key. The writer's thread sees the rows of its open
    transaction; every other thread sees the rows of the last commit."""

    row: ClassVar[type[Any]]
    """Named tuple class of a row, with one field for each of `columns`."""
    key: ClassVar[Sequence[str]]
    """Names of the fields that together identify a row."""
    indexes: ClassVar[Sequence[str]] = ()
    """Names of the fields by which `list_having` can find rows."""
    holds_all: ClassVar[bool] = True
    """Whether all rows of the table are in memory. If not, no statement may change the key of a row, because the change would
    not be noticed."""

    def __init__(self, lock: RLock) -> None:
        super().__init__(lock)
        self._rows: dict[Hashable, Row] = {}
        self._by: dict[str, dict[Hashable, dict[Hashable, Row]]] = {name: {} for name in self.indexes}
        self._pending: dict[Hashable, Row | None] = {}
        """Dict from key to the row that the open transaction wrote, or to None if it deleted the row."""
        self._writer: int | None = None

    def load(self, fetch: Fetch) -> None:
        for row in fetch(f"SELECT {', '.join(self.columns)} FROM {self.table}", []):
            made = self._make(row)
            self._put(self._key(made), made)

    def get(self, *key: Hashable) -> Row | None:
        """Return the row with the given key, or None if there is none."""
        one = key if len(self.key) > 1 else key[0]
        pending = self._own_pending()
        return pending[one] if one in pending else self._rows.get(one)

    def list_having(self, index: str, value: Hashable) -> list[Row]:
        """Return the rows with the given value in the field `index`."""
        with self.lock:
            rows = self._by[index].get(value, {})
            if not (pending := self._own_pending()):
                return list(rows.values())
            kept = [row for key, row in rows.items() if key not in pending]
        return kept + [row for row in pending.values() if row is not None and getattr(row, index) == value]

    def list_rows(self) -> list[Row]:
        """Return all rows in memory."""
        with self.lock:
            if not (pending := self._own_pending()):
                return list(self._rows.values())
            kept = [row for key, row in self._rows.items() if key not in pending]
        return kept + [row for row in pending.values() if row is not None]

    def note(self, verb: str, rows: Rows) -> None:
        self._writer = get_ident()
        for row in map(self._make, rows):
            key = self._key(row)
            if verb == "UPDATE" and self.holds_all and self.get(*(key if isinstance(key, tuple) else (key,))) is None:
                self.is_lost = True  # the statement changed the row's key, so the row is still stored under its old key
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
        """Update the values that a subclass computes from the rows, after a row `before` was replaced by the row `after`.
        `before` is None for a new row, `after` is None for a deleted row."""

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
    """A follower that caches values computed from query results, under the value of the first column in `columns`. A commit
    that writes a row with that value in the first column removes the cached value."""

    def __init__(self, lock: RLock) -> None:
        super().__init__(lock)
        self._values: dict[str, Value] = {}
        self._noted: list[tuple[Any, ...]] = []
        self._drops_all = False
        self.n_commits = 0
        """Number of commits so far that wrote to the followed table."""

    def get(self, key: str) -> Value | None:
        """Return the cached value for the key, or None if the cache has no valid value."""
        return self._values.get(key)

    def put(self, read: Mapping[str, Value], n_commits: int) -> None:
        """Cache the values in `read`, unless the table was changed after they were loaded. `n_commits` is the number of commits
        before the values were loaded."""
        with self.lock:
            if n_commits == self.n_commits:
                self._values = {**(self._values if len(self._values) < MAX_KEPT_READS else {}), **read}

    def load(self, fetch: Fetch) -> None:
        """Do nothing, because this cache loads a value only when the value is requested."""

    def take(self, rows: Rows) -> None:
        """Remove or update the cached values that depend on the rows of a commit."""
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
    """All in-memory table caches (followers) of one open workspace; a table is loaded when code first requests its cache."""

    def __init__(self) -> None:
        self.lock = RLock()
        self._shown: dict[str, Follower] = {}
        self._new: dict[str, Follower] = {}
        """Dict from table to the in-memory cache that the open transaction loaded; the cache may contain uncommitted rows."""

    def find_shown(self, kind: type[F]) -> F | None:
        """Return the in-memory table cache of this class with the committed rows of its table, or None if the table is not
        loaded."""
        return cast(F | None, self._shown.get(kind.table))

    def find(self, kind: type[F]) -> F | None:
        """Return the in-memory table cache of this class, including the rows of the open transaction, or None if the table is
        not loaded."""
        found = self._new.get(kind.table) or self._shown.get(kind.table)
        return None if found is None or found.is_lost else cast(F, found)

    def load(self, kind: type[F], fetch: Fetch) -> F:
        """Return the in-memory table cache of this class, including the rows of the open transaction. If the table is not
        loaded, load its rows within the transaction."""
        found = self.find(kind)
        if found is None:
            found = self._new[kind.table] = kind(self.lock)
            found.load(fetch)
        return found

    def list_of(self, table: str) -> list[Follower]:
        """Return the loaded in-memory caches of the table; all of them have the same columns."""
        return [followers[table] for followers in (self._shown, self._new) if table in followers]

    def commit(self) -> None:
        """Make the rows that the committed transaction wrote visible to all threads, in all in-memory table caches."""
        with self.lock:
            self._shown |= self._new
            self._new = {}
            self._shown = {table: follower for table, follower in self._shown.items() if not follower.is_lost}
            for follower in self._shown.values():
                follower.commit()

    def roll_back(self) -> None:
        """Discard the rows that the transaction wrote, in all in-memory table caches."""
        self._new = {}
        for follower in self._shown.values():
            follower.is_lost = False
            follower.roll_back()

    def forget(self) -> None:
        """Clear all in-memory table caches, because nobody knows whether the transaction was committed."""
        with self.lock:
            self._shown, self._new = {}, {}


def list_columns(verb: str, table: str, followers: Iterable[Follower]) -> list[str]:
    """Return the columns that a statement on the table must return in its RETURNING clause, so that the in-memory caches of the
    table can be updated. For an UPDATE, which can read from another table, the column names include the table name."""
    names = next((follower.columns for follower in followers), ())
    return [f"{table}.{name}" if verb == "UPDATE" else name for name in names]
