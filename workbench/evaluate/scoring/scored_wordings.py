"""Robustness of a predictions file whose lines say which question they are another wording of: the figures that stored runs
get, from the lines alone."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from eval.robustness.estimate import Estimate
from eval.robustness.layout import list_notes
from eval.robustness.measures import MEASURES
from eval.robustness.records import WordingRecord, read_lines
from eval.robustness.study import Arm, Study
from eval.scoring.predictions import Prediction
from workbench.evaluate.scoring.studied import MODEL, embed_lazily

NAME = "predictions"


def records_of(lines: Sequence[Prediction], language: str | None) -> list[WordingRecord]:
    """A record a line, none where no line has a parent and a kind. Raises BenchError where two lines are the original of one
    question, or a field cannot be read."""
    if not any(line.parent and line.kind for line in lines):
        return []
    return read_lines([replace(line, language=line.language or language) for line in lines])


def robustness(records: Sequence[WordingRecord], seed: int = 0) -> dict[str, Any]:
    """{"kinds", "items", "complete": items asked in every kind, "model", "seed", "resamples", "notes", "figures": {figure:
    {kind: {"mean", "low", "high", "n", "sd", "runs", "undefined", "why"?, "complete": the same over those items}}}}."""
    ordered = sorted(records, key=lambda record: record.repeat)
    repeats = [list(found) for _, found in groupby(ordered, key=lambda record: record.repeat)]
    study = Study([Arm(NAME, repeats)], embed_lazily(MODEL), model=MODEL, seed=seed)
    every = study.figures(0, list(MEASURES))
    whole = study.figures(0, list(MEASURES), only_complete=True) if study.n_complete else {}
    figures: dict[str, dict[str, Any]] = {}
    for (name, kind), one in every.items():
        own = _record(one) | ({"complete": _record(whole[name, kind])} if whole else {})
        figures.setdefault(name, {})[kind] = own
    return {
        "kinds": list(study.kinds),
        "items": len(study.items),
        "complete": study.n_complete,
        "model": MODEL,
        "seed": seed,
        "resamples": study.resamples,
        "notes": list_notes(study),
        "figures": figures,
    }


def _record(one: Estimate) -> dict[str, Any]:
    found = one._asdict()
    return found if one.mean is None else {name: value for name, value in found.items() if name != "why"}
