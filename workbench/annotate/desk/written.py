"""The rewrites of an item's question that people wrote, as they stand beside it: those of the words that are asked now stay
hidden from who is yet to write one."""

from typing import Any

from core.nouns import Item
from core.person_name import fold_name
from store.engine import settings
from store.engine.database import Database
from store.reviews.rewrites import HUMAN
from store.variants import variants

WANTED = "rewrites_wanted"
"""Setting: how many people rewrite each question."""


def wanted(database: Database) -> int:
    """How many people rewrite each question."""
    return int(settings.get(database, WANTED, 2))


def written(database: Database, item: Item, person: str) -> list[dict[str, Any]]:
    """{"text", "person", "revision", "status"} of each that was not discarded, in the order they came."""
    found = [v for v in variants.load_variants_of(database, [item.id]) if v.kind == HUMAN and v.status != "discarded"]
    writers = {fold_name(v.generator) for v in found if v.revision == item.revision}
    is_open = fold_name(person) in writers or len(writers) >= wanted(database)
    return [
        {"text": v.text, "person": v.generator, "revision": v.revision, "status": v.status}
        for v in found
        if is_open or v.revision != item.revision
    ]
