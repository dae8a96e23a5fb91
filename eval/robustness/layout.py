"""Lay out the query-variation study's tables: a row per system and measure, and a column per kind of wording, first over all
items, then over the items asked in all kinds of wording. The last table lists every value with its n, interval, deviation and
missing values."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from eval.figures.drawing import FigurePanel, Line, PlottedValue, draw_panels
from eval.page import Cell, Figure, Page, Table, figure, tabulate, words
from eval.preset import Preset
from eval.robustness.estimate import Estimate
from eval.robustness.measures import MEASURES, Measure
from eval.robustness.study import ITEMS, REWRITES, Study

NOT_AVAILABLE = "n/a"
ALL, COMPLETE = "all items", "items with all kinds"


class FigureRow(NamedTuple):
    """One row of a table: a measure and the display format of its values."""

    source: str | Measure
    """The measure of the row: the measure's name in MEASURES, or a Measure."""
    scale: float = 1.0
    """Factor by which displayed values are multiplied; 100 = they are in hundredths."""
    digits: int = 3

    @property
    def measure(self) -> Measure:
        return MEASURES[self.source] if isinstance(self.source, str) else self.source

    @property
    def name(self) -> str:
        """Return the name under which the measure's values are stored."""
        return self.source if isinstance(self.source, str) else self.source.label


ArmFigures = Mapping[tuple[str, str], Estimate]
"""A dict from (measure, kind of wording) to its Estimate, for one arm (a system's configuration)."""
FiguresByArm = Mapping[int, ArmFigures]
"""A dict from the index of an arm (a system's configuration) to its estimates."""


def list_rows_in_hundredths(*names: str) -> list[FigureRow]:
    return [FigureRow(name, 100.0, 1) for name in names]


def list_figure_rows(*names: str, digits: int = 3) -> list[FigureRow]:
    return [FigureRow(name, 1.0, digits) for name in names]


def list_subsets(study: Study) -> dict[str, Any]:
    """Return a dict from the name of each subset of items to an array with 1 for each item in the subset, else 0: all items
    and, if these are fewer, the items asked in all kinds of wording."""
    subsets = {ALL: study.complete * 0 + 1}
    return subsets | ({COMPLETE: study.complete} if 0 < study.n_complete < len(study.items) else {})


def collect_figures(study: Study, rows: Sequence[FigureRow], arms: Sequence[int] | None = None) -> dict[str, FiguresByArm]:
    """Return a dict from subset of items to a dict from arm (a system's configuration) to its estimates of the measures in
    `rows`."""
    sources, chosen = [row.source for row in rows], range(len(study.arms)) if arms is None else arms
    subsets = [(which, which == COMPLETE) for which in list_subsets(study)]
    return {which: {arm: study.figures(arm, sources, only_complete=only) for arm in chosen} for which, only in subsets}


def make_preset(
    label: str,
    title: str,
    rows: Sequence[FigureRow],
    notes: Sequence[str],
    drawn: Mapping[str, str] = {},
    is_low_good: bool = False,
) -> Preset:
    """Return a preset that shows the measures in `rows`; `drawn` is a dict from measure to the title of its figure, which is
    drawn if any rewrite has a value of the measure. If there are too many systems, those with the highest means (or, with
    `is_low_good`, the lowest means) are drawn."""

    def build(study: Study) -> Page:
        figures = collect_figures(study, rows)
        drawings = [
            draw_figure(drawn[row.name], study, row, figures[ALL], is_low_good=is_low_good)
            for row in rows
            if row.name in drawn and has_value(row, study, figures[ALL])
        ]
        return build_page(title, study, rows, notes=notes, drawings=drawings, figures=figures)

    return Preset(label=label, build=build, of="wordings")


def build_page(
    title: str,
    study: Study,
    rows: Sequence[FigureRow],
    *,
    notes: Sequence[str] = (),
    drawings: Sequence[Figure] = (),
    arms: Sequence[int] | None = None,
    figures: Mapping[str, FiguresByArm] | None = None,
) -> Page:
    """Return the page with the study's tables of the measures in `rows`, then a table with one row per value."""
    figures = collect_figures(study, rows, arms) if figures is None else figures
    of_wordings = [row for row in rows if row.measure.at != "item"]
    of_items = [row for row in rows if row.measure.at == "item"]
    tables = []
    for which, by_arm in figures.items():
        name = f"{title}, {which}"
        tables += [tabulate_kinds(name, study, of_wordings, by_arm, notes)] if of_wordings else []
        tables += [_tabulate_items(f"{name}, each as a whole", study, of_items, by_arm)] if of_items else []
    return Page(title, [*tables, tabulate_all(study, rows, figures)], figures=drawings, notes=list_notes(study))


def tabulate_kinds(
    title: str, study: Study, rows: Sequence[FigureRow], by_arm: FiguresByArm, notes: Sequence[str] = ()
) -> Table:
    """Return a table of measures with a row per arm (a system's configuration) and measure, and a column per kind of
    wording."""
    heads = list_columns(study, rows)
    lines = []
    for arm, figures in by_arm.items():
        for row in rows:
            cells = (make_estimate_cell(figures.get((row.name, kind)), row) for kind in heads)
            lines.append([words(study.arms[arm].name), words(row.measure.label), *cells])
    return Table(title, ["system", "figure", *heads], lines, notes)


