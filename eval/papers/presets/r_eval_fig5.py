"""r_eval_fig5: which of R-Eval's six response types each system's answers are of, as one bar a system and as a table, by level
too. Evidence is what a system observed, or, as the published code looks, all that it wrote and saw; both that and the threshold
are set and told."""

from collections.abc import Sequence

from core.errors import BenchError
from eval.figures.bars import draw_stacked_bars
from eval.page import Cell, Figure, Page, Table, count, figure, words
from eval.papers.response_types import THRESHOLD, TYPES, ResponseCounts, classify_trace, count_responses
from eval.papers.season import check_season, describe_other_rows
from eval.preset import Preset
from eval.reports.layout import list_notes, name_results
from eval.reports.leaderboard import order_level
from eval.reports.report import Report
from eval.reports.results import ResultRow
from eval.running.settings import read_flag, read_share


def build(report: Report, threshold: float = THRESHOLD, whole: bool = False) -> Page:
    """A run that is not finished has no shares: its failures have a type before its answers do. Raises BenchError when no
    answer has a type, or the runs are of several seasons."""
    check_season([result.run for result in report.results])
    least = read_share({"threshold": threshold}, "threshold", THRESHOLD)
    is_whole = read_flag({"whole": whole}, "whole", False)
    names = name_results(report.results)

    def count_run(run: int, rows: Sequence[ResultRow]) -> ResponseCounts:
        if report.results[run].unfinished:
            return count_responses(None for _ in rows)
        traces = {(trace.item, trace.variant): trace for trace in report.results[run].traces}
        return count_responses(classify_trace(traces[row.key], row.points, least, is_whole) for row in rows)

    whole_runs = [count_run(i, report.rows[i]) for i in range(len(names))]
    if not any(found.n for found in whole_runs):
        pairs = zip(names, report.results, strict=True)
        if lacking := [f"{name} is {result.unfinished}" for name, result in pairs if result.unfinished]:
            raise BenchError(f"{' '.join(lacking)} Give its command again, then draw its figure.")
        raise BenchError("No answer of these runs has r_eval_f1 or r_eval_f1_cjk: score them with one of the two.")
    bars = [(name, _shares(found)) for name, found in zip(names, whole_runs, strict=True)]
    levels = sorted({row.level for rows in report.rows for row in rows}, key=order_level)
    rows = [_line(name, "all", found) for name, found in zip(names, whole_runs, strict=True)]
    for level in levels if len(levels) > 1 else []:
        for i, name in enumerate(names):
            own = [row for row in report.rows[i] if row.level == level]
            rows.append(_line(name, str(level) if level is not None else "none", count_run(i, own)))
    heads = ["system", "level", "n", *(part for kind in TYPES for part in (kind, f"{kind} %")), "accurate %", "unscored"]
    notes = [f"{kind}: {about.lower()}." for kind, about in TYPES.items()]
    usual = " on, as in the published code" if least == THRESHOLD else f" on (the published code: {THRESHOLD:g})"
    notes.append(f"An answer matches from a reward of {least:g}{usual}; shares are of n.")
    notes.append(
        "The answer is looked for in all that a system wrote and saw, its own answer too, as in the published code."
        if is_whole
        else "The answer is looked for in what a system observed alone."
    )
    title = "R-Eval: response types"
    drawn = Figure(title, draw_stacked_bars(bars, [f"{kind}: {about}" for kind, about in TYPES.items()]))
    return Page(title, [Table(title, heads, rows, notes)], [drawn], [*list_notes(report), *describe_other_rows(report)])


def _shares(found: ResponseCounts) -> list[float]:
    return [found.of[kind] / found.n for kind in TYPES] if found.n else []


def _line(name: str, level: str, found: ResponseCounts) -> list[Cell]:
    shares = [cell for kind in TYPES for cell in (count(found.of[kind]), figure(found.share(kind), 1, 100.0))]
    accurate = (found.of["EM"] + found.of["AM"]) / found.n if found.n else None
    return [words(name), words(level), count(found.n), *shares, figure(accurate, 1, 100.0), count(found.unscored)]


PRESET = Preset(label="R-Eval figure 5: response types", build=build, settings={"threshold": THRESHOLD, "whole": False})
