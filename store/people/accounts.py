"""Store accounts: the people who may sign in, the hashes of their passwords, and for each person a time before which sessions
are invalid."""

from collections.abc import Mapping
from typing import NamedTuple

from store.engine.columns import Fetch, Timestamp
from store.engine.database import Cursor, Database

_COLUMNS = "person, name, source, password_hash, made_at, made_by"


class AccountRow(NamedTuple):
    """The account with which one person signs in."""

    person: str
    name: str
    """Name of the person, as the screen shows it."""
    source: str
    """How the person signs in: local (a password here), oidc, header or workspace."""
    password_hash: str | None
    """Hash of the person's password, or None if the person signs in elsewhere."""
    made_at: Timestamp
    made_by: str | None
    """Name of the person who made the account, or None if it was made at the terminal."""


def load_accounts(database: Database) -> Mapping[str, AccountRow]:
    """Return a dict from person to the person's account."""
    sql = f"SELECT {_COLUMNS} FROM account ORDER BY person"
    return database.read_cached("accounts", ["account"], lambda: {row[0]: AccountRow(*row) for row in database.rows(sql)})


def has_account(fetch: Fetch, person: str) -> bool:
    """Check whether the person with this name has an account."""
    return bool(fetch("SELECT 1 FROM account WHERE person = ?", [person]))


def write(cursor: Cursor, account: AccountRow) -> None:
    """Store the account. If the person already has an account, its name, source and password hash are replaced."""
    sql = f"""
        INSERT INTO account ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (person) DO UPDATE
        SET name = excluded.name, source = excluded.source, password_hash = excluded.password_hash
        """
    cursor.execute(sql, list(account))


def replace_hash(cursor: Cursor, person: str, before: str, after: str) -> None:
    """Replace the hash of the person's password with `after`, provided that it is still `before`."""
    cursor.execute("UPDATE account SET password_hash = ? WHERE person = ? AND password_hash = ?", [after, person, before])


def delete(cursor: Cursor, person: str) -> None:
    """Delete the account of the person. The person's work in the workspace is not deleted."""
    cursor.execute("DELETE FROM account WHERE person = ?", [person])


def load_session_limits(database: Database) -> Mapping[str, float]:
    """Return a dict from person to the time, in seconds since 1970, at which the person's sessions were last ended. Sessions
    that began earlier are not valid."""
    sql = "SELECT person, not_before FROM session_limit"
    return database.read_cached("session limits", ["session_limit"], lambda: dict(database.rows(sql)))


def end_sessions(cursor: Cursor, person: str, at: float) -> None:
    """End all sessions of the person at the time `at`, in seconds since 1970. A later call stores a later time even if the
    computer's clock was set back, because each session contains the time that was stored when it began."""
    sql = """
        INSERT INTO session_limit (person, not_before) VALUES (?, ?)
        ON CONFLICT (person) DO UPDATE
        SET not_before = greatest(excluded.not_before, nextafter(not_before, 'infinity'::DOUBLE))
        """
    cursor.execute(sql, [person, at])


def lift_session_limit(cursor: Cursor, person: str) -> bool:
    """Make the person's earlier sessions valid again, which `end_sessions` had ended; return whether there was anything to
    undo."""
    return bool(cursor.execute("DELETE FROM session_limit WHERE person = ? RETURNING person", [person]).fetchall())
