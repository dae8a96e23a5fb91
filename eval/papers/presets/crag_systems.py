"""crag_systems: each system's accuracy, hallucination, missing and truthfulness as graded by the judge, its averages over
domains and weighted by question type, and its latency. If people graded answers (perfect, acceptable, missing, incorrect),
their grades are in a separate table, because the two scales cannot be averaged."""

from core.quality.grading import FOUR_GRADES, WEIGHTS, WeightedGrade, weighted_mean
from eval.page import Page, Table, figure, interval_cell, tabulate
from eval.papers.crag import METRIC, PARTS, average_truthfulness, list_labelled_rows, list_values
from eval.preset import Preset
from eval.reports.layout import mark_best
from eval.reports.report import Report
from eval.reports.results import find_part

GRADES = ("perfect", "acceptable", "missing", "incorrect")


def build(report: Report) -> Page:
    tables = [_tabulate_judged(report), *_tabulate_graded(report), _tabulate_weights(report)]
    return Page("CRAG: systems", tables, notes=report.notes)


def _tabulate_judged(report: Report) -> Table:
    labelled = list_labelled_rows(report)
    names = [find_part(rows, METRIC) for rows in labelled]
    common = next(filter(None, names), None)
    summaries = [report.summaries(rows) for rows in labelled]
    truth = [interval_cell(own.get(name or ""), 1, 100) for own, name in zip(summaries, names, strict=True)]
    column = mark_best(report, common, truth, labelled) if common and set(names) == {common} else truth
    records = []
    for number, (rows, own, name) in enumerate(zip(labelled, summaries, names, strict=True)):
        means = average_truthfulness(rows, name, report.weights)
        parts = {p: interval_cell(own.get(find_part(rows, METRIC, p) or ""), 1, 100) for p in (*PARTS, "failures_wrong")}
        seconds = own.get("seconds")
        points = [row.points.get(name or "") for row in rows]
        records.append(
            {
                "system": report.names[number],
                "n": len(rows),
                "not scored": sum(point is None or point.value is None for point in points),
                **{part: parts[part] for part in PARTS},
                "truthfulness": column[number],
                "failures wrong": parts["failures_wrong"],
                "by domain": figure(means.macro, 1, 100),
                "weighted": figure(means.weighted, 1, 100),
                "weighted, by domain": figure(means.weighted_macro, 1, 100),
                "seconds": figure(seconds.mean if seconds else None, 2),
            }
        )
    notes = [
        "Percent of questions [95 % bootstrap interval]; truthfulness = accuracy - hallucination. Questions without an answer "
        "or with a verdict that failed are left out; “failures wrong” counts a failed verdict as a hallucination, as CRAG's "
        "code does.",
        "By domain: the mean of the domains' means. Weighted: by the weights of question types, below.",
    ]
    return tabulate("By the judge", records, notes)


def _tabulate_graded(report: Report) -> list[Table]:
    records = []
    for name, result in zip(report.names, report.results, strict=True):
        marks = [mark for mark in result.marks if mark.scheme == FOUR_GRADES and not mark.of]
        if not marks:
            continue
        total = sum(mark.times for mark in marks)
        shares = {grade: sum(mark.times for mark in marks if mark.mark == grade) / total for grade in GRADES}
        clusters = report.clusters.of
        weighted = [WeightedGrade(clusters.get(mark.item, mark.item), WEIGHTS[mark.mark], mark.times) for mark in marks]
        records.append(
            {
                "system": name,
                "n graded": len(marks),
                **{grade: figure(share, 1, 100) for grade, share in shares.items()},
                "truthfulness": interval_cell(weighted_mean(weighted, report.seed), 1, 100),
            }
        )
    note = "Percent of the run that the graded answers stand for; truthfulness = perfect + acceptable / 2 - incorrect."
    return [tabulate("By people", records, [note])] if records else []


def _tabulate_weights(report: Report) -> Table:
    types = list_values([row for rows in list_labelled_rows(report) for row in rows], "question_type")
    records = [{"question type": kind, "weight": figure(report.weights.get(kind, 1.0), 2)} for kind in types]
    return tabulate("Weights of question types", records, columns=["question type", "weight"])


PRESET = Preset(label="CRAG: systems", build=build)
