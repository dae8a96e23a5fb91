"""Share code between HawkBench's tables: the metric of each level, values times 100, and the order of domains. The domains are
those in the data: the paper's eight domains come first, in the paper's order, then others by name."""

from collections.abc import Sequence
from typing import Any, get_args

from core.errors import BenchError
from eval.page import Cell, figure
from eval.reports.report import Report, average_cells
from eval.reports.results import ResultRow, Rows, order_mixed
from eval.system import SystemFamily, systems

DOMAINS = ("tech", "novel", "arts", "humanities", "paper", "science", "finance", "law")
ANSWER = {1: ("token_f1",), 2: ("token_f1",), 3: ("s_f1", "s_f1.offline"), 4: ("s_f1", "s_f1.offline")}
"""A dict from level to names of the metric that HawkBench's tables show for it; the first that has a score in any run is
used."""
ROUGE = ("rouge_l_hawkbench", "rouge_l")
"""Names of metrics for ROUGE-L; HawkBench's figures were computed with the first of them."""
LABELS = {
    "token_f1": "F1",
    "s_f1": "S-F1",
    "s_f1.offline": "S-F1 (offline judge)",
    "rouge_l_hawkbench": "Rouge-L",
    "rouge_l": "Rouge-L (ours)",
}


def list_levels(report: Report) -> list[Any]:
    """Return the HawkBench levels (1 to 4) that occur among the items of the runs. Raises BenchError if none occurs."""
    levels = sorted({row.level for rows in report.rows for row in rows if row.level in ANSWER}, key=order_mixed)
    if not levels:
        raise BenchError("These runs have no item of level 1 to 4, so HawkBench's tables would be empty.")
    return levels


def list_domains(report: Report) -> list[str]:
    domains = {row.domain for rows in report.rows for row in rows}
    return [domain for domain in DOMAINS if domain in domains] + sorted(domains - set(DOMAINS))


def find_scored_metric(report: Report, names: Sequence[str], level: Any) -> str | None:
    """Return the first of the metric names that has a value in any run at this level, or None if no name has one."""
    points = [row.points for rows in report.rows for row in rows if row.level == level]
    return next((name for name in names if any(name in own and own[name].value is not None for own in points)), None)


def average_level(report: Report, run: int, level: Any, metric: str) -> Cell:
    """Return the mean of a run's domain means at one level; a dash if the run lacks a domain that another run has."""
    cells = [{key for key, own in average_cells(rows).items() if key[1] == level and metric in own} for rows in report.rows]
    return to_hundredths(report.hawkbench(run, level, metric) if cells[run] == set().union(*cells) else None)


def select_level(rows: Rows, level: Any) -> list[ResultRow]:
    return [row for row in rows if row.level == level]


def to_hundredths(value: float | None) -> Cell:
    """Return a cell with the value times 100, as in HawkBench's tables; its text has one decimal."""
    return figure(value, digits=1, scale=100.0)


def order_by_family(report: Report) -> list[int]:
    """Return the indexes of the runs, ordered by the family of their system (plain RAG, graph, ...), and within a family in the
    given order."""
    order = get_args(SystemFamily)
    return sorted(range(len(report.results)), key=lambda i: (order.index(find_family(report, i)), i))


def find_family(report: Report, run: int) -> SystemFamily:
    """Return the family of a run's system; the family `outside` if the system no longer exists."""
    adapter = systems().get(report.results[run].run.system.name)
    return adapter.family if adapter else "outside"
