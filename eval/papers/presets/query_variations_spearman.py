"""query_variations_spearman: rank correlations of what a rewrite is with what becomes of its searches and its answer, by system
and kind, with n and p."""

from typing import Any

from eval.page import Cell, Page, Table, count, figure, words
from eval.preset import Preset
from eval.robustness.correlation import correlate_ranks
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
    "Spearman's rho over rewrites, p two-sided and not corrected. gap: in_accuracy of the rewrite less the original's. n/a: "
    "fewer than 3 pairs, or one of the two is the same everywhere.",
)


def build(study: Study) -> Page:
    heads = ["system", "repeat", "pair", "kind", "rho", "p", "n", "why none"]
    title = "Query variations: rank correlations"
    tables = [Table(f"{title}, {which}", heads, _lines(study, kept), NOTES) for which, kept in list_subsets(study).items()]
    return Page(title, tables, notes=list_notes(study))


def _lines(study: Study, kept: Any) -> list[list[Cell]]:
    lines = []
    for arm, runs in zip(study.arms, study.asked, strict=True):
        for number, run in enumerate(runs, 1):
            values = {name: MEASURES[name].values(run) for name in dict.fromkeys(name for pair in PAIRS for name in pair)}
            rows = kept[run.item] > 0
            for first, second in PAIRS:
                for kind in [*study.rewrites, REWRITES]:
                    chosen = rows & (run.is_rewrite if kind == REWRITES else run.kind == study.kinds[kind])
                    lines.append([words(arm.name), count(number), *_line(chosen, kind, first, second, values)])
    return lines


def _line(chosen: Any, kind: str, first: str, second: str, values: dict[str, Any]) -> list[Cell]:
    found = correlate_ranks(values[first][chosen], values[second][chosen])
    p = Cell("<0.001", found.p) if found.p is not None and found.p < 0.001 else figure(found.p)
    rho = Cell(NOT_AVAILABLE) if found.rho is None else figure(found.rho)
    pair = f"{MEASURES[first].label} ~ {MEASURES[second].label}"
    return [words(pair), words(kind), rho, Cell(NOT_AVAILABLE) if found.p is None else p, count(found.n), words(found.why)]


PRESET = Preset(label="Query variations: rank correlations", build=build, of="wordings")
