"""Load titles and lengths of documents, without their texts, for a page that lists the documents of one item."""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from store.engine.database import Database


class DocumentTitle(NamedTuple):
    """Title and length of one document, without its text."""

    id: str
    title: str
    characters: int
    """Length of the document's text in code points."""


def load_headings(database: Database, ids: Iterable[str]) -> list[DocumentTitle]:
    """Return the title and length of each given document, in the given order. Documents that are not stored are left out."""
    sql = "SELECT id, title, characters FROM document WHERE id = ?"
    per_id = [database.read_cached(("heading", id), ["document"], partial(database.rows, sql, [id])) for id in ids]
    return [DocumentTitle(*rows[0]) for rows in per_id if rows]
