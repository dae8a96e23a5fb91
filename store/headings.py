"""Documents by name and length, without their texts: for a page that lists the few that belong to an item."""

from collections.abc import Iterable
from typing import NamedTuple

from store.columns import in_pieces
from store.database import Database


class Heading(NamedTuple):
    """What stands over a document."""

    id: str
    title: str
    characters: int
    """Code points of its text."""


def headings(database: Database, ids: Iterable[str]) -> list[Heading]:
    """Those of the documents, in that order; unknown ones are left out."""
    wanted = list(ids)
    sql = "SELECT id, title, characters FROM document WHERE id IN (SELECT unnest(?::VARCHAR[]))"
    found = {row[0]: Heading(*row) for piece in in_pieces(wanted) for row in database.rows(sql, [piece])}
    return [found[one] for one in wanted if one in found]
