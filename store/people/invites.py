"""Store invites, links that create one account each. Only the SHA-256 of a link's secret is stored."""

from typing import NamedTuple

from store.engine.columns import Fetch, Timestamp
from store.engine.database import Cursor

_COLUMNS = "id, role, person, is_first, made_at, made_by, expires_at, used_at, used_by, revoked_at, release"


class InviteRow(NamedTuple):
    """One invite: a link that creates one account with a role."""

    id: str
    role: str
    person: str
    """Name of the only person who can use the invite; "" if anyone with a new name can use it."""
    is_first: bool
    """Whether the invite is for the first owner of the workspace."""
    made_at: Timestamp
    made_by: str | None
    """Name of the person who made the invite, or None if it was made at the terminal."""
    expires_at: Timestamp
    used_at: Timestamp | None = None
    used_by: str | None = None
    revoked_at: Timestamp | None = None
    release: str | None = None
    """Name of the only release that an invited guest sees, or None for other roles."""


def add(cursor: Cursor, invite: InviteRow, sha256: str) -> None:
    """Store a new invite with the SHA-256 of its secret."""
    sql = f"INSERT INTO invite ({_COLUMNS}, sha256) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    cursor.execute(sql, [*invite, sha256])


def load_invites(fetch: Fetch) -> list[InviteRow]:
    """Return every invite, newest first."""
    return [InviteRow(*row) for row in fetch(f"SELECT {_COLUMNS} FROM invite ORDER BY made_at DESC, id", [])]


def find_invite(fetch: Fetch, sha256: str) -> InviteRow | None:
    """Return the invite whose secret has this SHA-256, or None if there is none."""
    rows = fetch(f"SELECT {_COLUMNS} FROM invite WHERE sha256 = ?", [sha256])
    return InviteRow(*rows[0]) if rows else None


def mark_used(cursor: Cursor, id: str, person: str, at: Timestamp) -> None:
    """Record that the person used the invite."""
    cursor.execute("UPDATE invite SET used_at = ?, used_by = ? WHERE id = ?", [at, person, id])


def revoke(cursor: Cursor, id: str, at: Timestamp) -> bool:
    """Revoke an invite; return whether there was an unused invite with the given id."""
    sql = "UPDATE invite SET revoked_at = ? WHERE id = ? AND used_at IS NULL AND revoked_at IS NULL RETURNING id"
    return bool(cursor.execute(sql, [at, id]).fetchall())


def revoke_first_links(cursor: Cursor, at: Timestamp) -> None:
    """Revoke all unused invites that are for the first owner of the workspace."""
    cursor.execute("UPDATE invite SET revoked_at = ? WHERE is_first AND used_at IS NULL AND revoked_at IS NULL", [at])
