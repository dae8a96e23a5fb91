"""Keep in memory the items that a new draft must not repeat. Reading 100,000 items takes ten seconds, which is too long for a
person who is waiting for one draft."""

import asyncio

from builders.near_duplicate_index import NearDuplicateIndex
from store.engine.database import Database
from store.items import items


class KnownDrafts:
    """Reads all items once, and afterwards only new ones. The original text of an item stays in the index after an edit, so
    that this text is not drafted again."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._known: NearDuplicateIndex | None = None
        self._revisions: set[tuple[str, int]] = set()
        self._turn: asyncio.Lock | None = None

    async def load(self) -> NearDuplicateIndex:
        """Add new items to the index of all items, and return the index. Call this function only in the event loop of the
        background thread, because only one thread may change the index."""
        if self._turn is None:
            self._turn = asyncio.Lock()
        async with self._turn:
            if self._known is None:
                stored = await asyncio.to_thread(items.list_items, self._db)
                self._known = await asyncio.to_thread(NearDuplicateIndex, stored)
                self._revisions = {(item.id, item.revision) for item in stored}
                return self._known
            new = await asyncio.to_thread(items.list_current_revisions, self._db) - self._revisions
            for item in await asyncio.to_thread(items.load_items, self._db, [item for item, _ in new]):
                self._known.add(item)
            self._revisions |= new
            return self._known
