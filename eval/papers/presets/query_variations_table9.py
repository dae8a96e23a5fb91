"""query_variations_table9: flips by temperature, beside how often the very same words flip between two runs: what another
wording changes counts above that noise alone."""

from eval.page import Cell, Page, Table, count, words
from eval.preset import Preset
from eval.robustness.estimate import Estimate, estimate_figures
from eval.robustness.layout import COMPLETE, FigureRow, list_notes, list_subsets, make_estimate_cell
from eval.robustness.measures import MEASURES
from eval.robustness.repeats import compare_repeats
from eval.robustness.study import ITEMS, REWRITES, Study

ROW = FigureRow("", 100.0, 2)
NOTES = (
    "Hundredths. Between wordings: a rewrite searches where its original does not, or the other way round. Same words: two "
    "runs of one configuration differ on the same words; n/a with one run. Right or wrong: the same for correctness. Where a "
    "temperature was not set, it is what the prompt or the endpoint takes.",
)


def build(study: Study) -> Page:
    title = "Query variations: flips by temperature"
    human = ["human"] if "human" in study.kinds else []
    heads = [
        "system",
        "temperature",
        "runs",
        "flips between wordings",
        *(["flips, human"] if human else []),
        "items with a flip",
        "flips, same words",
        "right or wrong between wordings",
        "right or wrong, same words",
    ]
    tables = [
        Table(f"{title}, {which}", heads, _lines(study, human, which == COMPLETE), NOTES) for which in list_subsets(study)
    ]
    return Page(title, tables, notes=list_notes(study))


def _lines(study: Study, human: list[str], only_complete: bool) -> list[list[Cell]]:
    order = sorted(range(len(study.arms)), key=lambda arm: (_heat(study, arm) is not None, _heat(study, arm) or 0.0, arm))
    lines = []
    for arm in order:
        found = study.figures(arm, ["flip", "any_flip", "change"], only_complete=only_complete)
        same_act, same_right = _noise(study, arm, only_complete)
        heat = _heat(study, arm)
        cells = [
            found["flip", REWRITES],
            *(found["flip", kind] for kind in human),
            found["any_flip", ITEMS],
            same_act,
            found["change", REWRITES],
            same_right,
        ]
        lines.append(
            [
                words(study.arms[arm].name),
                words("not set" if heat is None else f"{heat:g}"),
                count(len(study.arms[arm].runs)),
                *(_with_interval(one) for one in cells),
            ]
        )
    return lines


def _heat(study: Study, arm: int) -> float | None:
    value = study.arms[arm].facts.get("temperature")
    return float(value) if isinstance(value, int | float) else None


def _noise(study: Study, arm: int, only_complete: bool) -> tuple[Estimate, Estimate]:
    """How often decision and correctness differ on the same words."""
    runs = list(study.asked[arm])
    decides = MEASURES["flip"].is_whole(runs[0])
    act = compare_repeats(runs, [run.act if decides else run.act * float("nan") for run in runs], MEASURES["flip"].why(runs[0]))
    both = [act, compare_repeats(runs, [run.correct for run in runs])]
    kept = [column.select_items(study.complete) for column in both] if only_complete else both
    one, other = estimate_figures([kept], study.seed, study.resamples)
    return one, other


def _with_interval(one: Estimate) -> Cell:
    made = make_estimate_cell(one, ROW)
    if one.mean is None or one.low is None or one.high is None:
        return made
    return Cell(f"{made.text} [{one.low * 100:.2f}, {one.high * 100:.2f}]", made.value)


PRESET = Preset(label="Query variations table 9: flips by temperature, with the noise floor", build=build, of="wordings")
