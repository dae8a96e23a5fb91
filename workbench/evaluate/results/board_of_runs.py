"""Runs laid side by side as a screen draws them: plain records made from a Report, so that every figure is the report's own."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from core.nouns import Run
from eval.metric import metrics
from eval.reports.comparing import is_quality, is_significant
from eval.reports.layout import list_notes, mark_runs, name_results, select_headlines
from eval.reports.metric_names import split_name
from eval.reports.report import Report
from eval.reports.results import describe_unfinished, group_rows, order_mixed
from eval.reports.run_names import name_runs
from eval.system import SystemFamily, systems
from store.runs.traces import RunTally

COSTS = ("length", "length.characters", "length.refused", "length.empty", "seconds", "calls", "tokens")
"""Columns that are no contest: shown when asked for."""


@dataclass(frozen=True, slots=True)
class RunLine:
    """One run with how far it is."""

    run: str
    name: str
    """Short, unlike every other of its list; "(offline)" in it where the offline agent had a part."""
    system: str
    family: str
    release: str
    release_hash: str
    agent: str | None
    retriever: str | None
    offline: Sequence[str]
    asked: int
    answered: int
    failed: int
    scored: int
    sample: int | None
    repetition: int
    at: str


@dataclass(frozen=True, slots=True)
class MetricInfo:
    """One column that can be shown."""

    name: str
    low: float | None
    """Ends of its scale; None = open."""
    high: float | None
    is_quality: bool
    """More of it is better, and it is a figure of its own."""
    is_headline: bool


@dataclass(frozen=True, slots=True)
class Grid:
    """One run's cells of one metric: `cells[row, column]` is a record of the report, absent where there are no items."""

    rows: Sequence[Any]
    columns: Sequence[Any]
    cells: Mapping[tuple[Any, Any], Mapping[str, Any]]
    others: frozenset[tuple[Any, Any]] = frozenset()
    """Cells that the run has items in, and no figure of this metric."""


@dataclass(frozen=True, slots=True)
class RunBoard:
    """Some runs and all their figures."""

    lines: Sequence[RunLine]
    """By family of system, floors first."""
    by: Sequence[str]
    notes: Sequence[str]
    """What a reader must know before the figures: what was offline, what was left out."""
    warnings: Sequence[str]
    """What makes these runs not quite comparable."""
    metrics: Sequence[MetricInfo]
    figures: Mapping[tuple[str, str], Mapping[str, Any]]
    """(run, metric): the report's cell over all answers, with "mark": best, second or nothing."""
    cells: Mapping[str, Sequence[Mapping[str, Any]]]
    """By run: the report's cells by the names of `by`."""
    comparisons: Sequence[Mapping[str, Any]]
    """The report's, each with "holds": after correction for how many they are, it is separable from 0."""
    summary: str
    """The report's one sentence on all comparisons."""
    ranks: Mapping[tuple[str, str], Mapping[str, Any]]
    """(run, metric): the report's place with its interval; empty with one run."""
    detectable: Mapping[str, Mapping[str, Any]]
    """By metric: the smallest difference that these questions would show."""
    failures: Mapping[str, Mapping[str, int]]
    """By run: how many answers failed, by kind."""
    cost: Mapping[str, tuple[float | None, int]]
    """By run: US dollars of its calls and how many they are; None when a price is unknown."""
    seconds: Mapping[str, float | None]
    times: Mapping[str, Mapping[str, Any]]
    """By run: {"latency", "build_seconds", "building"} as in the report."""

    @property
    def names(self) -> dict[str, str]:
        return {line.run: line.name for line in self.lines}

    def default_metrics(self) -> list[str]:
        """The headline metrics of the tasks that are there, those first that most of the runs have."""
        headlines_ = [m for m in self.metrics if m.is_headline]
        has = Counter(metric for (_, metric), cell in self.figures.items() if cell["mean"] is not None)
        return sorted((m.name for m in [m for m in headlines_ if m.is_quality] or headlines_), key=lambda name: -has[name])

    def metric(self, name: str) -> MetricInfo:
        return next(m for m in self.metrics if m.name == name)

    def grid(self, run: str, metric: str) -> Grid:
        """Rows are the first name of `by`, columns the second; the same ones for every run of the board."""
        first, second = self.by
        keys = [(cell[first], cell[second]) for cells in self.cells.values() for cell in cells]
        here = {(cell[first], cell[second]): cell for cell in self.cells[run] if cell["metric"] == metric}
        others = frozenset((cell[first], cell[second]) for cell in self.cells[run]) - set(here)
        return Grid(_ordered(key[0] for key in keys), _ordered(key[1] for key in keys), here, others)


