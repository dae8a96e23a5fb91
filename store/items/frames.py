"""Frames to fill, as they stand in the store: which items began as one, and which were accepted all the same."""

from collections.abc import Iterable
from typing import NamedTuple

from core.nouns import Item
from core.text.frames import is_filled
from store.engine.columns import Fetch, from_json, split_in_batches
from store.engine.database import Database
from store.items import items


class Frame(NamedTuple):
    """The words of a frame."""

    answer: str
    language: str


def fetch_frames(fetch: Fetch, among: Iterable[str] | None = None) -> dict[str, Frame]:
    """Item -> the frame that it began as, of every item, or of those; also where somebody filled it since."""
    sql = "SELECT item, answers, language, labels FROM revision WHERE contains(labels, '\"frame\"')"
    if among is None:
        rows = fetch(f"{sql} ORDER BY revision DESC", [])
    else:
        of_those = f"{sql} AND item IN (SELECT unnest(?::VARCHAR[])) ORDER BY revision DESC"
        rows = [row for piece in split_in_batches(dict.fromkeys(among)) for row in fetch(of_those, [piece])]
    return {
        item: Frame(next(iter(from_json(answers)), ""), language)
        for item, answers, language, labels in rows
        if from_json(labels).get("frame")
    }


def list_unfilled(database: Database) -> list[Item]:
    """Accepted items whose answer is still a frame's words: no release takes them."""
    found = fetch_frames(database.rows)
    return [
        item
        for item in items.load_items(database, found)
        if item.status == "accepted" and not is_filled(next(iter(item.answers), ""), *found[item.id])
    ]
