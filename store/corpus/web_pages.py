"""Store the compressed HTML of the web pages that imported questions refer to. The key of a page is the hash of its HTML. An
export contains the HTML only if the person who exports asks for it."""

import zlib
from collections.abc import Mapping

from core.ids import content_hash
from store.engine.columns import split_in_batches
from store.engine.database import Cursor, Database

MAX_UNPACKED_BYTES = 64 * 2**20
"""Maximum size in bytes of a web page's HTML after it is unpacked."""


def hash_page(html: str) -> str:
    """Return the hash of the web page's HTML, the key under which the page is stored."""
    return content_hash(html)


def compress_page(html: str) -> bytes:
    """Return the compressed HTML of the web page, in the form in which it is stored."""
    return zlib.compress(html.encode("utf-8"), 6)


def insert(cursor: Cursor, pages: Mapping[str, bytes]) -> None:
    """Store compressed web pages within the caller's transaction; the parameter is a dict from hash to bytes. Pages that are
    already stored are not replaced."""
    for batch in split_in_batches(pages, 50):
        cursor.execute(
            "INSERT INTO web_page SELECT unnest(?::VARCHAR[]), unnest(?::BLOB[]) ON CONFLICT DO NOTHING",
            [batch, [pages[name] for name in batch]],
        )


def add(database: Database, pages: Mapping[str, bytes]) -> None:
    """Store compressed web pages in a separate transaction; the parameter is a dict from hash to bytes. Pages that are already
    stored are not replaced."""
    if pages:
        database.write(lambda cursor: insert(cursor, pages))


def read(database: Database, name: str) -> str | None:
    """Return the HTML that has the given hash, or None if no such page is stored."""
    for (packed,) in database.rows("SELECT packed FROM web_page WHERE hash = ?", [name]):
        return zlib.decompressobj().decompress(packed, MAX_UNPACKED_BYTES).decode("utf-8")
    return None
