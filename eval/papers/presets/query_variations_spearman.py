"""query_variations_spearman: rank correlations between features of a rewrite (such as its similarity to the original) and
changes in its searches and answer, by system and kind of wording, with n and p."""

from typing import Any

from eval.page import Cell, Page, Record, figure, tabulate
from eval.preset import Preset
from eval.robustness.formulas import correlate_ranks
from eval.robustness.layout import NOT_AVAILABLE, list_notes, list_subsets
from eval.robustness.measures import MEASURES
from eval.robustness.study import REWRITES, Study

PAIRS = (
    ("query_loss", "search_similarity"),
    ("query_tokens", "search_similarity"),
    ("query_words", "search_similarity"),
    ("search_similarity", "collapse"),
    ("search_similarity", "retrieval_failure"),
    ("retrieval_failure", "gap"),
)
NOTES = (
    "Spearman's rho over rewrites, p two-sided and not corrected. gap: in_accuracy of the rewrite minus in_accuracy of the "
    "original. n/a: "
    "fewer than 3 pairs, or one of the two values is the same everywhere.",
)


def build(study: Study) -> Page:
    title = "Query variations: rank correlations"
    subsets = list_subsets(study).items()
    tables = [tabulate(f"{title}, {which}", _list_records(study, selected), NOTES) for which, selected in subsets]
    return Page(title, tables, notes=list_notes(study))


def _list_records(study: Study, selected: Any) -> list[Record]:
    records = []
    for arm, runs in zip(study.arms, study.layouts, strict=True):
        for number, run in enumerate(runs, 1):
            values = {name: MEASURES[name].values(run) for name in dict.fromkeys(name for pair in PAIRS for name in pair)}
            for first, second in PAIRS:
                for kind in [*study.rewrites, REWRITES]:
                    is_of_kind = run.is_rewrite if kind == REWRITES else run.kind == study.kinds[kind]
                    rows = (selected[run.item] > 0) & is_of_kind
                    figures = _correlate(values[first][rows], values[second][rows])
                    pair = f"{MEASURES[first].label} ~ {MEASURES[second].label}"
                    records.append({"system": arm.name, "repeat": number, "pair": pair, "kind": kind, **figures})
    return records


def _correlate(x: Any, y: Any) -> Record:
    rho, p, n, why = correlate_ranks(x, y)
    return {
        "rho": Cell(NOT_AVAILABLE) if rho is None else figure(rho),
        "p": Cell(NOT_AVAILABLE) if p is None else Cell("<0.001", p) if p < 0.001 else figure(p),
        "n": n,
        "why none": why,
    }


PRESET = Preset(label="Query variations: rank correlations", build=build, of="wordings")
