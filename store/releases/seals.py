"""Store and load the seals of releases: the public manifest, and the secret salts of its commitments. Salts leave this table
only when the seal is opened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from store.engine.columns import from_json, insert_row, insert_rows
from store.engine.database import Cursor, Database

MANIFEST = "manifest"
"""Public id of the part of a seal that commits to the whole manifest."""


class SealedPart(NamedTuple):
    """One commitment of a seal, with its secret salt."""

    public_id: str
    """Random id that exports show in place of the item's id, which may depend on the answer; MANIFEST for the manifest."""
    item: str
    """Id of the sealed item; "" for the manifest."""
    salt: str
    commitment: str


@dataclass(frozen=True, slots=True)
class Seal:
    """The seal of a release."""

    release_hash: str
    manifest: Mapping[str, Any]
    """The public manifest. Its hash is the hash of the release."""
    splits: Sequence[str]
    """Names of the sealed splits, sorted."""
    parts: Sequence[SealedPart]

    @property
    def public_ids(self) -> dict[str, str]:
        """Return a dict from each sealed item to its public id."""
        return {part.item: part.public_id for part in self.parts if part.item}


def add(database: Database, seal: Seal) -> None:
    """Store a new seal."""

    def write(cursor: Cursor) -> None:
        insert_row(cursor, "seal", "release_hash, manifest, splits", (seal.release_hash, seal.manifest, list(seal.splits)))
        rows = ((seal.release_hash, *part) for part in seal.parts)
        insert_rows(cursor, "sealed_part", "release_hash, public_id, item, salt, commitment", rows, conflict=None)

    database.write(write)


def find(database: Database, release_hash: str) -> Seal | None:
    """Return the seal of the release with this hash, or None if the release is not sealed."""
    if not database.has_any("seal"):
        return None
    rows = database.rows("SELECT manifest, splits FROM seal WHERE release_hash = ?", [release_hash])
    if not rows:
        return None
    sql = "SELECT public_id, item, salt, commitment FROM sealed_part WHERE release_hash = ? ORDER BY public_id"
    parts = [SealedPart(*row) for row in database.rows(sql, [release_hash])]
    return Seal(release_hash, from_json(rows[0][0]), from_json(rows[0][1]), parts)


def list_sealed(database: Database) -> list[str]:
    """Return the names of the sealed releases, also of those whose seal was opened, newest first."""
    if not database.has_any("seal"):
        return []
    sql = "SELECT r.name FROM release r JOIN seal s ON s.release_hash = r.hash ORDER BY r.number DESC"
    return [name for (name,) in database.rows(sql)]


def is_closed(database: Database, release_hash: str) -> bool:
    """Check whether the release is sealed and nobody has opened its seal."""
    if not database.has_any("seal"):
        return False
    sql = """
        SELECT 1 FROM seal s WHERE s.release_hash = ?
        AND NOT EXISTS (SELECT 1 FROM board_entry e WHERE e.release_hash = s.release_hash AND e.kind = 'opened')
        """
    return bool(database.rows(sql, [release_hash]))


def is_closed_name(database: Database, name: str) -> bool:
    """Check whether the release with this name is sealed and nobody has opened its seal; False for an unknown name."""
    if not database.has_any("seal"):
        return False
    rows = database.rows("SELECT hash FROM release WHERE name = ? ORDER BY number DESC LIMIT 1", [name])
    return bool(rows) and is_closed(database, rows[0][0])
