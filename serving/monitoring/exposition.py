"""Formats metrics in the Prometheus text format 0.0.4, and provides the histogram for latencies."""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Literal, NamedTuple

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Sample(NamedTuple):
    """One value of a Prometheus metric, with its labels."""

    value: float
    labels: Mapping[str, str] = {}
    suffix: str = ""
    """Suffix of the metric's name for this value: _bucket, _sum or _count of a histogram, else ""."""


class MetricFamily(NamedTuple):
    """All values of one Prometheus metric, with its name, kind and description."""

    name: str
    kind: Literal["counter", "gauge", "histogram"]
    help: str
    samples: Sequence[Sample]


class Histogram:
    """A histogram: for each upper bound, the number of values that do not exceed it."""

    def __init__(self, bounds: Sequence[float]) -> None:
        """Create an empty histogram. `bounds` are the upper bounds in ascending order, without infinity."""
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, value: float) -> None:
        """Count one value in the histogram."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def list_samples(self, labels: Mapping[str, str]) -> list[Sample]:
        """Return the samples of the histogram: one for each bound, then the sum and the number of the values."""
        bounds = [*map(format_value, self._bounds), "+Inf"]
        up_to = list(accumulate(self._counts))
        buckets = [Sample(count, {**labels, "le": bound}, "_bucket") for bound, count in zip(bounds, up_to, strict=True)]
        return [*buckets, Sample(self._sum, labels, "_sum"), Sample(up_to[-1], labels, "_count")]


def format_families(families: Iterable[MetricFamily]) -> str:
    """Return metrics as the text that Prometheus reads; a metric without samples is left out."""
    return "".join(f"{line}\n" for family in families if family.samples for line in _list_lines(family))


def format_value(value: float) -> str:
    """Return a number as Prometheus writes it."""
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return str(int(value)) if value == int(value) else repr(float(value))


def _list_lines(family: MetricFamily) -> Iterator[str]:
    yield f"# HELP {family.name} {_escape(family.help)}"
    yield f"# TYPE {family.name} {family.kind}"
    for sample in family.samples:
        labels = ",".join(f'{name}="{_escape_quotes(value)}"' for name, value in sample.labels.items())
        yield f"{family.name}{sample.suffix}{f'{{{labels}}}' if labels else ''} {format_value(sample.value)}"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _escape_quotes(text: str) -> str:
    return _escape(text).replace('"', '\\"')
