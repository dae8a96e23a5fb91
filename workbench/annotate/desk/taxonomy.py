"""CRAG's labels of an item as the desk shows them: how they stand, and what else they could be."""

from typing import Any

from core.nouns import Item
from core.quality import crag


def taxonomy(item: Item) -> list[dict[str, Any]]:
    """Of an item that carries them: {"name", "title", "value", "values": [{"value", "shown", "about"}]}; the domain too where
    it is one of CRAG's."""
    if not crag.is_labelled(item.labels):
        return []
    lists = ({"domain": crag.DOMAINS} if item.domain in crag.DOMAINS else {}) | dict(crag.LABELS)
    now = {"popularity": "", **item.labels, "domain": item.domain}
    return [
        {
            "name": name,
            "title": crag.NAMES[name],
            "value": now.get(name),
            "values": [{"value": value, "shown": value or "web", "about": about} for value, about in values.items()],
        }
        for name, values in lists.items()
    ]


def labels_of(item: Item) -> dict[str, Any]:
    """Their values alone, by name."""
    return {row["name"]: row["value"] for row in taxonomy(item)}
