"""A strict parser of the text format 0.0.4 of Prometheus, after https://prometheus.io/docs/instrumenting/exposition_formats."""

import math
import re
from collections.abc import Mapping

_HELP = re.compile(r"# HELP (?P<name>[a-zA-Z_:][a-zA-Z0-9_:]*) (?P<text>(?:[^\\\n]|\\[\\n])+)")
_TYPE = re.compile(r"# TYPE (?P<name>[a-zA-Z_:][a-zA-Z0-9_:]*) (?P<kind>counter|gauge|histogram)")
_LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
_SAMPLE = re.compile(rf"(?P<name>[a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{{(?P<labels>{_LABEL}(?:,{_LABEL})*)\}})? (?P<value>\S+)")
_VALUE = re.compile(r"[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN")
Labels = frozenset[tuple[str, str]]
Families = Mapping[str, Mapping[tuple[str, Labels], float]]
"""Family -> (name of the sample, its labels) -> value."""


def parse(text: str) -> Families:
    """Every family of the text. Raises AssertionError on a line, an order or a histogram that the format does not allow."""
    assert text.endswith("\n") and "\r" not in text and "\n\n" not in text
    families: dict[str, dict[tuple[str, Labels], float]] = {}
    kinds: dict[str, str] = {}
    lines = iter(text.splitlines())
    family = ""
    for line in lines:
        if about := _HELP.fullmatch(line):
            kind = _TYPE.fullmatch(next(lines))
            assert kind and kind["name"] == about["name"], f"TYPE follows HELP: {line}"
            family = about["name"]
            assert family not in families, f"{family} is there once"
            families[family], kinds[family] = {}, kind["kind"]
            assert (kind["kind"] == "counter") == family.endswith("_total"), family
            continue
        sample = _SAMPLE.fullmatch(line)
        assert sample and family and _VALUE.fullmatch(sample["value"]), line
        suffix = sample["name"].removeprefix(family)
        assert suffix in (("_bucket", "_sum", "_count") if kinds[family] == "histogram" else ("",)), line
        pairs = re.findall(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"', sample["labels"] or "")
        assert len({name for name, _ in pairs}) == len(pairs), line
        key = sample["name"], frozenset(pairs)
        assert key not in families[family], f"the same sample twice: {line}"
        families[family][key] = float(sample["value"].replace("Inf", "inf"))
    for name, kind_of in kinds.items():
        assert families[name], f"{name} has a sample"
        if kind_of == "histogram":
            _check_histogram(name, families[name])
        if kind_of == "counter":
            assert min(families[name].values()) >= 0
    return families


def _check_histogram(name: str, samples: Mapping[tuple[str, Labels], float]) -> None:
    buckets: dict[Labels, list[tuple[float, float]]] = {}
    for (sample, labels), value in samples.items():
        if sample == f"{name}_bucket":
            bound = float(dict(labels)["le"].replace("Inf", "inf"))
            buckets.setdefault(frozenset(pair for pair in labels if pair[0] != "le"), []).append((bound, value))
    assert buckets, name
    for labels, found in buckets.items():
        assert found == sorted(found) and found[-1][0] == math.inf, "bounds ascend to infinity"
        counts = [count for _, count in found]
        assert counts == sorted(counts) and counts[-1] == samples[f"{name}_count", labels]
        assert samples[f"{name}_sum", labels] >= 0
