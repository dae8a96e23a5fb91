"""r_eval_fig4: ratio of a system's mean reward to a reference system's mean reward on the same questions, at each level of each
domain, as a radar with a forest plot beside it. The reference is the first run, or the run that the setting `reference` names;
if its mean is 0, there is no ratio."""

from collections.abc import Sequence
from statistics import fmean

from core.errors import BenchError
from eval.figures.drawing import MAX_LINES, PlottedValue
from eval.figures.radar import draw_radar_and_forest, find_scale_end
from eval.page import Figure, Page, figure, interval_cell, interval_cells, tabulate, words
from eval.papers.matching import average_reward, check_rewards, list_cells, measure_ratio, select_cell
from eval.papers.season import list_season_notes
from eval.preset import Preset
from eval.reports.report import Report

MAX_RATIO = 4.0
"""Upper end of the radar's scale, as a multiple of the reference's reward; larger ratios are shown only as numbers."""
TITLE = "R-Eval: matching against a reference"


def build(report: Report, reference: str = "") -> Page:
    """Return the page of R-Eval's figure 4; `reference` is a run's id or the beginning of one. Raises BenchError if no answer
    has R-Eval's reward, if the runs are of several seasons (releases), or if the reference is not one of the runs."""
    check_rewards(report)
    place = _find_reference(report, str(reference))
    cells, name_of_reference = list_cells(report), report.names[place]
    curves, labels, records = [], [], []
    for name, rows in zip(report.names, report.rows, strict=True):
        values, words_beside = [], []
        for cell in cells:
            own = select_cell(rows, cell)
            ratio, plain = measure_ratio(report, own, select_cell(report.rows[place], cell)), average_reward(report, own)
            values.append(PlottedValue.from_interval(ratio))
            words_beside.append(ratio.why if ratio.mean is None else f"{interval_cell(ratio, 2).text} n={ratio.n}")
            records.append(
                {
                    "domain": cell.domain,
                    "level": words(cell.level or "none"),
                    "system": name,
                    "n": ratio.n,
                    **interval_cells("ratio", ratio),
                    "reward": figure(plain.mean, 1, 100),
                    "n of the reward": plain.n,
                    "why not": ratio.why,
                }
            )
        curves.append((name, values))
        labels.append(words_beside)
    tables = [tabulate(f"Ratio to {name_of_reference}; reward in hundredths", records)]
    notes = list_season_notes(report)
    every = [value for _, values in curves for value in values]
    if all(value.value is None for value in every):
        none = f"No ratio to {name_of_reference} is known, so nothing is drawn: take another reference, one with a reward "
        return Page(TITLE, tables, [], [f"{none}above 0.", *notes])
    drawn = _choose_curves([values for _, values in curves], place)
    svg = draw_radar_and_forest(
        [cell.label for cell in cells],
        [curves[n] for n in drawn],
        [labels[n] for n in drawn],
        find_scale_end(every, 1.0, MAX_RATIO),
        1.0,
    )
    captions = [
        f"Mean reward divided by that of {name_of_reference}, on the questions that both answered; the dashed line is 1, the "
        "reference's own level. Lines are 95 % bootstrap intervals of the ratio. If the reference's mean is 0, there is no "
        "ratio and no line."
    ]
    if left_out := len(curves) - len(drawn):
        captions.append(f"Not drawn: {left_out} more without a higher mean ratio. The table has all.")
    return Page(TITLE, tables, [Figure(TITLE, svg, captions)], notes)


def _choose_curves(curves: Sequence[Sequence[PlottedValue]], reference: int) -> list[int]:
    """Return the indexes of the curves to draw in colour: the reference, and those with the highest mean ratios, in order."""

    def average(number: int) -> float:
        values = [value.value for value in curves[number] if value.value is not None]
        return fmean(values) if values else -1.0

    others = sorted((n for n in range(len(curves)) if n != reference), key=average, reverse=True)
    return sorted([reference, *others[: MAX_LINES - 1]])


def _find_reference(report: Report, reference: str) -> int:
    ids = [result.run.id for result in report.results]
    places = [place for place, id_ in enumerate(ids) if id_.startswith(reference)] if reference else [0]
    if len(places) != 1:
        raise BenchError(
            f"The reference {reference!r} matches {'several' if places else 'none'} of these runs: give one of the "
            f"run ids {', '.join(id_[:8] for id_ in ids)}."
        )
    return places[0]


PRESET = Preset(label="R-Eval figure 4: matching against a reference", build=build, settings={"reference": ""})
