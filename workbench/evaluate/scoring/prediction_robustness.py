"""Measure how robust systems are to other wordings of a question, from a predictions file in which lines name their original
question. The results have the same form as for stored runs, but are computed only from the lines of the file."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from core.as_json import Json
from eval.robustness.estimate import Estimate
from eval.robustness.layout import list_notes
from eval.robustness.measures import MEASURES
from eval.robustness.records import WordingRecord, read_lines
from eval.robustness.study import Arm, Study
from eval.scoring.predictions import Prediction
from workbench.evaluate.scoring.studies import DEFAULT_MODEL, embed_lazily


def list_records(lines: Sequence[Prediction], language: str | None) -> list[WordingRecord]:
    """Return the lines as records of wordings; an empty list if no line names its original question and its kind of rewording.
    Raises BenchError if two lines are the original of one question, or if a field cannot be read."""
    if not any(line.parent and line.kind for line in lines):
        return []
    return read_lines([replace(line, language=line.language or language) for line in lines])


def measure_robustness(records: Sequence[WordingRecord], seed: int = 0) -> dict[str, Json]:
    """Return the robustness results of the records of wordings, as JSON values.

    {"kinds", "items", "complete": items asked in every kind, "model", "seed", "resamples", "notes", "figures": {figure: {kind:
    {"mean", "low", "high", "n", "sd", "runs", "undefined", "why"?, "complete": the same over the complete items}}}}."""
    ordered = sorted(records, key=lambda record: record.repeat)
    repeats = [list(group) for _, group in groupby(ordered, key=lambda record: record.repeat)]
    study = Study([Arm("predictions", repeats)], embed_lazily(DEFAULT_MODEL), model=DEFAULT_MODEL, seed=seed)
    complete = study.figures(0, list(MEASURES), only_complete=True) if study.n_complete else {}
    figures: dict[str, dict[str, Json]] = {}
    for (name, kind), estimate in study.figures(0, list(MEASURES)).items():
        of_complete = {"complete": _build_record(complete[name, kind])} if complete else {}
        figures.setdefault(name, {})[kind] = {**_build_record(estimate), **of_complete}
    return {
        "kinds": list(study.kinds),
        "items": len(study.items),
        "complete": study.n_complete,
        "model": DEFAULT_MODEL,
        "seed": seed,
        "resamples": study.resamples,
        "notes": list_notes(study),
        "figures": figures,
    }


def _build_record(estimate: Estimate) -> dict[str, Json]:
    return {name: value for name, value in estimate._asdict().items() if name != "why" or estimate.mean is None}
