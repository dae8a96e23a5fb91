"""Share code between CRAG's tables and figures: the order of its labels, the metric name of truthfulness, and its averages over
questions, over domains, and weighted by question type."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from core.errors import BenchError
from core.quality.crag import DOMAINS, DYNAMISMS, LABELS, POPULARITIES, QUESTION_TYPES
from eval.page import Table, count, figure, words
from eval.reports.report import Report
from eval.reports.results import ResultRow, Rows

METRIC = "crag_truthfulness"
PARTS = ("accuracy", "hallucination", "missing")
WEB = "web"
"""CRAG's popularity label of a question on web pages, which has no popularity."""
DIMENSIONS: Mapping[str, Sequence[str]] = {
    "domain": tuple(DOMAINS),
    "static_or_dynamic": tuple(DYNAMISMS),
    "popularity": tuple(value or WEB for value in POPULARITIES),
    "question_type": tuple(QUESTION_TYPES),
}
"""A dict from the dimensions by which CRAG groups answers (domain, dynamism, ...) to their values in CRAG's order."""
TITLES = {"domain": "Domain", "static_or_dynamic": "Dynamism", "popularity": "Popularity", "question_type": "Question type"}


class CragAverages(NamedTuple):
    """The mean truthfulness of one run, averaged in four ways; None = no value."""

    plain: float | None
    weighted: float | None
    macro: float | None
    """Mean of the mean truthfulness of each domain."""
    weighted_macro: float | None


def read_dimension(row: ResultRow, dimension: str) -> str | None:
    """Return the answer's value on a dimension such as "domain" or "dynamism", or None if its item has no such label."""
    if dimension == "domain":
        return row.domain
    if dimension == "popularity":
        return str(row.labels.get("popularity") or WEB) if has_crag_labels(row) else None
    value = row.labels.get(dimension)
    return None if value is None else str(value)


def has_crag_labels(row: ResultRow) -> bool:
    return any(name in row.labels for name in LABELS)


def list_labelled_rows(report: Report) -> list[list[ResultRow]]:
    """Return, for each run, the rows whose items have CRAG's labels. Raises BenchError if no item has these labels."""
    labelled = [[row for row in rows if has_crag_labels(row)] for rows in report.rows]
    if not any(labelled):
        raise BenchError("These runs have no item with CRAG's labels: import CRAG's data, or set these labels in review.")
    return labelled


def list_values(rows: Rows, dimension: str) -> list[str]:
    """Return the values that the rows have on a dimension: first CRAG's values in CRAG's order, then other values."""
    values = {value for row in rows if (value := read_dimension(row, dimension)) is not None}
    return [value for value in DIMENSIONS[dimension] if value in values] + sorted(values - set(DIMENSIONS[dimension]))


def average_truthfulness(rows: Rows, name: str | None, weights: Mapping[str, float]) -> CragAverages:
    """Return a run's averages of truthfulness; `weights` is a dict from question type to its weight, by default 1."""
    points = [(row, row.points[name].value) for row in rows if name and name in row.points]
    valued = [(row, value) for row, value in points if value is not None]
    domains: dict[str, list[tuple[ResultRow, float]]] = defaultdict(list)
    for row, value in valued:
        domains[row.domain].append((row, value))

    def average(pairs: Sequence[tuple[ResultRow, float]], weigh: Callable[[ResultRow], float]) -> float | None:
        total = sum(weigh(row) for row, _ in pairs)
        return sum(weigh(row) * value for row, value in pairs) / total if total else None

    def average_domains(weigh: Callable[[ResultRow], float]) -> float | None:
        means = [mean for pairs in domains.values() if (mean := average(pairs, weigh)) is not None]
        return sum(means) / len(means) if means else None

    def weigh_type(row: ResultRow) -> float:
        return weights.get(str(row.labels.get("question_type")), 1.0)

    def weigh_equally(row: ResultRow) -> float:
        return 1.0

    plain, weighted = average(valued, weigh_equally), average(valued, weigh_type)
    return CragAverages(plain, weighted, average_domains(weigh_equally), average_domains(weigh_type))


def build_distribution(report: Report, dimension: str, title: str) -> Table:
    """Return a table with the number of distinct questions for each value of the dimension. The table has one row per value,
    and for each domain a column with the number and a column with the percentage."""
    rows = list({row.item: row for rows in list_labelled_rows(report) for row in rows}.values())
    groups = {domain: [row for row in rows if row.domain == domain] for domain in list_values(rows, "domain")} | {"all": rows}
    lines = []
    for value in list_values(rows, dimension):
        cells = []
        for group in groups.values():
            n = sum(read_dimension(row, dimension) == value for row in group)
            cells += [count(n), figure(n / len(group) if group else None, 0, 100)]
        lines.append([words(value), *cells])
    lines.append([words("all"), *(cell for group in groups.values() for cell in (count(len(group)), figure(1.0, 0, 100)))])
    heads = [TITLES[dimension].lower(), *(head for domain in groups for head in (domain, "%"))]
    return Table(title, heads, lines, ["Percent of the domain's questions."])
