"""Store and load the record of a sealed board: who sealed, submitted, scored and opened what, and when. Entries are only added,
and each has the hash of the entry before it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from core.as_json import Json
from core.errors import BenchError
from core.ids import canonical_json, chain
from store.engine.columns import Timestamp, current_time, decode_json, fetch_from, insert_row
from store.engine.database import Cursor, Database

EntryKind = Literal["sealed", "rules", "submitted", "scored", "opened"]
_COLUMNS = "release_hash, number, kind, person, made_at, content, previous, hash"


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """One entry of the record of a board."""

    release: str
    """Hash of the release."""
    number: int
    """Number of the entry in the record of its board, from 1."""
    kind: EntryKind
    person: str
    at: Timestamp
    """When the server stored the entry; never before the entry before it, even if the server's clock was set back."""
    content: Mapping[str, Any]
    previous: str
    """Hash of the entry before; "" for the first."""
    hash: str

    def record(self) -> dict[str, Json]:
        """Return the entry as JSON values; all of them but `hash` are hashed."""
        return {
            "release": self.release,
            "number": self.number,
            "kind": self.kind,
            "person": self.person,
            "at": self.at,
            "content": dict(self.content),
            "previous": self.previous,
            "hash": self.hash,
        }


def list_entries(database: Database, release_hash: str) -> list[BoardEntry]:
    """Return the record of a release's board, oldest entry first."""
    return _load(database.rows, release_hash) if database.has_any("board_entry") else []


def add(
    database: Database,
    release_hash: str,
    kind: EntryKind,
    person: str,
    content: Mapping[str, Json],
    check: Callable[[Sequence[BoardEntry], Timestamp], BoardEntry | BenchError | None] = lambda entries, at: None,
    predictions: str | None = None,
) -> BoardEntry:
    """Add an entry to the record and return it. In the same transaction, `check` gets the entries so far and the time of the
    new one: if it returns an entry, this one is returned and nothing is added; if it returns an error, the error is raised.
    `predictions` is the file of a submission."""

    def write(cursor: Cursor) -> BoardEntry | BenchError:
        entries = _load(fetch_from(cursor), release_hash)
        last = entries[-1] if entries else None
        at = max(current_time(), last.at) if last else current_time()  # a clock that was set back frees no place
        found = check(entries, at)
        if found is not None:
            return found
        number, previous = (last.number + 1, last.hash) if last else (1, "")
        entry = BoardEntry(release_hash, number, kind, person, at, content, previous, "")
        hash_ = chain({name: value for name, value in entry.record().items() if name != "hash"})
        row = (release_hash, number, kind, person, at, canonical_json(dict(content)), previous, hash_)
        insert_row(cursor, "board_entry", _COLUMNS, row)
        if predictions is not None:
            insert_row(cursor, "submitted_file", "release_hash, number, predictions", (release_hash, number, predictions))
        return replace(entry, hash=hash_)

    return database.write_or_raise(write)


def load_predictions(database: Database, release_hash: str, number: int) -> str:
    """Return the predictions file of a submission. Raises BenchError if the workspace does not have it."""
    sql = "SELECT predictions FROM submitted_file WHERE release_hash = ? AND number = ?"
    rows = database.rows(sql, [release_hash, number])
    if not rows:
        raise BenchError(f"The predictions of submission {number} are not in this workspace: restore it from a backup.")
    return str(rows[0][0])


def _load(fetch: Callable[[str, Sequence[Any]], list[tuple[Any, ...]]], release_hash: str) -> list[BoardEntry]:
    rows = fetch(f"SELECT {_COLUMNS} FROM board_entry WHERE release_hash = ? ORDER BY number", [release_hash])
    return [BoardEntry(*decode_json(row, 5)) for row in rows]
