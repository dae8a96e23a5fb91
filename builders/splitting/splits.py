"""Divide a release into splits, such as train and test. Items that are linked (families.py) are put into the same split. Every
combination of level, domain and language is divided by the given shares, as closely as the families of linked items allow. The
same items, shares and seed give the same splits."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from builders.splitting.families import families
from core.errors import BenchError
from core.nouns import Item


def split(
    items: Sequence[Item], shares: Mapping[str, float], seed: int, kin: Sequence[Sequence[str]] | None = None
) -> dict[str, str]:
    """Return a dict from item id to the name of its split. Every split gets at least one item if there are enough families of
    linked items. `kin` contains the families with several items; if `kin` is None, the function finds the families. Raises
    BenchError if a share is not above 0 or the shares do not add up to 1."""
    if not shares or min(shares.values()) <= 0 or abs(sum(shares.values()) - 1) > 1e-6:
        raise BenchError(
            f"The shares {dict(shares)} do not define splits: each share must be above 0, and all shares must add up to 1."
        )
    by_id = {item.id: item for item in items}
    kin = families(items) if kin is None else kin
    related = {id_ for family in kin for id_ in family}
    order = sorted([*map(list, kin), *([id_] for id_ in by_id if id_ not in related)])
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

        def measure_lack(name: str, needs: Counter[tuple[str, str, str]] = needs) -> tuple[float, float, float]:
            """Return how far the split is below its target size, as shares: within the combinations of level, domain and
            language that occur in this family, and in total. Ties are broken by the share of the split."""
            inside = sum(n * (wanted[name][s] - got[name][s]) / wanted[name][s] for s, n in needs.items())
            overall = shares[name] * len(by_id) - total[name]
            return inside, overall / (shares[name] * len(by_id)), shares[name]

        best = max(names, key=measure_lack)
        got[best].update(needs)
        total[best] += len(family)
        placed.update(dict.fromkeys(family, best))
    return {item.id: placed[item.id] for item in items}
