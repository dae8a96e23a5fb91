"""What CRAG's tables and figures share: its labels in their order, under which name truthfulness was scored, and its averages:
over questions, over domains, and with weights for question types."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from core.errors import BenchError
from core.quality.crag import DOMAINS, DYNAMISMS, LABELS, POPULARITIES, QUESTION_TYPES
from eval.page import Table, count, figure, words
from eval.reports.metric_names import split_name
from eval.reports.report import Report
from eval.reports.results import ResultRow

METRIC = "crag_truthfulness"
WEB = "web"
"""What a question without a popularity is called."""
DIMENSIONS: Mapping[str, Sequence[str]] = {
    "domain": tuple(DOMAINS),
    "static_or_dynamic": tuple(DYNAMISMS),
    "popularity": tuple(one or WEB for one in POPULARITIES),
    "question_type": tuple(QUESTION_TYPES),
}
"""What answers are laid out by, with its values in CRAG's order."""
TITLES = {"domain": "Domain", "static_or_dynamic": "Dynamism", "popularity": "Popularity", "question_type": "Question type"}


class CragAverages(NamedTuple):
    """One run's mean truthfulness, four ways; None without a value."""

    plain: float | None
    weighted: float | None
    macro: float | None
    """The mean of the domains' means."""
    weighted_macro: float | None


def read_dimension(row: ResultRow, dimension: str) -> str | None:
    """The row's value on one of DIMENSIONS; None where it has none."""
    if dimension == "domain":
        return row.domain
    if dimension == "popularity":
        return str(row.labels.get("popularity") or WEB) if has_crag_labels(row) else None
    value = row.labels.get(dimension)
    return None if value is None else str(value)


def has_crag_labels(row: ResultRow) -> bool:
    """Whether the row's item carries CRAG's labels."""
    return any(name in row.labels for name in LABELS)


def select_labelled(rows: Sequence[ResultRow]) -> list[ResultRow]:
    return [row for row in rows if has_crag_labels(row)]


def list_labelled_rows(report: Report) -> list[list[ResultRow]]:
    """By run, the rows of items with CRAG's labels. Raises BenchError when there are none."""
    found = [select_labelled(rows) for rows in report.rows]
    if not any(found):
        raise BenchError("These runs hold no item with CRAG's labels: import CRAG's file, or label items in the review.")
    return found


def list_values(rows: Sequence[ResultRow], dimension: str) -> list[str]:
    """The values that there are, CRAG's first, in its order."""
    found = {value for row in rows if (value := read_dimension(row, dimension)) is not None}
    return [one for one in DIMENSIONS[dimension] if one in found] + sorted(found - set(DIMENSIONS[dimension]))


def find_part(rows: Sequence[ResultRow], part: str = "", metric: str = METRIC) -> str | None:
    """Under which full name that part was scored, a real judge's before the offline one's; None when it was not."""
    names = sorted({name for row in rows for name in row.points})
    fitting = [
        name
        for name in names
        if (found := split_name(name)).metric == metric and found.part == part and ".judge" not in found.base
    ]
    return next(
        (name for name in fitting if any(row.points[name].value is not None for row in rows if name in row.points)),
        fitting[0] if fitting else None,
    )


def average_truthfulness(rows: Sequence[ResultRow], name: str | None, weights: Mapping[str, float]) -> CragAverages:
    """`weights` = question type -> its weight; a type without one counts 1."""
    scored = [(row, row.points[name].value) for row in rows if name and name in row.points]
    known = [(row, value) for row, value in scored if value is not None]

    def mean(of: Sequence[tuple[ResultRow, float]], weight: Callable[[ResultRow], float]) -> float | None:
        total = sum(weight(row) for row, _ in of)
        return sum(weight(row) * value for row, value in of) / total if total else None

    def over_domains(weight: Callable[[ResultRow], float]) -> float | None:
        groups: dict[str, list[tuple[ResultRow, float]]] = {}
        for row, value in known:
            groups.setdefault(row.domain, []).append((row, value))
        means = [found for of in groups.values() if (found := mean(of, weight)) is not None]
        return sum(means) / len(means) if means else None

    def by_type(row: ResultRow) -> float:
        return weights.get(str(row.labels.get("question_type")), 1.0)

    def weigh_equally(row: ResultRow) -> float:
        return 1.0

    return CragAverages(mean(known, weigh_equally), mean(known, by_type), over_domains(weigh_equally), over_domains(by_type))


def build_distribution(report: Report, dimension: str, title: str) -> Table:
    """Questions of all runs together, each once: a row a value, a column a domain, number and percent of the domain."""
    every = {row.item: row for rows in list_labelled_rows(report) for row in rows}
    rows = list(every.values())
    domains, lines = list_values(rows, "domain"), []
    groups = {domain: [row for row in rows if row.domain == domain] for domain in domains} | {"all": rows}
    for value in list_values(rows, dimension):
        cells = []
        for of in groups.values():
            n = sum(read_dimension(row, dimension) == value for row in of)
            cells += [count(n), figure(n / len(of) if of else None, 0, 100)]
        lines.append([words(value), *cells])
    lines.append([words("all"), *(cell for of in groups.values() for cell in (count(len(of)), figure(1.0, 0, 100)))])
    heads = [TITLES[dimension].lower(), *(head for domain in groups for head in (domain, "%"))]
    return Table(title, heads, lines, ["Percent of the domain's questions."])
