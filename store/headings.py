"""Documents by name and length, without their texts: for a page that lists the few that belong to an item."""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from store.database import Database


class Heading(NamedTuple):
    """What stands over a document."""

    id: str
    title: str
    characters: int
    """Code points of its text."""


def headings(database: Database, ids: Iterable[str]) -> list[Heading]:
    """Those of the documents, in that order; unknown ones are left out."""
    sql = "SELECT id, title, characters FROM document WHERE id = ?"
    found = [database.kept(("heading", one), ["document"], partial(database.rows, sql, [one])) for one in ids]
    return [Heading(*rows[0]) for rows in found if rows]
