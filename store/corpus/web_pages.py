"""Store the HTML of the web pages that questions came with, compressed, by the hash of the HTML. It leaves the workspace only
with an export that asks for it."""

import zlib
from collections.abc import Mapping

from core.ids import content_hash
from store.engine.columns import split_in_batches
from store.engine.database import Cursor, Database

MAX_UNPACKED_BYTES = 64 * 2**20
"""Maximum unpacked size of a page in bytes."""


def hash_page(html: str) -> str:
    """Return the hash of the page, which is its key in the store."""
    return content_hash(html)


def compress_page(html: str) -> bytes:
    """Return the page in its compressed, stored form."""
    return zlib.compress(html.encode("utf-8"), 6)


def insert(cursor: Cursor, pages: Mapping[str, bytes]) -> None:
    """Store compressed pages by hash, within the caller's transaction. A page that is already stored is kept."""
    for batch in split_in_batches(pages, 50):
        cursor.execute(
            "INSERT INTO web_page SELECT unnest(?::VARCHAR[]), unnest(?::BLOB[]) ON CONFLICT DO NOTHING",
            [batch, [pages[name] for name in batch]],
        )


def add(database: Database, pages: Mapping[str, bytes]) -> None:
    """Store compressed pages by hash, in a separate transaction. A page that is already stored is kept."""
    if pages:
        database.write(lambda cursor: insert(cursor, pages))


def read(database: Database, name: str) -> str | None:
    """Return the HTML of the page with the given hash, or None if it is not stored."""
    for (packed,) in database.rows("SELECT packed FROM web_page WHERE hash = ?", [name]):
        return zlib.decompressobj().decompress(packed, MAX_UNPACKED_BYTES).decode("utf-8")
    return None
