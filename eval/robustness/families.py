"""Items as families of wordings: which of them break most under another wording, and one of them opened."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.retrieval.embedding_options import Side
from eval.robustness.formulas import measure_similarity
from eval.robustness.records import ORIGINAL, WordingRecord
from eval.robustness.run_layout import RunLayout
from eval.robustness.study import Study


class Family(NamedTuple):
    """One item of one run with what its wordings did."""

    item: str
    query: str
    """In the original's words; "" where those were not asked."""
    is_right: bool | None
    """The original's answer; None = failed or not known."""
    rewrites: int
    """Answered ones."""
    broken: int
    """Those of them that were right before and are wrong now."""
    mended: int
    """Those of them that were wrong before and are right now."""
    failed: int
    """Wordings whose answer failed."""
    spread: float | None
    """Diversity of its answers; None with fewer than two that have a vector, or where it was not requested."""
    fewest: int | None
    """Searches of the wording with the fewest; None where they are not known."""
    most: int | None

    @property
    def order(self) -> tuple[float, float, float, str]:
        """A sort key, see rank_families."""
        n = max(self.rewrites, 1)
        return -self.broken / n, -self.mended / n, -(self.spread or 0.0), self.item


class Wording(NamedTuple):
    """One wording of an opened family."""

    record: WordingRecord
    similarity: float | None
    """Of its answer to the original's; None for the original, and where one has no vector."""
    question_similarity: float | None


def rank_families(run: RunLayout, *, with_spread: bool) -> list[Family]:
    """Returns every item with a rewrite, those first of whose rewrites the largest share breaks.
    Then those that mend (an answer that depends on the wording, too), then the widest spread; by id where all is equal.
    `with_spread` embeds every answer."""
    rows: dict[str, list[WordingRecord]] = defaultdict(list)
    for record in run.asked:
        rows[record.item].append(record)
    rewritten = {item: own for item, own in rows.items() if any(record.kind != ORIGINAL for record in own)}
    families = [_build_family(run, item, own, with_spread) for item, own in rewritten.items()]
    return sorted(families, key=lambda family: family.order)


def list_wordings(study: Study, arm: int, repeat: int, item: str) -> list[Wording]:
    """Returns every wording of an item in one run, the original first; failed ones among them."""
    own = [record for record in study.layouts[arm][repeat].asked if record.item == item]
    original = next((record for record in own if record.kind == ORIGINAL), None)

    def compare(first: str | None, others: Sequence[str | None], side: Side) -> list[float | None]:
        language = own[0].language if own else "en"
        meanings = study.embed([first or "", *(text or "" for text in others)], [language] * (1 + len(others)), side)
        cosines = measure_similarity(meanings.vectors, np.full(len(own), meanings.rows[0]), meanings.rows[1:])
        return [None if value != value else float(value) for value in cosines.tolist()]

    answers = compare(original.answer if original else "", [record.answer for record in own], "text")
    queries = compare(original.query if original else "", [record.query for record in own], "query")
    return [
        Wording(record, *((None, None) if record.kind == ORIGINAL else (answers[place], queries[place])))
        for place, record in enumerate(own)
    ]


def _build_family(run: RunLayout, item: str, own: Sequence[WordingRecord], with_spread: bool) -> Family:
    original = next((record for record in own if record.kind == ORIGINAL), None)
    right = original.correct if original else None
    rewrites = [record for record in own if record.kind != ORIGINAL and record.answer is not None]
    searches = [record.searches for record in own if record.answer is not None and record.searches is not None]
    spread = float(run.spread[run.items[item]]) if with_spread else float("nan")
    return Family(
        item,
        original.query if original else "",
        None if right is None else right == 1.0,
        len(rewrites),
        sum(right == 1.0 and record.correct == 0.0 for record in rewrites),
        sum(right == 0.0 and record.correct == 1.0 for record in rewrites),
        sum(record.answer is None for record in own),
        None if spread != spread else spread,
        min(searches, default=None),
        max(searches, default=None),
    )
