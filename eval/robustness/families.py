"""Examine families; a family is an item's question in all its wordings. Rank families by the share of rewrites that turn a
right answer wrong, and list the wordings of one item."""

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
    """One item in one run, with the effect of its other wordings on the answer."""

    item: str
    query: str
    """Text of the item's original question; "" if the run did not ask it."""
    is_right: bool | None
    """Whether the answer to the original question is right; None = the answer failed or cannot be judged."""
    rewrites: int
    """Number of rewrites of the question that were answered."""
    broken: int
    """Number of rewrites answered wrongly although the original question was answered rightly."""
    mended: int
    """Number of rewrites answered rightly although the original question was answered wrongly."""
    failed: int
    """Number of wordings of the question whose answer failed."""
    spread: float | None
    """Diversity of the answers to the item's wordings; None if fewer than two answers have a vector, or if the diversity was
    not requested."""
    fewest: int | None
    """Least number of searches for any wording of the item, or None if unknown."""
    most: int | None

    @property
    def order(self) -> tuple[float, float, float, str]:
        """Return the sort key by which rank_families orders items."""
        n = max(self.rewrites, 1)
        return -self.broken / n, -self.mended / n, -(self.spread or 0.0), self.item


class Wording(NamedTuple):
    """One wording of an item's question, with its answer's measures."""

    record: WordingRecord
    similarity: float | None
    """Similarity of the answer to the original question's answer; None for the original itself, or if either has no vector."""
    question_similarity: float | None


def rank_families(run: RunLayout, *, with_spread: bool) -> list[Family]:
    """Return all items that have a rewrite, sorted by the share of rewrites that turn a right answer wrong, largest first. Ties
    are ordered by the share that turns a wrong answer right, then by diversity of answers, then by id. With `with_spread`, the
    diversity is computed, for which every answer must be embedded."""
    rows: dict[str, list[WordingRecord]] = defaultdict(list)
    for record in run.asked:
        rows[record.item].append(record)
    rewritten = {item: own for item, own in rows.items() if any(record.kind != ORIGINAL for record in own)}
    families = [_build_family(run, item, own, with_spread) for item, own in rewritten.items()]
    return sorted(families, key=lambda family: family.order)


def list_wordings(study: Study, arm: int, repeat: int, item: str) -> list[Wording]:
    """Return all wordings of an item in one run, the original first, including wordings whose answer failed."""
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
