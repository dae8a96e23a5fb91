"""Items as families of wordings: which of them break most under another wording, and one of them opened."""

from collections.abc import Sequence
from typing import NamedTuple

from eval.robustness.answers import measure_similarity
from eval.robustness.records import ORIGINAL, WordingRecord
from eval.robustness.run_layout import RunLayout
from eval.robustness.study import Study


class Family(NamedTuple):
    """One item of one run with what its wordings did."""

    item: str
    query: str
    """In the original's words; "" where those were not asked."""
    is_right: bool | None
    """The original's answer; None = failed or not told."""
    rewrites: int
    """Answered ones."""
    broken: int
    """Of those: right before, wrong now."""
    mended: int
    """Of those: wrong before, right now."""
    failed: int
    """Wordings whose answer failed."""
    spread: float | None
    """Diversity of its answers; None with fewer than two that have a vector, or where nobody asked for it."""
    fewest: int | None
    """Searches of the wording with the fewest; None where they are not told."""
    most: int | None


class Wording(NamedTuple):
    """One wording of an opened family."""

    record: WordingRecord
    similarity: float | None
    """Of its answer to the original's; None for the original, and where one has no vector."""
    question_similarity: float | None


def rank_families(run: RunLayout, *, with_spread: bool) -> list[Family]:
    """Every item with a rewrite: those first of whose rewrites the largest share breaks, then those that mend (an answer that
    depends on the wording, too), then the widest spread; by id where all is equal. `with_spread` embeds every answer."""
    rows: dict[str, list[WordingRecord]] = {}
    for record in run.asked:
        rows.setdefault(record.item, []).append(record)
    found = [_family(run, item, own, with_spread) for item, own in rows.items() if any(r.kind != ORIGINAL for r in own)]

    def order(one: Family) -> tuple[float, float, float, str]:
        n = max(one.rewrites, 1)
        return -one.broken / n, -one.mended / n, -(one.spread or 0.0), one.item

    return sorted(found, key=order)


def list_wordings(study: Study, arm: int, repeat: int, item: str) -> list[Wording]:
    """Every wording of an item in one run, the original first; failed ones among them."""
    run = study.asked[arm][repeat]
    own = [record for record in run.asked if record.item == item]
    base = next((record for record in own if record.kind == ORIGINAL and record.answer is not None), None)
    texts = [base.answer if base else "", *(record.answer or "" for record in own)]
    answers = _cosines(study, [text or "" for text in texts], own)
    original = next((record.query for record in own if record.kind == ORIGINAL), "")
    queries = _cosines(study, [original, *(record.query for record in own)], own)
    return [
        Wording(record, *((None, None) if record.kind == ORIGINAL else (answers[place], queries[place])))
        for place, record in enumerate(own)
    ]


def _cosines(study: Study, texts: Sequence[str], own: Sequence[WordingRecord]) -> list[float | None]:
    """Of the first text to each of the others."""
    import numpy as np

    language = own[0].language if own else "en"
    made = study.embed(texts, [language] * len(texts))
    found = measure_similarity(made.vectors, np.full(len(own), made.rows[0]), made.rows[1:])
    return [None if value != value else float(value) for value in found.tolist()]


def _family(run: RunLayout, item: str, own: Sequence[WordingRecord], with_spread: bool) -> Family:
    base = next((record for record in own if record.kind == ORIGINAL), None)
    right = base.correct if base else None
    rewrites = [record for record in own if record.kind != ORIGINAL and record.answer is not None]
    searches = [record.searches for record in own if record.answer is not None and record.searches is not None]
    spread = float(run.spread[run.items[item]]) if with_spread else float("nan")
    return Family(
        item,
        base.query if base else "",
        None if right is None else right == 1.0,
        len(rewrites),
        sum(right == 1.0 and record.correct == 0.0 for record in rewrites),
        sum(right == 0.0 and record.correct == 1.0 for record in rewrites),
        sum(record.answer is None for record in own),
        None if spread != spread else spread,
        min(searches, default=None),
        max(searches, default=None),
    )
