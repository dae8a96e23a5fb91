"""Find families of items: an item in a family reveals something about the family's other items, so all items of a family must
be in the same split. Whether two items are linked depends only on the items and never on stored verdicts, because imported
items have none."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from builders.drafting.reverse import left_out
from builders.gates.duplicate import MIN_EQUAL_JACCARD, answers_alike
from builders.near_duplicate_index import near_pairs
from core.nouns import Item
from core.quality.conversations import get_standalone, read_turn


def families(items: Sequence[Item], links: Iterable[tuple[str, str]] = ()) -> list[list[str]]:
    """Return the families as lists of item ids in id order, sorted by their first id. All items of a family must be in the same
    split.

    Two items are linked if they are turns of one conversation, if one was made from the other, if both were made from the same
    item or from the same source document that retrieval excludes, if their evidence overlaps, or if they are near duplicates.
    By the rules of the gate duplicate, two items are near duplicates if their questions have a Jaccard index of at least .9, or
    of at least .8 if their answers are similar. If a and c are both linked to b, all three form one family. Two items are not
    linked merely because they are about the same document. `links` are further pairs of linked items, such as an item and its
    twin in another language."""
    parent = {item.id: item.id for item in items}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    def join(a: str, b: str) -> None:
        parent[max(root(a), root(b))] = min(root(a), root(b))

    for one, twin in links:
        join(one, twin)
    siblings: dict[str, str] = {}
    for item in items:
        for source in _sources(item):
            if source in parent:
                join(item.id, source)
            join(item.id, siblings.setdefault(f"item {source}", item.id))
        if turn := read_turn(item.labels):
            join(item.id, siblings.setdefault(f"conversation {turn.conversation}", item.id))
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
    alone = [replace(item, question=get_standalone(item)) for item in items]  # "When was he born?" says too little
    for left, other, jaccard in near_pairs(alone):
        if jaccard >= MIN_EQUAL_JACCARD or any(answers_alike(left, answer) for answer in other.answers[:1]):
            join(left.id, other.id)
    groups: dict[str, list[str]] = {}
    for name in sorted(parent):
        groups.setdefault(root(name), []).append(name)
    return list(groups.values())


def _sources(item: Item) -> Iterable[str]:
    """Return the ids of the items from which this item was made."""
    return [str(step["item"]) for step in item.steps if step.get("kind") == "source_item" and step.get("item")]
