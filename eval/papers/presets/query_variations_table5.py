"""query_variations_table5: the searches of one question and of one of its rewrites side by side, hop by hop, for each system:
what was asked, what was found, and how alike the two are; under it the means over all items.

item   the item; "" = the one whose searches a rewrite leads farthest astray, those first that it makes wrong
kind   kind of the rewrite; "" = any"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from core.errors import BenchError
from eval.page import DASH, Cell, Page, Table, count, figure, words
from eval.preset import Preset
from eval.robustness.layout import NOT_AVAILABLE, build_page, list_figure_rows
from eval.robustness.records import ORIGINAL, WordingRecord
from eval.robustness.study import Study
from eval.robustness.trajectories import measure_collapse
from eval.robustness.trajectory import HopSide, TrajectoryPair, compare_trajectories

MAX_NAMED_DOCUMENTS = 5
"""Documents that are named of a hop."""
HEADS = ("hop", "original asks", "finds", "gold", "rewrite asks", "finds", "gold", "similarity", "overlap")
NOTES = (
    "similarity: cosine of the two queries. overlap: documents that both found, of all that either found. gold: whether a "
    "document that holds the item's evidence was found. MSS is the mean similarity over the hops that both have.",
)


class _Found(NamedTuple):
    """A question and a rewrite of it, as one system answered both."""

    original: WordingRecord
    rewrite: WordingRecord

    @property
    def order(self) -> tuple[bool, float, str, str, str]:
        """What the rewrite makes wrong first, then what it leads farthest from the original's documents."""
        breaks = self.original.correct == 1.0 and self.rewrite.correct == 0.0
        apart = measure_collapse(*([hop.documents for hop in record.hops or ()] for record in self))
        return not breaks, -(apart or 0.0), self.rewrite.item, self.rewrite.kind, self.rewrite.variant or ""


def build(study: Study, item: str = "", kind: str = "") -> Page:
    """Raises BenchError when no system searched for such a question and a rewrite of it."""
    found = {arm: list(_pairs(study, arm, item, kind)) for arm in range(len(study.arms))}
    every = sorted(pair.order for pairs in found.values() for pair in pairs)
    if not every:
        asked = " ".join(filter(None, ["of", kind and f"the kind {kind}", item and f"the item {item}"])) if item or kind else ""
        raise BenchError(
            f"None of these runs searched for a question and for a rewrite of it {asked}".rstrip()
            + ": choose runs of a system that searches, with --variants, or another item or kind."
        )
    wanted = every[0][2:]
    tables = []
    for arm, pairs in found.items():
        chosen = next((pair for pair in pairs if pair.order[2:] == wanted), None)
        if chosen:
            tables.append(_table(study, study.arms[arm].name, chosen))
    title = "Query variations: one question's searches"
    page = build_page(title, study, list_figure_rows("search_similarity", "retrieval_failure", "collapse"))
    return replace(page, tables=[*tables, *page.tables])


def _pairs(study: Study, arm: int, item: str, kind: str) -> Iterator[_Found]:
    """Of the first run of an arm, the originals that searched, each with every rewrite that did."""
    run = study.asked[arm][0]
    own = [record for record in run.asked if record.hops and item in ("", record.item)]
    originals = {record.item: record for record in own if record.kind == ORIGINAL}
    for record in own:
        if record.kind != ORIGINAL and kind in ("", record.kind) and record.item in originals:
            yield _Found(originals[record.item], record)


def _table(study: Study, name: str, pair: _Found) -> Table:
    made = compare_trajectories(study, pair.original, pair.rewrite)
    lines: list[Sequence[Cell]] = [
        [words("question"), words(pair.original.query), Cell(""), Cell(""), words(pair.rewrite.query), *[Cell("")] * 4]
    ]
    for number, hop in enumerate(made.hops, 1):
        lines.append(
            [
                count(number),
                *_side(hop.original, study.titles),
                *_side(hop.rewrite, study.titles),
                figure(hop.similarity, 2),
                figure(hop.overlap, 2),
            ]
        )
    lines.append(
        [
            words("answer"),
            words(pair.original.answer),
            Cell(""),
            words(_format_correctness(pair.original)),
            words(pair.rewrite.answer),
            Cell(""),
            words(_format_correctness(pair.rewrite)),
            Cell(""),
            Cell(""),
        ]
    )
    title = f"{name}: item {pair.original.item}, original and {pair.rewrite.kind}"
    return Table(title, HEADS, lines, [_sums(made), *NOTES])


def _side(side: HopSide | None, titles: Mapping[str, str]) -> list[Cell]:
    if side is None:
        return [words(DASH), words(DASH), words(DASH)]
    named = [titles.get(document, document) for document in side.documents[:MAX_NAMED_DOCUMENTS]]
    more = [f"and {len(side.documents) - MAX_NAMED_DOCUMENTS} more"] if len(side.documents) > MAX_NAMED_DOCUMENTS else []
    hit = "not known" if side.hits_gold is None else "hit" if side.hits_gold else "miss"
    return [words(side.query or "(empty)"), words("; ".join([*named, *more]) or "nothing"), words(hit)]


def _format_correctness(record: WordingRecord) -> str:
    return "not known" if record.correct is None else "right" if record.correct else "wrong"


def _sums(made: TrajectoryPair) -> str:
    first, second = map(_number, made.failure)
    return (
        f"MSS {_number(made.mss)}; hops without a gold document (RFR): {first} and {second}; trajectory collapse "
        f"{_number(made.collapse)}."
    )


def _number(value: float | None) -> str:
    return NOT_AVAILABLE if value is None else f"{value:.4f}"


PRESET = Preset(
    label="Query variations table 5: one question's searches side by side",
    build=build,
    of="wordings",
    settings={"item": "", "kind": ""},
)
