"""Find items whose drafted answer is a frame (a text with blanks that a person must fill in), and items that were accepted
although blanks remain."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from core.nouns import Item
from core.wording.frames import is_filled
from store.engine.columns import Fetch, fetch_in_batches, from_json
from store.engine.database import Database
from store.items import items


class Frame(NamedTuple):
    """A frame: the drafted answer of an item, with blanks that a person must fill in."""

    answer: str
    language: str


def fetch_frames(fetch: Fetch, among: Iterable[str] | None = None) -> dict[str, Frame]:
    """Return a dict from item id to the frame that was drafted as the item's answer, for all items or for the items in `among`.
    An item is included even if a person has filled in its blanks since."""
    sql = "SELECT item, answers, language, labels FROM revision WHERE contains(labels, '\"frame\"')"
    if among is None:
        rows: Iterable[tuple[Any, ...]] = fetch(f"{sql} ORDER BY revision DESC", [])
    else:
        of_items = f"{sql} AND item IN (SELECT unnest(?::VARCHAR[])) ORDER BY revision DESC"
        rows = fetch_in_batches(fetch, of_items, dict.fromkeys(among))
    return {
        item: Frame(next(iter(from_json(answers)), ""), language)
        for item, answers, language, labels in rows
        if from_json(labels).get("frame")
    }


def list_unfilled(database: Database) -> list[Item]:
    """Return the accepted items whose answer still has the blanks of its draft. Releases leave out these items."""
    frames = fetch_frames(database.rows)
    return [
        item
        for item in items.load_items(database, frames)
        if item.status == "accepted" and not is_filled(next(iter(item.answers), ""), *frames[item.id])
    ]
