"""Store access tokens, which are secrets that let scripts act as a person. Only the SHA-256 of a secret is stored."""

from collections.abc import Mapping
from typing import NamedTuple

from store.engine.columns import Timestamp
from store.engine.database import Cursor, Database

_COLUMNS = "id, name, person, made_at, made_by, expires_at, revoked_at, used_at, scope"


class AccessTokenRow(NamedTuple):
    """One access token: a secret, stored as a hash, that lets a script act as a person."""

    id: str
    name: str
    person: str
    """Name of the person as whom a script with this token acts."""
    made_at: Timestamp
    made_by: str | None
    """Name of the person who made the token, or None if it was made at the terminal."""
    expires_at: Timestamp
    revoked_at: Timestamp | None = None
    used_at: Timestamp | None = None
    """Time of the last use, to the minute, or None if the token was never used."""
    scope: str = "all"
    """What a script can do with the token: call all routes that its person may call, or read only the server's metrics."""


def add(cursor: Cursor, token: AccessTokenRow, sha256: str) -> None:
    """Store a new access token with the SHA-256 of its secret."""
    cursor.execute(f"INSERT INTO access_token ({_COLUMNS}, sha256) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [*token, sha256])


def load_tokens(database: Database) -> Mapping[str, AccessTokenRow]:
    """Return a dict from the SHA-256 of a secret to its access token, newest first."""
    sql = f"SELECT sha256, {_COLUMNS} FROM access_token ORDER BY made_at DESC, id"
    read = database.rows
    return database.read_cached("tokens", ["access_token"], lambda: {row[0]: AccessTokenRow(*row[1:]) for row in read(sql)})


def revoke(cursor: Cursor, id: str, at: Timestamp) -> bool:
    """Revoke an access token; return whether there was a valid token with the given id."""
    sql = "UPDATE access_token SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL RETURNING id"
    return bool(cursor.execute(sql, [at, id]).fetchall())


def revoke_all(cursor: Cursor, person: str, at: Timestamp) -> None:
    """Revoke all access tokens of the person."""
    cursor.execute("UPDATE access_token SET revoked_at = ? WHERE person = ? AND revoked_at IS NULL", [at, person])


def mark_used(cursor: Cursor, id: str, at: Timestamp) -> None:
    """Record the time at which the access token was last used."""
    cursor.execute("UPDATE access_token SET used_at = ? WHERE id = ?", [at, id])
