"""Splits of a release. Items that share a source or evidence are one family and stay together; within that the shares hold in
every stratum (level, domain, language) as well as the families allow. The same items, shares and seed give the same splits."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from core.errors import BenchError
from core.nouns import Item


def split(items: Sequence[Item], shares: Mapping[str, float], seed: int) -> dict[str, str]:
    """Item id -> name of its split. Every split gets something where there are enough families. Raises BenchError on shares
    that are not above zero or do not add up to one."""
    if not shares or min(shares.values()) <= 0 or abs(sum(shares.values()) - 1) > 1e-6:
        raise BenchError(f"The shares {dict(shares)} are no split: give every split a share above 0, adding up to 1.")
    by_id = {item.id: item for item in items}
    order = families(items)
    random.Random(seed).shuffle(order)
    order.sort(key=len, reverse=True)
    strata = {item.id: (str(item.level), item.domain, item.language) for item in items}
    wanted = {name: {s: share * n for s, n in Counter(strata.values()).items()} for name, share in shares.items()}
    got: dict[str, Counter[tuple[str, str, str]]] = {name: Counter() for name in shares}
    total: Counter[str] = Counter()
    placed: dict[str, str] = {}
    for left, family in zip(range(len(order), 0, -1), order, strict=True):
        needs = Counter(strata[item] for item in family)
        empty = [name for name in shares if not total[name]]
        names = empty if len(empty) >= left else list(shares)

        def lack(name: str, needs: Counter[tuple[str, str, str]] = needs) -> tuple[float, float, float]:
            """How much this family's strata still want in that split, then how much the split wants at all."""
            inside = sum(n * (wanted[name][s] - got[name][s]) / wanted[name][s] for s, n in needs.items())
            overall = shares[name] * len(by_id) - total[name]
            return inside, overall / (shares[name] * len(by_id)), shares[name]

        best = max(names, key=lack)
        got[best].update(needs)
        total[best] += len(family)
        placed.update(dict.fromkeys(family, best))
    return {item.id: placed[item.id] for item in items}


def families(items: Sequence[Item]) -> list[list[str]]:
    """Ids of items that must not be torn apart: an item and the one it was made from, and items whose evidence overlaps. Each
    family in id order, families by their first id."""
    parent = {item.id: item.id for item in items}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    def join(a: str, b: str) -> None:
        parent[max(root(a), root(b))] = min(root(a), root(b))

    for item in items:
        for source in _sources(item):
            if source in parent:
                join(item.id, source)
    siblings: dict[str, str] = {}
    for item in items:
        for source in _sources(item):
            join(item.id, siblings.setdefault(source, item.id))
    spans = sorted((span, item.id) for item in items for span in item.evidence)
    reach: tuple[str, int, str] | None = None
    for span, name in spans:
        if reach and reach[0] == span.document and span.start < reach[1]:
            join(name, reach[2])
            reach = (span.document, max(reach[1], span.end), name)
        else:
            reach = (span.document, span.end, name)
    found: dict[str, list[str]] = {}
    for name in sorted(parent):
        found.setdefault(root(name), []).append(name)
    return list(found.values())


def _sources(item: Item) -> Iterable[str]:
    """Ids of the items that it was made from."""
    return [str(step["item"]) for step in item.steps if step.get("kind") == "source_item" and step.get("item")]