def lines_of(found: Sequence[tuple[Run, RunTally]]) -> list[RunLine]:
    """Runs with what they came to, named so that no two are alike."""
    names = name_runs([run for run, _ in found])
    return [_line(run, tally, name) for (run, tally), name in zip(found, names, strict=True)]


def board_of(
    report: Report, overall: Report, lines: Mapping[str, RunLine], cost: Mapping[str, tuple[float | None, int]]
) -> RunBoard:
    """`overall` is the same report by nothing; `lines` and `cost` are by run."""
    order = get_args(SystemFamily)
    named = dict(zip((result.run.id for result in report.results), name_results(report.results), strict=True))
    ordered = sorted((replace(lines[run], name=name) for run, name in named.items()), key=lambda line: order.index(line.family))
    runs = overall.data["runs"]
    cells = {(run["run"], cell["metric"]): cell for run in runs for cell in run["cells"]}
    names = sorted({metric for _, metric in cells})
    shown = select_headlines(names)
    figures: dict[tuple[str, str], Mapping[str, Any]] = {}
    for metric in names:
        column = {run: cells[run, metric] for run in named if (run, metric) in cells}
        marked = mark_runs(metric, {run: cell["mean"] for run, cell in column.items()}, report.data["comparisons"])
        figures |= {(run, metric): {**cell, "mark": marked.get(run)} for run, cell in column.items()}
    return RunBoard(
        lines=ordered,
        by=report.by,
        notes=list_notes(report),
        warnings=_warnings(ordered),
        metrics=[_info(name, name in shown) for name in names],
        figures=figures,
        cells={run["run"]: run["cells"] for run in report.data["runs"]},
        comparisons=[{**one, "holds": is_significant(one)} for one in report.data["comparisons"]],
        summary=report.data["summary"],
        ranks={(one["run"], one["metric"]): one for one in report.data["ranks"]},
        detectable=report.data["detectable"],
        failures={run["run"]: run["failures"] for run in runs},
        cost=cost,
        seconds={result.run.id: _total(trace.seconds for trace in result.traces) for result in report.results},
        times={run["run"]: {name: run[name] for name in ("latency", "build_seconds", "building")} for run in runs},
    )


def differences_of(report: Report, metric: str, by: Sequence[str]) -> list[dict[str, Any]]:
    """By cell: the first run less the second where both have a value; difference None where they share none."""
    first, second = (group_rows(rows, by) for rows in report.rows)
    found = []
    for key in {**first, **second}:
        one = report.compare_runs(0, 1, metric, first.get(key, []), second.get(key, []))
        found.append({**dict(zip(by, key, strict=True)), **(one or {"difference": None, "n": 0, "low": None, "high": None})})
    return found


def _line(run: Run, tally: RunTally, name: str) -> RunLine:
    adapter = systems().get(run.system.name)
    sample = run.config.get("sample")
    return RunLine(
        run=run.id,
        name=name,
        system=run.system.name,
        family=adapter.family if adapter else "outside",
        release=run.release,
        release_hash=run.release_hash,
        agent=run.agent,
        retriever=run.config.get("retriever"),
        offline=run.offline,
        asked=tally.asked,
        answered=tally.answered,
        failed=tally.failed,
        scored=tally.scored,
        sample=sample[0] if sample else None,
        repetition=run.repetition,
        at=tally.at,
    )


def _warnings(lines: Sequence[RunLine]) -> list[str]:
    found = []
    releases = {line.release for line in lines}
    if len(releases) > 1:
        found.append(
            f"These runs are on different releases ({', '.join(sorted(releases))}): pairs are compared on shared "
            f"questions alone, and the means are over different ones."
        )
    elif len({line.release_hash for line in lines}) > 1:
        found.append(
            f"These runs are on different contents of the release {lines[0].release}: pairs are compared on shared "
            f"questions alone, and the means are over different ones."
        )
    for line in lines:
        if lack := describe_unfinished(line.asked, line.answered + line.failed, line.answered, line.scored):
            found.append(f"{line.name} is {lack}")
        elif line.scored < line.answered:
            found.append(f"{line.name}: {line.answered - line.scored} of {line.answered} answers have no score yet.")
    samples = {line.sample for line in lines}
    if len(samples) > 1:
        found.append("Some of these runs were made on a sample and some were not: their means are over different questions.")
    return found


def _info(name: str, is_headline: bool) -> MetricInfo:
    known = metrics().get(split_name(name).metric)
    is_count = known is not None and split_name(name).part in known.counts
    low, high = (None, None) if known is None or is_count else (known.low, known.high)
    return MetricInfo(name, low, high, is_quality(name), is_headline and name not in COSTS)


def _ordered(values: Any) -> list[Any]:
    return sorted(set(values), key=order_mixed)


def _total(values: Any) -> float | None:
    given = [value for value in values if value is not None]
    return sum(given) if given else None
