"""List the CRAG labels of an item, with the values from which people choose on the review page."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.nouns import Item
from core.quality import crag


@dataclass(frozen=True, slots=True)
class LabelValue:
    """One value that a CRAG label can have."""

    value: str
    shown: str
    about: str
    """Text that explains what this value of the label means."""


@dataclass(frozen=True, slots=True)
class TaxonomyRow:
    """One label of the CRAG benchmark, or the domain: the item's value, and all values from which people can choose."""

    name: str
    title: str
    value: str | None
    values: Sequence[LabelValue]


def list_taxonomy(item: Item) -> list[TaxonomyRow]:
    """List the CRAG labels of an item with their values, and the domain if CRAG has this domain; empty if the item has no CRAG
    labels."""
    if not crag.is_labelled(item.labels):
        return []
    lists = ({"domain": crag.DOMAINS} if item.domain in crag.DOMAINS else {}) | dict(crag.LABELS)
    current = {"popularity": "", **item.labels, "domain": item.domain}
    return [
        TaxonomyRow(
            name, crag.NAMES[name], current.get(name), [LabelValue(value, value or "web", about) for value, about in of.items()]
        )
        for name, of in lists.items()
    ]


def label_values(item: Item) -> dict[str, str | None]:
    """Return a dict from the name of each CRAG label to the item's value."""
    return {row.name: row.value for row in list_taxonomy(item)}
