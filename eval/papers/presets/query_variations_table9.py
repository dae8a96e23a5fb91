"""query_variations_table9: how often another wording changes the decision to search or the correctness of the answer, by
temperature, beside how often these change between two runs on the same wording, which is the noise floor."""

from eval.page import Cell, Page, Record, interval_cell, tabulate
from eval.preset import Preset
from eval.robustness.estimate import Estimate, estimate_figures
from eval.robustness.layout import COMPLETE, NOT_AVAILABLE, list_notes, list_subsets
from eval.robustness.measures import MEASURES
from eval.robustness.study import ITEMS, REWRITES, Study, compare_repeats

NOTES = (
    "Hundredths. Between wordings: a rewrite searches where its original does not, or the other way round. Same words: two "
    "runs of one configuration differ on the same words; n/a with one run. Right or wrong: the same for correctness. If no "
    "temperature was set, it is the default of the prompt or the endpoint.",
)


def build(study: Study) -> Page:
    title = "Query variations: flips by temperature"
    tables = [tabulate(f"{title}, {which}", _list_records(study, which == COMPLETE), NOTES) for which in list_subsets(study)]
    return Page(title, tables, notes=list_notes(study))


def _list_records(study: Study, only_complete: bool) -> list[Record]:
    records: list[tuple[float | None, Record]] = []
    for number, arm in enumerate(study.arms):
        value = arm.facts.get("temperature")
        temperature = float(value) if isinstance(value, int | float) else None
        figures = study.figures(number, ["flip", "any_flip", "change"], only_complete=only_complete)
        same_act, same_right = _measure_noise(study, number, only_complete)
        estimates = {
            "flips between wordings": figures["flip", REWRITES],
            **({"flips, human": figures["flip", "human"]} if "human" in study.kinds else {}),
            "items with a flip": figures["any_flip", ITEMS],
            "flips, same words": same_act,
            "right or wrong between wordings": figures["change", REWRITES],
            "right or wrong, same words": same_right,
        }
        head = {"system": arm.name, "temperature": "not set" if temperature is None else f"{temperature:g}"}
        cells = {name: _make_cell(estimate) for name, estimate in estimates.items()}
        records.append((temperature, {**head, "runs": len(arm.runs), **cells}))
    return [record for _, record in sorted(records, key=lambda pair: (pair[0] is not None, pair[0] or 0.0))]


def _measure_noise(study: Study, arm: int, only_complete: bool) -> tuple[Estimate, Estimate]:
    runs, flip = study.layouts[arm], MEASURES["flip"]
    decides = 1.0 if flip.is_whole(runs[0]) else float("nan")
    decisions = compare_repeats(runs, [run.act * decides for run in runs], flip.explain(runs[0]))
    columns = [decisions, compare_repeats(runs, [run.correct for run in runs])]
    selected = [column.select_items(study.complete) for column in columns] if only_complete else columns
    act, right = estimate_figures([selected], study.seed, study.resamples)
    return act, right


def _make_cell(estimate: Estimate) -> Cell:
    if estimate.mean is None:
        return Cell(NOT_AVAILABLE)
    cell = interval_cell(estimate._replace(low=None), 2, 100)
    deviation = "" if estimate.sd is None else f" ± {estimate.sd * 100:.2f}"
    ends = "" if estimate.low is None or estimate.high is None else f" [{estimate.low * 100:.2f}, {estimate.high * 100:.2f}]"
    return Cell(f"{cell.text}{deviation}{ends}", cell.value)


PRESET = Preset(label="Query variations table 9: flips by temperature, with the noise floor", build=build, of="wordings")
