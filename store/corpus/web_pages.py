"""The HTML of web pages that questions came with, packed, by the hash of the HTML: what a document was read from where several
pages say the same. It stays in the workspace, and goes out only with an export that asks for it."""

import zlib
from collections.abc import Mapping

from core.ids import content_hash
from store.engine.columns import split_in_batches
from store.engine.database import Cursor, Database

MAX_UNPACKED_BYTES = 64 * 2**20
"""Bytes that a packed page may unpack to."""


def hash_page(html: str) -> str:
    """What a page is kept by."""
    return content_hash(html)


def compress_page(html: str) -> bytes:
    """As it is kept."""
    return zlib.compress(html.encode("utf-8"), 6)


def insert(cursor: Cursor, pages: Mapping[str, bytes]) -> None:
    """Keep packed pages by hash, within a transaction of the caller's; one that is there stays."""
    for together in split_in_batches(pages, 50):
        cursor.execute(
            "INSERT INTO web_page SELECT unnest(?::VARCHAR[]), unnest(?::BLOB[]) ON CONFLICT DO NOTHING",
            [list(together), [pages[name] for name in together]],
        )


def add(database: Database, pages: Mapping[str, bytes]) -> None:
    """As insert."""
    if pages:
        database.write(lambda cursor: insert(cursor, pages))


def read(database: Database, name: str) -> str | None:
    """The HTML of that hash; None when it is not kept."""
    for (kept,) in database.rows("SELECT packed FROM web_page WHERE hash = ?", [name]):
        return zlib.decompressobj().decompress(kept, MAX_UNPACKED_BYTES).decode("utf-8")
    return None
