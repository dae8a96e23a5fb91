"""Full metric names split into parts: which metric, whose judgement, which part."""

import re
from functools import lru_cache
from typing import NamedTuple

_NAME = re.compile(r"(?P<base>(?P<metric>[a-z0-9_]+)(?:\.offline)?(?:\.judge\d+)?)(?P<part>[.@].*)?")


class MetricName(NamedTuple):
    """Parts of a full name: s_f1.offline.recall is metric s_f1, base s_f1.offline, part recall; evidence_recall@5 has part
    @5."""

    metric: str
    """The metric's file name."""
    base: str
    """With .offline and .judge1, where they stand in it."""
    part: str
    """Empty = the metric's own value."""


@lru_cache(maxsize=1000)
def split_name(name: str) -> MetricName:
    """Returns the parts; a name that no metric of ours would have is its own base."""
    match = _NAME.fullmatch(name)
    if match is None:
        return MetricName(name, name, "")
    return MetricName(match["metric"], match["base"], (match["part"] or "").removeprefix("."))
