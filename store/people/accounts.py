"""Accounts: the people who may sign in, the hash of each password, and the time before which a person's sessions have ended."""

from collections.abc import Mapping
from typing import NamedTuple

from store.engine.columns import Fetch, Timestamp
from store.engine.database import Cursor, Database

_COLUMNS = "person, name, source, password_hash, made_at, made_by"


class AccountRow(NamedTuple):
    """The account of one person who may sign in, identified by the person's name."""

    person: str
    name: str
    """Name for display."""
    source: str
    """Method of sign-in: local, oidc, header or workspace."""
    password_hash: str | None
    """Hash of the password; None = the person signs in elsewhere."""
    made_at: Timestamp
    made_by: str | None
    """Name of the creator; None = the terminal."""


def load_accounts(database: Database) -> Mapping[str, AccountRow]:
    """Return person -> account, for all accounts."""
    sql = f"SELECT {_COLUMNS} FROM account ORDER BY person"
    return database.read_cached("accounts", ["account"], lambda: {row[0]: AccountRow(*row) for row in database.rows(sql)})


def has_account(fetch: Fetch, person: str) -> bool:
    """Check whether that person has an account."""
    return bool(fetch("SELECT 1 FROM account WHERE person = ?", [person]))


def write(cursor: Cursor, account: AccountRow) -> None:
    """Store the account; an existing account of the person gets the new name, source and password."""
    sql = f"""
        INSERT INTO account ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (person) DO UPDATE
        SET name = excluded.name, source = excluded.source, password_hash = excluded.password_hash
        """
    cursor.execute(sql, list(account))


def delete(cursor: Cursor, person: str) -> None:
    """Delete the account of the person. Everything that the person did is kept."""
    cursor.execute("DELETE FROM account WHERE person = ?", [person])


def load_session_limits(database: Database) -> Mapping[str, float]:
    """Return person -> the last end of the person's sessions in seconds since 1970; sessions from before it are no longer
    valid."""
    sql = "SELECT person, not_before FROM session_limit"
    return database.read_cached("session limits", ["session_limit"], lambda: dict(database.rows(sql)))


def end_sessions(cursor: Cursor, person: str, at: float) -> None:
    """End all sessions of the person, at that time in seconds since 1970. The stored time always grows, also after the clock
    was set back, because a session is known by the end before it."""
    sql = """
        INSERT INTO session_limit (person, not_before) VALUES (?, ?)
        ON CONFLICT (person) DO UPDATE
        SET not_before = greatest(excluded.not_before, nextafter(not_before, 'infinity'::DOUBLE))
        """
    cursor.execute(sql, [person, at])


def lift_session_limit(cursor: Cursor, person: str) -> bool:
    """Let sessions of the person count that began before the limit; returns whether there was a limit."""
    return bool(cursor.execute("DELETE FROM session_limit WHERE person = ? RETURNING person", [person]).fetchall())
