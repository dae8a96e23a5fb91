"""Arrange runs side by side for a screen. The records are built from a report, so that every number equals the number in the
report."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, get_args

from core.nouns import Run
from core.quality.construction import sum_known
from eval.metric import metrics, split_name
from eval.page import Table
from eval.reports.comparing import is_quality, is_significant
from eval.reports.layout import mark_runs, select_headlines, tabulate_estimates
from eval.reports.report import Report
from eval.reports.results import describe_unfinished, group_rows, order_mixed
from eval.reports.run_names import name_runs
from eval.system import SystemFamily, systems
from store.runs.traces import RunTally

COSTS = ("length", "length.characters", "length.refused", "length.empty", "seconds", "calls", "tokens")
"""Names of metrics for which no run counts as best, such as length and seconds. Tables show these metrics only on request."""


class RunLine(NamedTuple):
    """One run with its progress, as one line of a list of runs."""

    run: Run
    tally: RunTally
    name: str
    """Short name of the run that no other run in the list has; it ends with "(offline)" if the offline agent answered."""

    @property
    def family(self) -> str:
        """Return the family of the run's system, or "outside" if this installation does not have the system."""
        adapter = systems().get(self.run.system.name)
        return adapter.family if adapter else "outside"

    @property
    def sample(self) -> int | None:
        """Return the number of items in the run's sample, or None if the run asked all items."""
        sample = self.run.config.get("sample")
        return sample[0] if sample else None


@dataclass(frozen=True, slots=True)
class MetricInfo:
    """One metric that a table of runs can show as a column."""

    name: str
    low: float | None
    """Lower end of the metric's scale, or None if it has none."""
    high: float | None
    is_quality: bool
    """Whether the metric measures quality: higher values are better, and the metric is not a part of another metric."""
    is_headline: bool


class CellDifference(NamedTuple):
    """The difference between two runs on the questions of one group, such as one level and domain, computed question by
    question."""

    key: tuple[Any, ...]
    """Values of the properties that define the group, in the order of `by`."""
    difference: float | None
    """Mean difference, or None if no question of the group was answered by both runs."""
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Grid:
    """The values of one metric for one run, as a table with one cell per group of questions. Groups without items are left
    out."""

    rows: Sequence[Any]
    columns: Sequence[Any]
    cells: Mapping[tuple[Any, Any], Any]
    """Dict from (row, column) to the report's record for the cell, or to a CellDifference."""
    unscored: frozenset[tuple[Any, Any]] = frozenset()
    """Cells, as (row, column), that have items of the run but no value of this metric."""


@dataclass(frozen=True, slots=True)
class RunBoard:
    """All results of several runs, for a screen that shows the runs side by side."""

    lines: Sequence[RunLine]
    """The runs, sorted by the family of their systems, beginning with the systems that give lower bounds."""
    by: Sequence[str]
    notes: Sequence[str]
    """Sentences to show above the figures: about work of the offline agent, and about runs or questions that were left out."""
    footnotes: Sequence[str]
    """Sentences to show under tables of means: about requested settings that an endpoint does not support."""
    warnings: Sequence[str]
    """Sentences that warn about runs that are not fully comparable, such as runs on different releases."""
    metrics: Sequence[MetricInfo]
    figures: Mapping[tuple[str, str], Mapping[str, Any]]
    """Dict from (run, metric) to the report's record over all answers, with the key "mark": best, second or None."""
    cells: Mapping[str, Sequence[Mapping[str, Any]]]
    """Dict from run to the report's records for each group of questions; `by` names the properties that define the groups."""
    comparisons: Sequence[Mapping[str, Any]]
    """The report's comparisons of pairs of runs. The key "holds" of each says whether the difference is distinguishable from 0
    after correction for many tests."""
    summary: str
    """The report's sentence about all comparisons together."""
    ranks: Mapping[tuple[str, str], Mapping[str, Any]]
    """Dict from (run, metric) to the run's rank with its interval; empty if there is only one run."""
    detectable: Mapping[str, Mapping[str, Any]]
    """Dict from metric to the smallest difference between systems that the questions of the runs can show."""
    failures: Mapping[str, Mapping[str, int]]
    """Dict from run to a dict from kind of failure to number of failed answers."""
    cost: Mapping[str, tuple[float | None, int]]
    """Dict from run to (cost of its calls in US dollars, number of calls). The cost is None if a price is unknown."""
    seconds: Mapping[str, float | None]
    estimates: Table
    """For runs on tiny releases: estimates of the means on the whole releases; no rows for other runs."""
    times: Mapping[str, Mapping[str, Any]]
    """Dict from run to {"latency", "build_seconds", "building"}, with the values of the report."""

    @property
    def names(self) -> dict[str, str]:
        return {line.run.id: line.name for line in self.lines}

    def default_metrics(self) -> list[str]:
        """Return the main metrics of the runs' tasks, beginning with the metrics that most runs have."""
        headline = [metric for metric in self.metrics if metric.is_headline]
        counts = Counter(metric for (_, metric), cell in self.figures.items() if cell["mean"] is not None)
        shown = [metric for metric in headline if metric.is_quality] or headline
        return sorted((metric.name for metric in shown), key=lambda name: -counts[name])

    def metric(self, name: str) -> MetricInfo:
        return next(metric for metric in self.metrics if metric.name == name)

    def grid(self, run: str, metric: str) -> Grid:
        """Return a table of one metric for one run: rows by the first property in `by`, columns by the second. The tables of
        all runs have the same rows and columns."""
        first, second = self.by
        keys = {(cell[first], cell[second]) for cells in self.cells.values() for cell in cells}
        own_cells = {(cell[first], cell[second]): cell for cell in self.cells[run] if cell["metric"] == metric}
        unscored = frozenset((cell[first], cell[second]) for cell in self.cells[run]) - set(own_cells)
        rows, columns = (sorted({key[place] for key in keys}, key=order_mixed) for place in (0, 1))
        return Grid(rows, columns, own_cells, unscored)


