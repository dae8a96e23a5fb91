"""Choose a few items that stand for all items of a release. The items are divided into strata, such as level and domain. Each
stratum gets a number of items in proportion to its size, and is divided into as many cells of similar items; the cells have
nearly equal sizes. The item in the middle of a cell (its medoid) stands for the cell, and the size of the cell is its weight.

Items are similar if they have a similar difficulty and discrimination in the two-parameter model of item response theory, which
is fitted to the scores of systems (as in tinyBenchmarks, Polo et al., arXiv 2402.14992, and anchor points, Vivek et al., arXiv
2309.08638). Without enough systems, items of similar length and overlap count as similar."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from core.errors import BenchError
from core.nouns import Item
from core.statistics.irt import fit

MIN_SYSTEMS = 5
"""Minimum number of systems for the item response model. The model of five systems is poor, but its priors keep it stable."""
Method = Literal["irt", "form"]
"""What makes items similar: difficulty and discrimination, or the form of question and answer."""


class Stratum(NamedTuple):
    """A group of items from which items were chosen."""

    values: tuple[str, ...]
    """Values of the properties that define the stratum."""
    items: int
    chosen: int


class Choice(NamedTuple):
    """The chosen items."""

    weights: Mapping[str, int]
    """Dict from each chosen item to the number of items that it stands for, itself included."""
    by: tuple[str, ...]
    """Names of the properties that define the strata."""
    strata: Sequence[Stratum]
    method: Method
    why: str
    """Reason why the model was not used; "" if it was used."""


def choose_items(
    items: Sequence[Item], scores: Mapping[tuple[str, str], float], size: int, min_systems: int = MIN_SYSTEMS
) -> Choice:
    """Return `size` of the items, by the scores (0 to 1) of (system, item) pairs; pairs may be missing. With fewer than
    `min_systems` systems, the form of the items decides. The result depends on neither chance nor the order of the arguments.
    Raises BenchError if there are not more items than `size`."""
    if len(items) <= size:
        raise BenchError(
            f"{len(items)} items can be chosen from, so a choice of {size} would leave none out: choose a smaller size, or a "
            "larger release."
        )
    ordered = sorted(items, key=lambda item: item.id)
    points, why = _place_by_responses(ordered, scores, min_systems)
    method: Method = "form" if why else "irt"
    by, groups = _divide_strata(ordered, size)
    weights: dict[str, int] = {}
    strata = []
    for (values, members), count in zip(groups.items(), _share_out([*map(len, groups.values())], size), strict=True):
        strata.append(Stratum(values, len(members), count))
        for cell in _divide(points[members], members, count) if count else ():
            weights[ordered[_find_medoid(points[cell], cell)].id] = len(cell)
    return Choice(weights, by, strata, method, why)


def _place_by_responses(items: Sequence[Item], scores: Mapping[tuple[str, str], float], min_systems: int) -> tuple[Any, str]:
    """Return the place of each item as a row (difficulty, logarithm of discrimination), and "". If the model cannot be fitted,
    return places by the form of the items, and the reason."""
    import numpy as np

    named = {item.id for item in items}
    try:
        fits = fit({key: scores[key] for key in sorted(scores) if key[1] in named}, min_systems).items
    except BenchError as error:
        return _place_by_form(items), str(error)
    middle = float(np.median([one.difficulty for one in fits.values()]))
    rows = [
        (fits[item.id].difficulty, math.log(fits[item.id].discrimination)) if item.id in fits else (middle, 0.0)
        for item in items
    ]
    return np.array(rows), ""


def _place_by_form(items: Sequence[Item]) -> Any:
    """Return the place of each item by the lengths of question and answer and the overlap of question and evidence, each in
    standard deviations."""
    import numpy as np

    known = [item.overlap for item in items if item.overlap is not None]
    usual = sum(known) / len(known) if known else 0.0
    table = np.array(
        [
            (
                math.log1p(len(item.question)),
                math.log1p(len(next(iter(item.answers), ""))),
                usual if item.overlap is None else item.overlap,
            )
            for item in items
        ]
    )
    spread = table.std(axis=0)
    return (table - table.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def _divide_strata(items: Sequence[Item], size: int) -> tuple[tuple[str, ...], dict[tuple[str, ...], list[int]]]:
    """Return the properties that define the strata, and a dict from their values to the numbers of the items. With more strata
    than half of `size`, properties are left out from the end."""
    second = "domain" if len({item.domain for item in items}) > 1 else "task"
    for by in (("level", second), ("level",), ()):
        groups: dict[tuple[str, ...], list[int]] = {}
        for number, item in enumerate(items):
            groups.setdefault(tuple(str(getattr(item, name) or "–") for name in by), []).append(number)
        if len(groups) <= size / 2:
            break
    return by, dict(sorted(groups.items()))


def _share_out(sizes: Sequence[int], total: int) -> list[int]:
    """Return a number for each stratum; they sum to `total`, are in proportion to the sizes, and at least 1 (method of largest
    remainders)."""
    quotas = [total * size / sum(sizes) for size in sizes]
    counts = [max(1, math.floor(quota)) for quota in quotas]
    while (rest := total - sum(counts)) != 0:
        step = 1 if rest > 0 else -1
        open_ = [place for place, size in enumerate(sizes) if (counts[place] < size if step > 0 else counts[place] > 1)]
        best = max(open_, key=lambda place: (step * (quotas[place] - counts[place]), -place))
        counts[best] += step
    return counts


def _divide(points: Any, members: Sequence[int], count: int) -> list[list[int]]:
    """Return `members`, whose places are `points`, as `count` cells of nearly equal sizes. A cell is halved where its places
    spread most, again and again."""
    import numpy as np

    if count == 1:
        return [list(members)]
    axis = int(points.std(axis=0).argmax()) if len(points) else 0
    order = np.argsort(points[:, axis], kind="stable")
    first = count // 2
    cut = min(max(round(len(members) * first / count), first), len(members) - (count - first))
    own = np.asarray(members)[order]
    return [
        *_divide(points[order[:cut]], own[:cut].tolist(), first),
        *_divide(points[order[cut:]], own[cut:].tolist(), count - first),
    ]


def _find_medoid(points: Any, cell: Sequence[int]) -> int:
    """Return the member of a cell whose distances to the other members have the smallest sum."""
    import numpy as np

    distances = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2)).sum(axis=1)
    return cell[int(np.round(distances, 9).argmin())]
