"""r_eval_fig5: for each system, how many answers belong to each of R-Eval's six response types, as one bar per system and as a
table, also by level. Evidence is what a system observed or, as in the published code, all that it wrote and observed; the
setting `whole` chooses between the two, and `threshold` is the lowest reward of a matching answer."""

from core.errors import BenchError
from eval.figures.bars import draw_stacked_bars
from eval.page import Figure, Page, Record, figure, tabulate
from eval.papers.response_types import MIN_MATCHING_REWARD, TYPES, ResponseCounts, classify_trace, count_responses
from eval.papers.season import check_season, list_season_notes
from eval.preset import Preset
from eval.reports.leaderboard import order_level
from eval.reports.report import Report
from eval.reports.results import Rows
from eval.settings import read_flag, read_share


def build(report: Report, threshold: float = MIN_MATCHING_REWARD, whole: bool = False) -> Page:
    """Return the page of R-Eval's figure 5. No shares are given for an unfinished run, because its failed answers have a type
    before its other answers are scored. Raises BenchError if no answer has a type, or if the runs are of several seasons
    (releases)."""
    check_season([result.run for result in report.results])
    least = read_share({"threshold": threshold}, "threshold", MIN_MATCHING_REWARD)
    is_whole = read_flag({"whole": whole}, "whole", False)

    def count_run(run: int, rows: Rows) -> ResponseCounts:
        if report.results[run].unfinished:
            return count_responses(None for _ in rows)
        traces = {(trace.item, trace.variant): trace for trace in report.results[run].traces}
        return count_responses(classify_trace(traces[row.key], row.points, least, is_whole) for row in rows)

    totals = {name: count_run(run, report.rows[run]) for run, name in enumerate(report.names)}
    if not any(counts.n for counts in totals.values()):
        pairs = zip(report.names, report.results, strict=True)
        if lacking := [f"{name} is {result.unfinished}" for name, result in pairs if result.unfinished]:
            raise BenchError(f"{' '.join(lacking)} Continue the runs until they are finished, then draw the figure again.")
        raise BenchError("No answer of these runs has r_eval_f1 or r_eval_f1_cjk: score them with one of the two.")
    bars = [(name, [counts.of[kind] / counts.n for kind in TYPES] if counts.n else []) for name, counts in totals.items()]
    records = [_record(name, "all", counts) for name, counts in totals.items()]
    levels = sorted({row.level for rows in report.rows for row in rows}, key=order_level)
    for level in levels if len(levels) > 1 else []:
        for run, name in enumerate(report.names):
            own = [row for row in report.rows[run] if row.level == level]
            records.append(_record(name, str(level) if level is not None else "none", count_run(run, own)))
    usual = (
        ", as in the published code" if least == MIN_MATCHING_REWARD else f" (in the published code: {MIN_MATCHING_REWARD:g})"
    )
    notes = [
        *(f"{kind}: {about.lower()}." for kind, about in TYPES.items()),
        f"An answer matches if its reward is at least {least:g}{usual}; shares are of n.",
        "The gold answer is searched for in all texts that a system wrote or saw, including its answer, as in the "
        "published code."
        if is_whole
        else "The gold answer is searched for only in the texts that a system observed.",
    ]
    title = "R-Eval: response types"
    drawing = Figure(title, draw_stacked_bars(bars, [f"{kind}: {about}" for kind, about in TYPES.items()]))
    return Page(title, [tabulate(title, records, notes)], [drawing], list_season_notes(report))


def _record(name: str, level: str, counts: ResponseCounts) -> Record:
    shares: Record = {}
    for kind in TYPES:
        shares |= {kind: counts.of[kind], f"{kind} %": figure(counts.share(kind), 1, 100)}
    accurate = figure(counts.accurate_share, 1, 100)
    return {"system": name, "level": level, "n": counts.n, **shares, "accurate %": accurate, "unscored": counts.unscored}


PRESET = Preset(
    label="R-Eval figure 5: response types", build=build, settings={"threshold": MIN_MATCHING_REWARD, "whole": False}
)
