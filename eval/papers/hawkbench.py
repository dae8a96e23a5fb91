"""What HawkBench's tables share: which metric stands at which level, in the paper's hundredths, and its order of domains.
Domains are data: the paper's eight come first, in its order, any other after them by name."""

from collections.abc import Sequence
from typing import Any, get_args

from core.errors import BenchError
from eval.page import Cell, figure
from eval.reports.report import Report, average_cells
from eval.reports.results import ResultRow, order_mixed
from eval.system import SystemFamily, systems

DOMAINS = ("tech", "novel", "arts", "humanities", "paper", "science", "finance", "law")
ANSWER = {1: ("token_f1",), 2: ("token_f1",), 3: ("s_f1", "s_f1.offline"), 4: ("s_f1", "s_f1.offline")}
"""The figure of each level: the first of these names that any run has a score for."""
ROUGE = ("rouge_l_hawkbench", "rouge_l")
"""The published figures' ROUGE-L first."""
LABELS = {
    "token_f1": "F1",
    "s_f1": "S-F1",
    "s_f1.offline": "S-F1 (offline judge)",
    "rouge_l_hawkbench": "Rouge-L",
    "rouge_l": "Rouge-L (ours)",
}


def list_levels(report: Report) -> list[Any]:
    """HawkBench's levels that the runs hold. Raises BenchError when they hold none."""
    levels = sorted({row.level for rows in report.rows for row in rows if row.level in ANSWER}, key=order_mixed)
    if not levels:
        raise BenchError("These runs hold no item of level 1 to 4, so there is nothing for a table of HawkBench.")
    return levels


def list_domains(report: Report) -> list[str]:
    found = {row.domain for rows in report.rows for row in rows}
    return [d for d in DOMAINS if d in found] + sorted(found - set(DOMAINS))


def find_scored_metric(report: Report, names: Sequence[str], level: Any) -> str | None:
    """The first of the names that any run has a value of at that level; None when none has."""
    for name in names:
        for rows in report.rows:
            if any(row.level == level and name in row.points and row.points[name].value is not None for row in rows):
                return name
    return None


def average_level(report: Report, run: int, level: Any, metric: str) -> Cell:
    """The mean of the domains' means; none where the run lacks a domain that another run has."""
    cells = [{key for key, found in average_cells(rows).items() if key[1] == level and metric in found} for rows in report.rows]
    return to_hundredths(report.hawkbench(run, level, metric) if cells[run] == set().union(*cells) else None)


def select_level(rows: Sequence[ResultRow], level: Any) -> list[ResultRow]:
    return [row for row in rows if row.level == level]


def to_hundredths(value: float | None) -> Cell:
    """As the paper prints it: times 100, one decimal in the text alone."""
    return figure(value, digits=1, scale=100.0)


def order_by_family(report: Report) -> list[int]:
    """The runs' numbers, ordered by their system's family, then as given."""
    order = get_args(SystemFamily)
    return sorted(range(len(report.results)), key=lambda i: (order.index(find_family(report, i)), i))


def find_family(report: Report, run: int) -> SystemFamily:
    """The family of a run's system; outside for one that is no longer here."""
    adapter = systems().get(report.results[run].run.system.name)
    return adapter.family if adapter else "outside"
