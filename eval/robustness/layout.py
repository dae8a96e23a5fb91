"""What the query-variation tables share: a row per system and figure, a column per kind of wording, once over all items and
once over those that have all kinds; then every figure by itself, with its n, interval, deviation and what it lacks."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from eval.figures.drawing import FigurePanel, PlottedValue, draw_panels
from eval.page import Cell, Figure, Page, Table, count, figure, words
from eval.robustness.estimate import Estimate
from eval.robustness.measures import MEASURES, Measure
from eval.robustness.study import ITEMS, REWRITES, Study

NOT_AVAILABLE = "n/a"
ALL, COMPLETE = "all items", "items with all kinds"


class FigureRow(NamedTuple):
    """One figure as its table prints it."""

    measure: str | Measure
    scale: float = 1.0
    """100 = in hundredths."""
    digits: int = 3


ArmFigures = Mapping[tuple[str, str], Estimate]


def list_rows_in_hundredths(*names: str) -> list[FigureRow]:
    return [FigureRow(name, 100.0, 1) for name in names]


def list_figure_rows(*names: str, digits: int = 3) -> list[FigureRow]:
    return [FigureRow(name, 1.0, digits) for name in names]


def list_subsets(study: Study) -> dict[str, Any]:
    """Which items -> 1 for each of them, else 0; the second set only where it is another than the first and not empty."""
    found = {ALL: study.complete * 0 + 1}
    return found | ({COMPLETE: study.complete} if 0 < study.n_complete < len(study.items) else {})


def collect_figures(
    study: Study, rows: Sequence[FigureRow], arms: Sequence[int] | None = None
) -> dict[str, dict[int, ArmFigures]]:
    """Which items -> arm -> its figures."""
    chosen = range(len(study.arms)) if arms is None else arms
    wanted = [row.measure for row in rows]
    return {
        which: {arm: study.figures(arm, wanted, only_complete=which == COMPLETE) for arm in chosen}
        for which in list_subsets(study)
    }


def build_page(
    title: str,
    study: Study,
    rows: Sequence[FigureRow],
    *,
    notes: Sequence[str] = (),
    figures: Sequence[Figure] = (),
    arms: Sequence[int] | None = None,
    found: Mapping[str, Mapping[int, ArmFigures]] | None = None,
    deviation: bool = True,
) -> Page:
    """The paper's tables of those figures, then the figures one by one."""
    made = collect_figures(study, rows, arms) if found is None else found
    of_wordings = [row for row in rows if _measure(row).at != "item"]
    of_items = [row for row in rows if _measure(row).at == "item"]
    tables = []
    for which, by_arm in made.items():
        tables += [build_kind_table(f"{title}, {which}", study, of_wordings, by_arm, notes, deviation)] if of_wordings else []
        tables += (
            [build_item_table(f"{title}, {which}, each as a whole", study, of_items, by_arm, deviation)] if of_items else []
        )
    return Page(title, [*tables, build_full_table(study, rows, made)], figures=figures, notes=list_notes(study))


def build_kind_table(
    title: str,
    study: Study,
    rows: Sequence[FigureRow],
    by_arm: Mapping[int, ArmFigures],
    notes: Sequence[str] = (),
    deviation: bool = True,
) -> Table:
    """A row per arm and figure."""
    heads = list_columns(study, rows)
    lines = [
        [
            words(study.arms[arm].name),
            words(get_label(row)),
            *(make_estimate_cell(found.get((get_name(row), kind)), row, deviation) for kind in heads),
        ]
        for arm, found in by_arm.items()
        for row in rows
    ]
    return Table(title, ["system", "figure", *heads], lines, notes)


def build_item_table(
    title: str, study: Study, rows: Sequence[FigureRow], by_arm: Mapping[int, ArmFigures], deviation: bool = True
) -> Table:
    """A row an arm, a column a figure of whole items."""
    lines = [
        [words(study.arms[arm].name), *(make_estimate_cell(found[get_name(row), ITEMS], row, deviation) for row in rows)]
        for arm, found in by_arm.items()
    ]
    return Table(title, ["system", *(get_label(row) for row in rows)], lines)


def list_columns(study: Study, rows: Sequence[FigureRow]) -> list[str]:
    """The kinds that any of the figures has."""
    at = {_measure(row).at for row in rows}
    kinds = (["original"] if "wording" in at else []) + ([*study.rewrites, REWRITES] if at & {"wording", "rewrite"} else [])
    return kinds + ([ITEMS] if "item" in at else [])


