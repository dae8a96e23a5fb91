"""r_eval_fig5: which of R-Eval's six response types each system's answers are of, as one bar a system and as a table a level.
Evidence is what a system observed; the threshold is the published code's, and told."""

from collections.abc import Sequence

from core.errors import BenchError
from eval.bars import stacked
from eval.layout import names_of, notes_of
from eval.leaderboard import level_order
from eval.page import Cell, Figure, Page, Table, count, figure, words
from eval.preset import Preset
from eval.report import Report
from eval.response_types import THRESHOLD, TYPES, Responses, responses, type_of
from eval.results import Row


def build(report: Report) -> Page:
    """Raises BenchError when no answer has a type."""
    names = names_of(report.results)
    whole = [_responses(report, i, report.rows[i]) for i in range(len(names))]
    if not any(found.n for found in whole):
        raise BenchError("No answer of these runs has r_eval_f1 or r_eval_f1_cjk: score them with one of the two.")
    bars = [(name, _shares(found)) for name, found in zip(names, whole, strict=True)]
    levels = sorted({row.level for rows in report.rows for row in rows}, key=level_order)
    rows = [_line(name, "all", found) for name, found in zip(names, whole, strict=True)]
    for level in levels if len(levels) > 1 else []:
        for i, name in enumerate(names):
            own = [row for row in report.rows[i] if row.level == level]
            rows.append(_line(name, str(level) if level is not None else "none", _responses(report, i, own)))
    heads = ["system", "level", "n", *(part for kind in TYPES for part in (kind, f"{kind} %")), "accurate %", "unscored"]
    notes = [f"{kind}: {about.lower()}." for kind, about in TYPES.items()]
    notes.append(f"An answer matches from a reward of {THRESHOLD:g} on, as in the published code; shares are of n.")
    title = "R-Eval: response types"
    drawn = Figure(title, stacked(bars, [f"{kind}: {about}" for kind, about in TYPES.items()]))
    return Page(title, [Table(title, heads, rows, notes)], figures=[drawn], notes=notes_of(report))


def _responses(report: Report, run: int, rows: Sequence[Row]) -> Responses:
    traces = {(trace.item, trace.variant): trace for trace in report.results[run].traces}
    return responses(type_of(traces[row.key], row.points) for row in rows)


def _shares(found: Responses) -> list[float]:
    return [found.of[kind] / found.n for kind in TYPES] if found.n else []


def _line(name: str, level: str, found: Responses) -> list[Cell]:
    shares = [cell for kind in TYPES for cell in (count(found.of[kind]), figure(found.share(kind), 1, 100.0))]
    accurate = (found.of["EM"] + found.of["AM"]) / found.n if found.n else None
    return [words(name), words(level), count(found.n), *shares, figure(accurate, 1, 100.0), count(found.unscored)]


PRESET = Preset(label="R-Eval figure 5: response types", build=build)
