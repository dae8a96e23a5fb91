"""Full metric names taken apart: which metric, whose judgement, which part."""

import re
from functools import lru_cache
from typing import NamedTuple

_NAME = re.compile(r"(?P<base>(?P<metric>[a-z0-9_]+)(?:\.offline)?(?:\.judge\d+)?)(?P<part>[.@].*)?")


class MetricName(NamedTuple):
    """s_f1.offline.recall is metric s_f1, base s_f1.offline, part recall; evidence_recall@5 has the part @5."""

    metric: str
    """The metric's file name."""
    base: str
    """With .offline and .judge1, as far as they stand in it."""
    part: str
    """Empty = the metric's own value."""


@lru_cache(maxsize=1000)
def split_name(name: str) -> MetricName:
    """A name that no metric of ours would have is its own base."""
    found = _NAME.fullmatch(name)
    return (
        MetricName(found["metric"], found["base"], (found["part"] or "").removeprefix("."))
        if found
        else MetricName(name, name, "")
    )
