"""Small runs by hand, for the tests of reports: one item a score."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.nouns import Item, Level, Run, Score, System, Trace
from eval.reports.results import RunResult


def item(name: str, level: Level = 1, domain: str = "law", **given: Any) -> Item:
    return Item(name, "explicit_factoid", f"Question {name}?", (f"Answer {name}",), level=level, domain=domain, **given)


def result(
    name: str,
    items: Sequence[Item],
    scores: Mapping[str, Sequence[float | None]],
    *,
    system: str = "vanilla",
    failed: Sequence[str] = (),
    **given: Any,
) -> RunResult:
    """A run called `name`; each metric has one value an item, None = unscored; failed items have a trace and no score."""
    config, offline = given.pop("config", {}), given.pop("offline", ())
    run = Run(name, name, System(system), "halmerow", "b2:x", "openai:m", config, offline=offline)
    late = {i.id: Trace(name, i.id, stop="timeout", error="Too late.") for i in items if i.id in failed}
    traces = [late.get(i.id, Trace(name, i.id, answer="x")) for i in items]
    rows = [
        Score(name, i.id, None, metric, "1", value, "" if value is not None else "not read")
        for metric, values in scores.items()
        for i, value in zip(items, values, strict=True)
        if i.id not in failed
    ]
    return RunResult(run, traces, rows, {i.id: i for i in items}, **given)
