"""Select what an export leaves out for a withheld split: the gold answers of its items, and documents with these answers that
systems cannot search."""

from core.nouns import Item
from store.format import Bundle

NAMES = "withheld_documents.txt"
"""Name of the file with the ids of the release's documents that the exported folder leaves out, one per line; written only if
there are any."""


def sort_items(bundle: Bundle) -> list[Item]:
    """Return the items sorted by id, which is the order in which every format writes items."""
    return sorted(bundle.items, key=lambda item: item.id)


def map_splits(bundle: Bundle) -> dict[str, str]:
    """Return a dict from item id to the name of the item's split."""
    return {row["id"]: row["split"] for row in bundle.manifest.get("items", ())}


def select_withheld(bundle: Bundle, withheld: frozenset[str]) -> frozenset[str]:
    """Return the ids of the items in the withheld splits."""
    splits = map_splits(bundle)
    return frozenset(item.id for item in bundle.items if splits.get(item.id, "test") in withheld)


def withheld_documents(bundle: Bundle, withheld: frozenset[str]) -> frozenset[str]:
    """Return the ids of the documents to withhold; systems can search none of them. Withheld are the sources of withheld
    answers and the documents that contain such an answer verbatim. If any document is withheld, near copies of sources are
    withheld too."""
    left_out, hidden = set(bundle.manifest.get("left_out", ())), select_withheld(bundle, withheld)
    items = [item for item in bundle.items if item.id in hidden]
    sources = {item.labels.get("source") for item in items} | {span.document for item in items for span in item.evidence}
    answers = {answer for item in items for answer in item.answers if answer.strip()}
    excluded = {
        d.id for d in bundle.documents if d.id in left_out and (d.id in sources or any(answer in d.text for answer in answers))
    }
    return frozenset(excluded | set(bundle.manifest.get("near_copies", ())) if excluded else excluded)