def build_full_table(study: Study, rows: Sequence[FigureRow], made: Mapping[str, Mapping[int, ArmFigures]]) -> Table:
    """One line a figure, in its own scale."""
    lines = []
    for which, by_arm in made.items():
        for arm, found in by_arm.items():
            for row in rows:
                for kind in list_columns(study, [row]):
                    one = found[get_name(row), kind]
                    lines.append(
                        [
                            words(study.arms[arm].name),
                            words(get_label(row)),
                            words(kind),
                            words(which),
                            figure(one.mean, 4),
                            figure(one.low, 4),
                            figure(one.high, 4),
                            figure(one.sd, 4),
                            count(one.n),
                            count(one.runs),
                            count(one.undefined),
                            words(one.why),
                        ]
                    )
    notes = [
        "low and high: 95 % bootstrap interval, items drawn whole. sd: sample deviation of the runs' means. undefined: "
        "answered, and without a value; failed answers are in no figure."
    ]
    heads = ["system", "figure", "kind", "over", "mean", "low", "high", "sd", "n", "runs", "undefined", "why none"]
    return Table("Every figure", heads, lines, notes)


def make_estimate_cell(one: Estimate | None, row: FigureRow, deviation: bool = True) -> Cell:
    """The mean, with its deviation over repeats; n/a for none, and nothing where the figure has no such column."""
    if one is None:
        return Cell("")
    if one.mean is None:
        return Cell(NOT_AVAILABLE)
    made = figure(one.mean, row.digits, row.scale)
    if one.sd is None or not deviation:
        return made
    return Cell(f"{made.text} ± {one.sd * row.scale:.{row.digits}f}", made.value)


def draw_figure(
    title: str, study: Study, row: FigureRow, by_arm: Mapping[int, ArmFigures], note: str = "", is_low_good: bool = False
) -> Figure:
    """Kinds on the axis, a line a system; of many those with the highest means, with `is_low_good` the lowest."""
    axis = [kind for kind in list_columns(study, [row]) if kind not in (REWRITES, ITEMS)]
    name = get_name(row)
    lines = [
        (study.arms[arm].name, [plot_estimate(found[name, kind], row.scale) for kind in axis]) for arm, found in by_arm.items()
    ]
    notes = [note or "Upright lines are 95 % bootstrap intervals over items."]
    return Figure(
        title,
        draw_panels([FigurePanel(title, axis, lines)], across=1, top=find_axis_end([lines]), is_low_good=is_low_good),
        notes,
    )


def has_value(row: FigureRow, study: Study, by_arm: Mapping[int, ArmFigures]) -> bool:
    """Whether any system has a value of it on any rewrite."""
    return any(found[get_name(row), kind].mean is not None for found in by_arm.values() for kind in study.rewrites)


def plot_estimate(one: Estimate, scale: float = 1.0) -> PlottedValue:
    def scale_value(value: float | None) -> float | None:
        return None if value is None else value * scale

    return PlottedValue(scale_value(one.mean), scale_value(one.low), scale_value(one.high))


def find_axis_end(groups: Sequence[Sequence[tuple[str, Sequence[PlottedValue]]]]) -> float:
    """A round end of the axis that holds every value and interval."""
    places = [one for lines in groups for _, own in lines for one in own]
    most = max((end for one in places for end in (one.value, one.high) if end is not None), default=1.0)
    steps = [factor * 10.0**power for power in range(-3, 7) for factor in (1, 2, 4, 8)]
    return next((step for step in sorted(steps) if step >= most), most)


def list_notes(study: Study) -> list[str]:
    """What a reader must know before the figures: whose they are, over which items, what failed."""
    found = list(study.notes)
    for number, arm in enumerate(study.arms):
        failed = study.count_failures(number)
        if failed:
            parts = ", ".join(f"{kind} {failed[kind]}" for kind in study.kinds if failed[kind])
            asked = sum(len(run.asked) for run in study.asked[number])
            found.append(
                f"{arm.name}: {sum(failed.values())} of {asked} answers failed ({parts}); they are missing, not wrong."
            )
    total, whole = len(study.items), study.n_complete
    if whole == total:
        found.append(f"All {total} items were asked in every kind of wording.")
    elif whole:
        found.append(
            f"{whole} of {total} items {'was' if whole == 1 else 'were'} asked in every kind of wording, and "
            "stand in tables of their own."
        )
    else:
        found.append(f"None of the {total} items was asked in every kind of wording, so there is no table of such items.")
    return [*found, f"Seed {study.seed}, {study.resamples:,} resamples."]


def get_name(row: FigureRow) -> str:
    return row.measure if isinstance(row.measure, str) else row.measure.label


def get_label(row: FigureRow) -> str:
    return _measure(row).label


def _measure(row: FigureRow) -> Measure:
    return MEASURES[row.measure] if isinstance(row.measure, str) else row.measure