def list_lines(tallied: Sequence[tuple[Run, RunTally]]) -> list[RunLine]:
    """Return the runs as lines of a list, each under a name that no other run has."""
    names = name_runs([run for run, _ in tallied])
    return [RunLine(run, tally, name) for (run, tally), name in zip(tallied, names, strict=True)]


def build_board(
    report: Report, overall: Report, lines: Mapping[str, RunLine], cost: Mapping[str, tuple[float | None, int]]
) -> RunBoard:
    """Return the board of a report. `overall` is the same report without groups; `lines` and `cost` are dicts whose keys are
    the runs."""
    families = get_args(SystemFamily)
    names = dict(zip((result.run.id for result in report.results), report.names, strict=True))
    named = [lines[run]._replace(name=name) for run, name in names.items()]
    ordered = sorted(named, key=lambda line: families.index(line.family))
    runs = overall.data["runs"]
    cells = {(run["run"], cell["metric"]): cell for run in runs for cell in run["cells"]}
    metric_names = sorted({metric for _, metric in cells})
    headline = select_headlines(metric_names)
    figures: dict[tuple[str, str], Mapping[str, Any]] = {}
    for metric in metric_names:
        column = {run: cells[run, metric] for run in names if (run, metric) in cells}
        marked = mark_runs(metric, {run: cell["mean"] for run, cell in column.items()}, report.data["comparisons"])
        figures |= {(run, metric): {**cell, "mark": marked.get(run)} for run, cell in column.items()}
    return RunBoard(
        lines=ordered,
        by=report.by,
        notes=report.notes,
        footnotes=report.footnotes,
        warnings=_list_warnings(ordered),
        metrics=[_describe_metric(name, name in headline) for name in metric_names],
        figures=figures,
        cells={run["run"]: run["cells"] for run in report.data["runs"]},
        comparisons=[{**pair, "holds": is_significant(pair)} for pair in report.data["comparisons"]],
        summary=report.data["summary"],
        ranks={(rank["run"], rank["metric"]): rank for rank in report.data["ranks"]},
        detectable=report.data["detectable"],
        failures={run["run"]: run["failures"] for run in runs},
        cost=cost,
        seconds={result.run.id: sum_known(trace.seconds for trace in result.traces) for result in report.results},
        estimates=tabulate_estimates(report),
        times={run["run"]: {name: run[name] for name in ("latency", "build_seconds", "building")} for run in runs},
    )


def compare_cells(report: Report, metric: str, by: Sequence[str]) -> list[CellDifference]:
    """Return the first run's value minus the second's, for each group of questions in which both runs have a value."""
    first, second = (group_rows(rows, by) for rows in report.rows)
    differences = []
    for key in {**first, **second}:
        pair = report.compare_runs(0, 1, metric, first.get(key, []), second.get(key, []))
        figures = (pair["difference"], pair["low"], pair["high"], pair["n"]) if pair else (None, None, None, 0)
        differences.append(CellDifference(tuple(key), *figures))
    return differences


def _list_warnings(lines: Sequence[RunLine]) -> list[str]:
    warnings = []
    releases = sorted({line.run.release for line in lines})
    if len(releases) > 1 or len({line.run.release_hash for line in lines}) > 1:
        several = f"releases ({', '.join(releases)})" if len(releases) > 1 else f"contents of the release {releases[0]}"
        warnings.append(
            f"These runs are on different {several}: pairs are compared on shared questions alone, and the means are over "
            "different ones."
        )
    for line in lines:
        if unfinished := describe_unfinished(
            line.tally.asked, line.tally.answered + line.tally.failed, line.tally.answered, line.tally.scored
        ):
            warnings.append(f"{line.name} is {unfinished}")
        elif line.tally.scored < line.tally.answered:
            warnings.append(
                f"{line.name}: {line.tally.answered - line.tally.scored} of {line.tally.answered} answers have no score yet."
            )
    if len({line.sample for line in lines}) > 1:
        warnings.append(
            "Some of these runs asked a sample of the release and others all of it: their means are over different questions."
        )
    return warnings


def _describe_metric(name: str, is_headline: bool) -> MetricInfo:
    metric = metrics().get(split_name(name).metric)
    has_scale = metric is not None and split_name(name).part not in metric.counts
    low, high = (metric.low, metric.high) if metric and has_scale else (None, None)
    return MetricInfo(name, low, high, is_quality(name), is_headline and name not in COSTS)
