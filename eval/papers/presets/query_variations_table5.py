"""query_variations_table5: the searches of one question and of one of its rewrites side by side, hop by hop, for each system:
the queries, the documents found, and how similar the two searches are in both; below, the means over all items.

item   id of the item; "" = the item whose searches a rewrite changes most, preferably one whose answer a rewrite makes wrong
kind   kind of the rewrite; "" = any kind"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from core.errors import BenchError
from eval.page import DASH, Cell, Page, Table, count, figure, words
from eval.preset import Preset
from eval.robustness.formulas import measure_collapse
from eval.robustness.layout import NOT_AVAILABLE, build_page, list_figure_rows
from eval.robustness.records import ORIGINAL, WordingRecord
from eval.robustness.study import Study
from eval.robustness.trajectory import HopSide, compare_trajectories

MAX_NAMED_DOCUMENTS = 5
"""Maximum number of found documents that the table lists per hop."""
HEADS = ("hop", "original asks", "finds", "gold", "rewrite asks", "finds", "gold", "similarity", "overlap")
NOTES = (
    "similarity: cosine of the two queries. overlap: documents that both found, of all that either found. gold: whether a "
    "document that contains the item's evidence was found. MSS is the mean similarity over the hops that both have.",
)


class _QuestionPair(NamedTuple):
    """A question and one of its rewrites, as one system answered them."""

    original: WordingRecord
    rewrite: WordingRecord

    @property
    def order(self) -> tuple[bool, float, str, str, str]:
        """Return a sort key for pairs of a question and a rewrite. Pairs whose rewrite turned a right answer wrong come first,
        then pairs whose searches found the most different documents."""
        breaks = self.original.correct == 1.0 and self.rewrite.correct == 0.0
        collapse = measure_collapse(*([hop.documents for hop in record.hops or ()] for record in self))
        return not breaks, -(collapse or 0.0), self.rewrite.item, self.rewrite.kind, self.rewrite.variant or ""


def build(study: Study, item: str = "", kind: str = "") -> Page:
    """Return the page on one question and one rewrite. Raises BenchError if no system searched for both a question and a
    rewrite of it; `item` and `kind` limit the choice."""
    by_arm = {arm.name: list(_list_pairs(study, number, item, kind)) for number, arm in enumerate(study.arms)}
    order = sorted(pair.order for pairs in by_arm.values() for pair in pairs)
    if not order:
        which = " ".join(filter(None, [" of", kind and f"the kind {kind}", item and f"the item {item}"]))
        raise BenchError(
            "In none of these runs did the system search both for a question and for its rewrite"
            f"{which if item or kind else ''}: choose runs with --variants of a system that searches, or another item or kind."
        )
    tables = []
    for name, pairs in by_arm.items():
        chosen = next((pair for pair in pairs if pair.order[2:] == order[0][2:]), None)
        tables += [_tabulate_pair(study, name, chosen)] if chosen else []
    title = "Query variations: one question's searches"
    page = build_page(title, study, list_figure_rows("search_similarity", "retrieval_failure", "collapse"))
    return replace(page, tables=[*tables, *page.tables])


def _list_pairs(study: Study, arm: int, item: str, kind: str) -> Iterator[_QuestionPair]:
    """Yield each original question for which the first run of an arm (a system's configuration) searched, with each rewrite of
    the question for which that run also searched."""
    own = [record for record in study.layouts[arm][0].asked if record.hops and item in ("", record.item)]
    originals = {record.item: record for record in own if record.kind == ORIGINAL}
    for record in own:
        if record.kind != ORIGINAL and kind in ("", record.kind) and record.item in originals:
            yield _QuestionPair(originals[record.item], record)


def _tabulate_pair(study: Study, name: str, pair: _QuestionPair) -> Table:
    trajectories, empty = compare_trajectories(study, pair.original, pair.rewrite), Cell("")
    question = [words("question"), words(pair.original.query), empty, empty, words(pair.rewrite.query), *[empty] * 4]
    answers = [cell for record in pair for cell in (words(record.answer), empty, words(_format_correctness(record)))]
    hops = [
        [
            count(number),
            *_list_side(hop.original, study.titles),
            *_list_side(hop.rewrite, study.titles),
            figure(hop.similarity, 2),
            figure(hop.overlap, 2),
        ]
        for number, hop in enumerate(trajectories.hops, 1)
    ]
    first, second, mss, collapse = (
        NOT_AVAILABLE if value is None else f"{value:.4f}"
        for value in (*trajectories.failure, trajectories.mss, trajectories.collapse)
    )
    sums = f"MSS {mss}; hops without a gold document (RFR): {first} and {second}; trajectory collapse {collapse}."
    title = f"{name}: item {pair.original.item}, original and {pair.rewrite.kind}"
    return Table(title, HEADS, [question, *hops, [words("answer"), *answers, empty, empty]], [sums, *NOTES])


def _list_side(side: HopSide | None, titles: Mapping[str, str]) -> list[Cell]:
    if side is None:
        return [words(DASH), words(DASH), words(DASH)]
    named = [titles.get(document, document) for document in side.documents[:MAX_NAMED_DOCUMENTS]]
    more = len(side.documents) - len(named)
    named += [f"and {more} more"] if more else []
    hit = "not known" if side.hits_gold is None else "hit" if side.hits_gold else "miss"
    return [words(side.query or "(empty)"), words("; ".join(named) or "nothing"), words(hit)]


def _format_correctness(record: WordingRecord) -> str:
    return "not known" if record.correct is None else "right" if record.correct else "wrong"


PRESET = Preset(
    label="Table 5 of the query variations paper: the searches of one question in its different wordings",
    build=build,
    of="wordings",
    settings={"item": "", "kind": ""},
)