def _tabulate_items(title: str, study: Study, rows: Sequence[FigureRow], by_arm: FiguresByArm) -> Table:
    """Return a table of the measures that are computed per item, with a row per arm (a system's configuration) and a column per
    measure."""
    records = [
        {
            "system": study.arms[arm].name,
            **{row.measure.label: make_estimate_cell(figures[row.name, ITEMS], row) for row in rows},
        }
        for arm, figures in by_arm.items()
    ]
    return tabulate(title, records)


def list_columns(study: Study, rows: Sequence[FigureRow]) -> list[str]:
    """Return the kinds of wording for which at least one of the measures can have values."""
    at = {row.measure.at for row in rows}
    kinds = (["original"] if "wording" in at else []) + ([*study.rewrites, REWRITES] if at & {"wording", "rewrite"} else [])
    return kinds + ([ITEMS] if "item" in at else [])


def tabulate_all(study: Study, rows: Sequence[FigureRow], figures: Mapping[str, FiguresByArm]) -> Table:
    """Return a table with one line per estimate, on the measure's own scale."""
    records = []
    for which, by_arm in figures.items():
        for arm, own in by_arm.items():
            for row in rows:
                for kind in list_columns(study, [row]):
                    estimate = own[row.name, kind]
                    head = {"system": study.arms[arm].name, "figure": row.measure.label, "kind": kind, "over": which}
                    means = {name: figure(getattr(estimate, name), 4) for name in ("mean", "low", "high", "sd")}
                    counts = {"n": estimate.n, "runs": estimate.runs, "undefined": estimate.undefined}
                    records.append({**head, **means, **counts, "why none": estimate.why})
    note = (
        "low and high: 95 % bootstrap interval, resampled by item. sd: sample deviation of the runs' means. undefined: "
        "number of answers without a value; failed answers are in no figure."
    )
    return tabulate("Every figure", records, [note])


def make_estimate_cell(estimate: Estimate | None, row: FigureRow) -> Cell:
    """Return a cell with the estimate's mean and its standard deviation over repeated runs: "n/a" if the mean is undefined, ""
    if there is no estimate."""
    if estimate is None:
        return Cell("")
    if estimate.mean is None:
        return Cell(NOT_AVAILABLE)
    cell = figure(estimate.mean, row.digits, row.scale)
    return cell if estimate.sd is None else Cell(f"{cell.text} ± {estimate.sd * row.scale:.{row.digits}f}", cell.value)


def draw_figure(title: str, study: Study, row: FigureRow, by_arm: FiguresByArm, is_low_good: bool = False) -> Figure:
    """Return a figure of one measure, with kinds of wording on the axis and a line per system."""
    axis = [kind for kind in list_columns(study, [row]) if kind not in (REWRITES, ITEMS)]
    lines: list[Line] = [
        (study.arms[arm].name, [PlottedValue.from_interval(figures[row.name, kind], row.scale) for kind in axis])
        for arm, figures in by_arm.items()
    ]
    top = find_axis_end([value for _, values in lines for value in values])
    svg = draw_panels([FigurePanel(title, axis, lines)], across=1, top=top, is_low_good=is_low_good)
    return Figure(title, svg, ["Upright lines are 95 % bootstrap intervals over items."])


def has_value(row: FigureRow, study: Study, by_arm: FiguresByArm) -> bool:
    """Check whether any system has a value of the measure for any rewrite."""
    return any(figures[row.name, kind].mean is not None for figures in by_arm.values() for kind in study.rewrites)


def find_axis_end(values: Sequence[PlottedValue]) -> float:
    """Return a round number for the upper end of the axis, so that every value and interval fits."""
    most = max((end for spot in values for end in (spot.value, spot.high) if end is not None), default=1.0)
    steps = [factor * 10.0**power for power in range(-3, 7) for factor in (1, 2, 4, 8)]
    return next((step for step in steps if step >= most), most)


def list_notes(study: Study) -> list[str]:
    """Return the notes that are shown before the study's tables: source, items, failures."""
    notes = list(study.notes)
    for number, arm in enumerate(study.arms):
        failed = study.count_failures(number)
        if failed:
            parts = ", ".join(f"{kind} {failed[kind]}" for kind in study.kinds if failed[kind])
            total = sum(len(run.asked) for run in study.layouts[number])
            n = sum(failed.values())
            notes.append(f"{arm.name}: {n} of {total} answers failed ({parts}); they are missing, not wrong.")
    total, whole = len(study.items), study.n_complete
    if whole == total:
        notes.append(f"All {total} items were asked with every kind of question variant.")
    elif whole:
        were = "was" if whole == 1 else "were"
        notes.append(
            f"{whole} of {total} items {were} asked with every kind of question variant, and have tables of their own."
        )
    else:
        notes.append(
            f"None of the {total} items was asked with every kind of question variant, so there is no table of such items."
        )
    return [*notes, f"Seed {study.seed}, {study.resamples:,} resamples."]
