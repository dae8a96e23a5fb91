"""Find items that began as a frame to fill in, and those that were accepted unfilled."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from core.nouns import Item
from core.text.frames import is_filled
from store.engine.columns import Fetch, fetch_in_batches, from_json
from store.engine.database import Database
from store.items import items


class Frame(NamedTuple):
    """The text of a frame, which is an item with a placeholder for its answer."""

    answer: str
    language: str


def fetch_frames(fetch: Fetch, among: Iterable[str] | None = None) -> dict[str, Frame]:
    """Return item -> the frame from which it was made, for all items or for the given ones, including frames that were filled
    in."""
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
    """Return the accepted items whose answer is still the placeholder of their frame; releases leave such items out."""
    frames = fetch_frames(database.rows)
    return [
        item
        for item in items.load_items(database, frames)
        if item.status == "accepted" and not is_filled(next(iter(item.answers), ""), *frames[item.id])
    ]
