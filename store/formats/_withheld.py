"""What an export keeps back with a withheld split beside its items' golds: the documents in which their answers stand, where no
system searches these."""

from store.format import Bundle

NAMES = "withheld_documents.txt"
"""Ids of the documents of the release that are not in the folder, one a line; written where there are any."""


def map_splits(bundle: Bundle) -> dict[str, str]:
    """Item id -> its split."""
    return {row["id"]: row["split"] for row in bundle.manifest.get("items", ())}


def withheld_documents(bundle: Bundle, withheld: frozenset[str]) -> frozenset[str]:
    """Of the documents that are left out of retrieval: those that a withheld item's answer was taken from, or stands in word
    for word; and where there are any, those that nearly say the same as some source."""
    splits, left_out = map_splits(bundle), set(bundle.manifest.get("left_out", ()))
    closed = [item for item in bundle.items if splits.get(item.id, "test") in withheld]
    sources = {item.labels.get("source") for item in closed} | {span.document for item in closed for span in item.evidence}
    answers = {answer for item in closed for answer in item.answers if answer.strip()}
    found = {
        d.id for d in bundle.documents if d.id in left_out and (d.id in sources or any(answer in d.text for answer in answers))
    }
    return frozenset(found | set(bundle.manifest.get("near_copies", ())) if found else found)
