"""r_eval_fig4: matching as a ratio to a reference system on the same questions, at each level of each domain, as a radar with
its forest plot beside it. The reference is the run named first, or the one that is set; where it has 0 there is no ratio."""

from collections.abc import Sequence
from statistics import fmean

from core.errors import BenchError
from eval.figures.drawing import MAX_LINES as CURVES
from eval.figures.drawing import PlottedValue
from eval.figures.radar import draw_radar_and_forest, find_scale_end
from eval.page import Figure, Page, Table, count, figure, words
from eval.papers.matching import Matched, average_reward, check_rewards, list_cells, measure_ratio, select_cell
from eval.papers.season import describe_other_rows
from eval.preset import Preset
from eval.reports.layout import list_notes, name_results
from eval.reports.report import Report

MAX_RATIO = 4.0
"""Times the reference, where the scale ends; what lies beyond is told in figures."""
TITLE = "R-Eval: matching against a reference"


def build(report: Report, reference: str = "") -> Page:
    """`reference` = a run's id or its beginning. Raises BenchError when no answer has R-Eval's reward, the runs are of several
    seasons, or the reference is none of them."""
    check_rewards(report)
    of = _place(report, str(reference))
    cells, names = list_cells(report), name_results(report.results)
    curves, notes, lines = [], [], []
    for name, rows in zip(names, report.rows, strict=True):
        places, told = [], []
        for cell in cells:
            own, other = select_cell(rows, cell), select_cell(report.rows[of], cell)
            found = measure_ratio(report, own, other)
            places.append(PlottedValue(found.value, found.low, found.high))
            told.append(_format_match(found))
            plain = average_reward(report, own)
            lines.append(
                [
                    words(cell.domain),
                    words(cell.level or "none"),
                    words(name),
                    count(found.n),
                    *(figure(end, 3) for end in (found.value, found.low, found.high)),
                    figure(plain.value, 1, 100),
                    count(plain.n),
                    words(found.why),
                ]
            )
        curves.append((name, places))
        notes.append(told)
    top = find_scale_end([place for _, places in curves for place in places], 1.0, MAX_RATIO)
    shown = _choose_curves([places for _, places in curves], of)
    drawn = draw_radar_and_forest(
        [cell.label for cell in cells], [curves[n] for n in shown], [notes[n] for n in shown], top, 1.0
    )
    said = [
        f"Mean reward over that of {names[of]} on the questions that both answered; the dashed line is 1, as good as it. "
        "Lines are 95 % bootstrap intervals of the ratio. Where the reference has 0 there is no ratio, nothing is drawn."
    ]
    if left := len(curves) - len(shown):
        said.append(f"Not drawn: {left} more without a higher mean ratio. The table holds all.")
    heads = ["domain", "level", "system", "n", "ratio", "low", "high", "reward", "n of the reward", "why not"]
    tables = [Table(f"Times {names[of]}; reward in hundredths", heads, lines)]
    known = [*list_notes(report), *describe_other_rows(report)]
    if not any(place.value is not None for places in (curve[1] for curve in curves) for place in places):
        none = f"No ratio to {names[of]} is known, so that nothing is drawn: take another reference, one with a reward above 0."
        return Page(TITLE, tables, [], [none, *known])
    return Page(TITLE, tables, [Figure(TITLE, drawn, said)], known)


def _choose_curves(curves: Sequence[Sequence[PlottedValue]], of: int) -> list[int]:
    """Which curves have a colour: the reference, and of the others those with the highest mean ratios, in their order."""

    def mean(number: int) -> float:
        values = [place.value for place in curves[number] if place.value is not None]
        return fmean(values) if values else -1.0

    others = sorted((n for n in range(len(curves)) if n != of), key=mean, reverse=True)
    return sorted([of, *others[: CURVES - 1]])


def _format_match(found: Matched) -> str:
    if found.value is None:
        return found.why
    interval = "" if found.low is None or found.high is None else f" [{found.low:.2f}, {found.high:.2f}]"
    return f"{found.value:.2f}{interval} n={found.n}"


def _place(report: Report, reference: str) -> int:
    ids = [result.run.id for result in report.results]
    found = [place for place, id_ in enumerate(ids) if id_.startswith(reference)] if reference else [0]
    if len(found) != 1:
        raise BenchError(
            f"The reference {reference!r} is {'several' if found else 'none'} of these runs: give the id of one "
            f"of {', '.join(id_[:8] for id_ in ids)}."
        )
    return found[0]


PRESET = Preset(label="R-Eval figure 4: matching against a reference", build=build, settings={"reference": ""})
