"""Families of items: who knows one of them knows something of the others, so that no two of them may be in different splits.
What links two is asked of the items alone, never of stored verdicts: imported items were never checked."""

from collections.abc import Iterable, Sequence

from builders.drafting.reverse import left_out
from builders.gates.duplicate import SAME_QUESTION, answers_alike
from builders.near_duplicate_index import near_pairs
from core.nouns import Item


def families(items: Sequence[Item]) -> list[list[str]]:
    """Ids of items that must not be torn apart. Linked are an item and the one it was made from; items made from one item, or
    from one left-out source; items whose evidence overlaps; and near duplicates, as gate G7 tells them: questions with a
    Jaccard index of .9, or of .8 and answers alike. Links carry on: a and c are of one family where both are linked to b. Items
    on one document are not linked by that alone. Each family in id order, families by their first id."""
    parent = {item.id: item.id for item in items}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    def join(a: str, b: str) -> None:
        parent[max(root(a), root(b))] = min(root(a), root(b))

    siblings: dict[str, str] = {}
    for item in items:
        for source in _sources(item):
            if source in parent:
                join(item.id, source)
            join(item.id, siblings.setdefault(f"item {source}", item.id))
        for document in left_out(item):
            join(item.id, siblings.setdefault(f"document {document}", item.id))
    spans = sorted((span, item.id) for item in items for span in item.evidence)
    reach: tuple[str, int, str] | None = None
    for span, name in spans:
        if reach and reach[0] == span.document and span.start < reach[1]:
            join(name, reach[2])
            reach = (span.document, max(reach[1], span.end), name)
        else:
            reach = (span.document, span.end, name)
    for one, other, jaccard in near_pairs(items):
        if jaccard >= SAME_QUESTION or any(answers_alike(one, answer) for answer in other.answers[:1]):
            join(one.id, other.id)
    found: dict[str, list[str]] = {}
    for name in sorted(parent):
        found.setdefault(root(name), []).append(name)
    return list(found.values())


def _sources(item: Item) -> Iterable[str]:
    """Ids of the items that it was made from."""
    return [str(step["item"]) for step in item.steps if step.get("kind") == "source_item" and step.get("item")]
