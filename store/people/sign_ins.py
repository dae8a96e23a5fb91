"""Store sign-ins and refused sign-ins, with person, time and address. Rows are never changed or deleted."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from store.engine.columns import Timestamp
from store.engine.database import Database
from store.people.log import REFUSAL_INTERVAL

_COLUMNS = "number, made_at, act, tried, address, detail, is_refused"


class SignInRow(NamedTuple):
    """A sign-in, a refused sign-in or the end of a session."""

    number: int
    at: Timestamp
    act: str
    tried: str
    """Name that was entered, if a person has this name; otherwise "", because a password may have been typed into the wrong
    field."""
    address: str
    """Network address of the client; "" if it is unknown."""
    detail: str
    is_refused: bool


def add(
    database: Database, at: Timestamp, act: str, tried: str, address: str, detail: str = "", is_refused: bool = False
) -> None:
    """Add a sign-in or a refused sign-in. A refusal is not added if an equal refusal was added within the last
    REFUSAL_INTERVAL."""
    since = (datetime.fromisoformat(at) - REFUSAL_INTERVAL).isoformat(timespec="milliseconds")
    sql = f"""
        INSERT INTO sign_in ({_COLUMNS})
        SELECT (SELECT coalesce(max(number), 0) + 1 FROM sign_in), $1, $2, $3, $4, $5, $6
        WHERE NOT $6 OR NOT EXISTS (
            SELECT 1 FROM sign_in
            WHERE is_refused AND act = $2 AND tried = $3 AND address = $4 AND detail = $5 AND made_at > $7
        )
        """
    database.execute(sql, [at, act, tried, address, detail, is_refused, since])


def load_page(database: Database, people: Sequence[str], limit: int, offset: int = 0) -> list[SignInRow]:
    """Return at most `limit` sign-ins and refusals of the given people, newest first. An empty list of people selects
    everyone."""
    where, params = _build_filter(people)
    sql = f"SELECT {_COLUMNS} FROM sign_in {where} ORDER BY number DESC LIMIT ? OFFSET ?"
    return [SignInRow(*row) for row in database.rows(sql, [*params, limit, offset])]


def count(database: Database, people: Sequence[str]) -> int:
    """Return the number of sign-ins and refusals of the given people. An empty list of people selects everyone."""
    where, params = _build_filter(people)
    return int(database.rows(f"SELECT count(*) FROM sign_in {where}", params)[0][0])


def list_tried_names(database: Database) -> list[str]:
    """Return the names of all people who signed in or whose sign-in was refused."""
    return [row[0] for row in database.rows("SELECT DISTINCT tried FROM sign_in ORDER BY lower(tried), tried")]


def _build_filter(people: Sequence[str]) -> tuple[str, list[Any]]:
    return ("WHERE tried IN (SELECT unnest(?::VARCHAR[]))", [list(people)]) if people else ("", [])
