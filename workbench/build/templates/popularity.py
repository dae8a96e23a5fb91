"""Show how popular the rows of a table are, in three groups: head, torso and tail."""

from collections.abc import Sequence
from typing import NamedTuple

from core.tables.popularity import BUCKETS, UNKNOWN_POPULARITY, assign_buckets, find_cuts
from core.tables.world import EntityTable


class PopularityBucket(NamedTuple):
    """The rows of a table in one of three ranges of popularity: head, torso or tail."""

    bucket: str
    rows: int
    share: float | None
    """Share (0 to 1) of the table's rows that are in this range."""
    mass: float | None
    """Share (0 to 1) of the table's total popularity that the rows in this range have."""
    examples: Sequence[str]
    """Names of the most popular rows in this range."""


class PopularitySpread(NamedTuple):
    """How many of the current rows of a table are in each range of popularity."""

    tail: float
    """Highest popularity that still counts as tail."""
    torso: float
    """Highest popularity that still counts as torso."""
    rows: int
    buckets: Sequence[PopularityBucket]


def spread_popularity(table: EntityTable) -> PopularitySpread:
    """Count the current rows of the table by range of popularity."""
    spec, places = table.spec, table.as_of()
    cells = [table.cell(place, spec.popularity) for place in places]
    bucket_of, cut = assign_buckets(cells), find_cuts(cells)
    numbers = [UNKNOWN_POPULARITY if cell is None else cell for cell in cells]
    total, label = sum(numbers), spec.label or spec.key
    spread = []
    for bucket in BUCKETS:
        inside = sorted((i for i, other in enumerate(bucket_of) if other == bucket), key=lambda i: -numbers[i])
        share = len(inside) / len(places) if places else None
        mass = sum(numbers[i] for i in inside) / total if total else None
        examples = [str(table.cell(places[i], label)) for i in inside[:3]]
        spread.append(PopularityBucket(bucket, len(inside), share, mass, examples))
    return PopularitySpread(cut.tail, cut.torso, len(places), spread)
