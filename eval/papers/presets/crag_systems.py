"""crag_systems: each system's accuracy, hallucination, missing and truthfulness by the judge, with its averages over domains
and under the weights of question types; as people graded it, where they did (perfect, acceptable, missing, incorrect); and its
latency. The two scales stand in tables of their own: their means do not mix."""

from collections.abc import Sequence

from core.quality.grading import FOUR_GRADES, WEIGHTS, WeightedGrade, weighted_mean
from eval.page import DASH, Cell, Page, Table, count, figure, words
from eval.papers.crag import average_truthfulness, find_part, list_labelled_rows, list_values
from eval.preset import Preset
from eval.reports.layout import list_notes, mark_best, name_results
from eval.reports.report import Report
from eval.reports.results import ResultRow
from eval.reports.summary import FigureSummary

PARTS = ("accuracy", "hallucination", "missing")
GRADES = ("perfect", "acceptable", "missing", "incorrect")


def build(report: Report) -> Page:
    tables = [_build_judged_table(report), *_build_graded_table(report), _weights(report)]
    return Page("CRAG: systems", tables, notes=list_notes(report))


def _build_judged_table(report: Report) -> Table:
    found, names = list_labelled_rows(report), name_results(report.results)
    metrics = [find_part(rows) for rows in found]
    known = next(filter(None, metrics), None)
    summaries = [report.summaries(rows) for rows in found]
    truth = [_percent(own.get(metric or "")) for own, metric in zip(summaries, metrics, strict=True)]
    column = mark_best(report, known, truth, found) if known and set(metrics) == {known} else truth
    rows = []
    for number, (own, metric) in enumerate(zip(found, metrics, strict=True)):
        means = average_truthfulness(own, metric, report.weights)
        parts = {part: _percent(summaries[number].get(find_part(own, part) or "")) for part in (*PARTS, "failures_wrong")}
        took = summaries[number].get("seconds")
        rows.append(
            [
                words(names[number]),
                count(len(own)),
                count(_count_unscored(own, metric)),
                *(parts[part] for part in PARTS),
                column[number],
                parts["failures_wrong"],
                figure(means.macro, 1, 100),
                figure(means.weighted, 1, 100),
                figure(means.weighted_macro, 1, 100),
                figure(took.mean if took else None, 2),
            ]
        )
    notes = [
        "Percent of questions [95 % bootstrap interval]; truthfulness = accuracy - hallucination. Questions without an answer "
        "or with a verdict that failed are left out; “failures wrong” takes a failed verdict for a hallucination, as CRAG's "
        "code does.",
        "By domain: the mean of the domains' means. Weighted: by the weights of question types, below.",
    ]
    heads = [
        "system",
        "n",
        "not scored",
        *PARTS,
        "truthfulness",
        "failures wrong",
        "by domain",
        "weighted",
        "weighted, by domain",
        "seconds",
    ]
    return Table("By the judge", heads, rows, notes)


def _percent(summary: FigureSummary | None) -> Cell:
    if summary is None or summary.mean is None:
        return Cell(DASH)
    ends = "" if summary.low is None or summary.high is None else f" [{100 * summary.low:.1f}, {100 * summary.high:.1f}]"
    return Cell(f"{100 * summary.mean:.1f}{ends}", 100 * summary.mean)


def _count_unscored(rows: Sequence[ResultRow], metric: str | None) -> int:
    return sum(metric is None or metric not in row.points or row.points[metric].value is None for row in rows)


def _build_graded_table(report: Report) -> list[Table]:
    """A row a run that people graded."""
    rows = []
    for name, result in zip(name_results(report.results), report.results, strict=True):
        marks = [one for one in result.marks if one.scheme == FOUR_GRADES and not one.of]
        if not marks:
            continue
        total = sum(one.times for one in marks)
        shares = [sum(one.times for one in marks if one.mark == grade) / total for grade in GRADES]
        mean = weighted_mean(
            [WeightedGrade(report.clusters.of.get(one.item, one.item), WEIGHTS[one.mark], one.times) for one in marks],
            report.seed,
        )
        ends = "" if mean.low is None or mean.high is None else f" [{100 * mean.low:.1f}, {100 * mean.high:.1f}]"
        truth = Cell(DASH) if mean.mean is None else Cell(f"{100 * mean.mean:.1f}{ends}", 100 * mean.mean)
        rows.append([words(name), count(len(marks)), *(figure(share, 1, 100) for share in shares), truth])
    note = (
        "Percent of the run that the graded answers stand for; truthfulness = perfect + half of acceptable - incorrect "
        "(hallucination)."
    )
    return [Table("By people", ["system", "n graded", *GRADES, "truthfulness"], rows, [note])] if rows else []


def _weights(report: Report) -> Table:
    types = list_values([row for rows in list_labelled_rows(report) for row in rows], "question_type")
    rows = [[words(one), figure(report.weights.get(one, 1.0), 2)] for one in types]
    return Table("Weights of question types", ["question type", "weight"], rows)


PRESET = Preset(label="CRAG: systems", build=build)
