"""Agreement between people on texts and on evidence: similarity of texts compared with random pairs, and overlap of spans."""

import random
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from core.nouns import Span
from core.statistics.ratings import RESAMPLES, RatingTable, tabulate_ratings
from core.statistics.statistics import Interval, bootstrap

T = TypeVar("T")
MAX_CACHED_SCORES = 100_000
"""Maximum number of pairs of texts whose score is cached while a set of texts is compared."""


class TextAgreement(NamedTuple):
    """Similarity of the texts that different people gave for the same unit, compared with chance."""

    observed: Interval
    """Mean similarity over all pairs of people who gave texts for the same unit; each unit is a cluster."""
    chance: Interval
    """Mean similarity over random pairs of texts from different units."""


def compare_texts(
    texts: Mapping[str, Mapping[str, T]] | RatingTable,
    score: Callable[[T, T], float | None],
    pairs: int = 1_000,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> TextAgreement:
    """Score how similar the texts of different people for the same unit are, and how similar `pairs` random pairs of texts from
    different units are. `resamples` is the number of resamples for the interval over units.

    `texts` contains the text by unit and person. The function `score` must be symmetric. Texts of one unit that are equal are
    scored only once."""
    table = tabulate_ratings(texts)
    values = table.values
    units, first, second, times = _list_pairs(table)
    score_places = lru_cache(MAX_CACHED_SCORES)(lambda a, b: score(values[a], values[b]))
    scores = [score_places(a, b) for a, b in zip(first.tolist(), second.tolist(), strict=True)]
    observed = bootstrap(scores, clusters=units.tolist(), resamples=resamples, seed=seed, times=times)
    every = range(len(table.units))
    generator = random.Random(seed)
    drawn: list[float | None] = []
    has_several_units = len(every) > 0 and bool((table.units != table.units[0]).any())
    while has_several_units and len(drawn) < pairs:
        one, other = generator.choice(every), generator.choice(every)
        if table.units[one] != table.units[other]:
            drawn.append(score_places(int(table.labels[one]), int(table.labels[other])))
    return TextAgreement(observed, bootstrap(drawn, resamples=RESAMPLES, seed=seed))


def span_jaccard(a: Collection[Span], b: Collection[Span]) -> float | None:
    """Return the number of characters that both people marked, as a share (0 to 1) of the characters that at least one person
    marked; None if nobody marked any."""
    left, right = _join_spans(a), _join_spans(b)
    common = sum(
        max(0, min(x_end, y_end) - max(x, y))
        for document in left.keys() & right.keys()
        for x, x_end in left[document]
        for y, y_end in right[document]
    )
    either = sum(end - start for side in (left, right) for pieces in side.values() for start, end in pieces) - common
    return common / either if either else None


def _list_pairs(table: RatingTable) -> tuple[Any, Any, Any, Any]:
    """Return the pairs of labels within each unit as four arrays: unit, first label, second label, number of pairs of people
    who gave these two labels. Two equal labels form a pair if two people gave this label to the unit."""
    import numpy as np

    paired = table.select_paired()
    entries, times = np.unique(paired.units * len(table.values) + paired.labels, return_counts=True)
    units, labels = np.divmod(entries, max(1, len(table.values)))
    several = times > 1
    rows = [(units[several], labels[several], labels[several], times[several] * (times[several] - 1) // 2)]
    step = 1
    while (same := units[step:] == units[:-step]).any():  # the labels of a unit are in adjacent rows
        a, b = np.flatnonzero(same), np.flatnonzero(same) + step
        rows.append((units[a], labels[a], labels[b], times[a] * times[b]))
        step += 1
    columns = [np.concatenate(column) for column in zip(*rows, strict=True)]
    order = np.argsort(columns[0], kind="stable")
    unit, one, other, n = (column[order] for column in columns)
    return unit, one, other, n


def _join_spans(spans: Collection[Span]) -> dict[str, list[tuple[int, int]]]:
    """Return a dict from document to the (start, end) intervals that the spans mark in it; adjacent spans are joined."""
    joined: dict[str, list[tuple[int, int]]] = {}
    for span in sorted(spans):
        pieces = joined.setdefault(span.document, [])
        if pieces and span.start <= pieces[-1][1]:
            pieces[-1] = (pieces[-1][0], max(pieces[-1][1], span.end))
        elif span.end > span.start:
            pieces.append((span.start, span.end))
    return joined
