"""Documents by name and length, without their texts: for a page that lists the few that belong to an item."""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from store.engine.database import Database


class DocumentTitle(NamedTuple):
    """What stands over a document."""

    id: str
    title: str
    characters: int
    """Code points of its text."""


def load_headings(database: Database, ids: Iterable[str]) -> list[DocumentTitle]:
    """Those of the documents, in that order; unknown ones are left out."""
    sql = "SELECT id, title, characters FROM document WHERE id = ?"
    found = [database.read_cached(("heading", one), ["document"], partial(database.rows, sql, [one])) for one in ids]
    return [DocumentTitle(*rows[0]) for rows in found if rows]
