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
    """The key of a page."""
    return content_hash(html)


def compress_page(html: str) -> bytes:
    """The page as it is stored."""
    return zlib.compress(html.encode("utf-8"), 6)


def insert(cursor: Cursor, pages: Mapping[str, bytes]) -> None:
    """Store packed pages by hash, within the caller's transaction; a stored one stays."""
    for batch in split_in_batches(pages, 50):
        cursor.execute(
            "INSERT INTO web_page SELECT unnest(?::VARCHAR[]), unnest(?::BLOB[]) ON CONFLICT DO NOTHING",
            [batch, [pages[name] for name in batch]],
        )


def add(database: Database, pages: Mapping[str, bytes]) -> None:
    """Same as `insert`, in a separate transaction."""
    if pages:
        database.write(lambda cursor: insert(cursor, pages))


def read(database: Database, name: str) -> str | None:
    """The HTML of that hash; None when it is not stored."""
    for (packed,) in database.rows("SELECT packed FROM web_page WHERE hash = ?", [name]):
        return zlib.decompressobj().decompress(packed, MAX_UNPACKED_BYTES).decode("utf-8")
    return None
