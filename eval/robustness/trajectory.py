"""Two wordings of one question, search by search (study, table 5): what each asked, how alike that is, which documents both
found, and whether a gold one was among them."""

from typing import NamedTuple

from eval.robustness.answers import measure_similarity
from eval.robustness.records import WordingRecord
from eval.robustness.searches import RetrievalHop
from eval.robustness.study import Study
from eval.robustness.trajectories import (
    average_search_similarity,
    find_gold_hops,
    measure_collapse,
    measure_overlap,
    measure_retrieval_failure,
)


class HopSide(NamedTuple):
    """One wording's hop."""

    query: str
    documents: tuple[str, ...]
    hits_gold: bool | None
    """None where no gold documents are known."""


class HopPair(NamedTuple):
    """One hop of both; None on the side that has no more hops."""

    original: HopSide | None
    rewrite: HopSide | None
    similarity: float | None
    """Of the two queries; None where one is lacking, or has no vector."""
    overlap: float | None
    """Jaccard overlap of the documents; None where one side is lacking, which counts as 0 in the collapse."""


class TrajectoryPair(NamedTuple):
    """Both, side by side."""

    hops: list[HopPair]
    mss: float | None
    collapse: float | None
    failure: tuple[float | None, float | None]
    """RFR of original and rewrite."""


def compare_trajectories(study: Study, original: WordingRecord, rewrite: WordingRecord) -> TrajectoryPair:
    """Hops paired by their number."""
    import numpy as np

    left, right = original.hops or (), rewrite.hops or ()
    shared = min(len(left), len(right))
    made = study.embed([hop.query for hop in (*left[:shared], *right[:shared])], [rewrite.language] * (2 * shared))
    cosines = (
        measure_similarity(made.vectors, np.array(made.rows[:shared]), np.array(made.rows[shared:])).tolist() if shared else []
    )
    sides = [_sides(hops, rewrite.gold) for hops in (left, right)]
    hops = [
        HopPair(
            sides[0][at] if at < len(left) else None,
            sides[1][at] if at < len(right) else None,
            None if at >= shared or cosines[at] != cosines[at] else cosines[at],
            measure_overlap(left[at].documents, right[at].documents) if at < shared else None,
        )
        for at in range(max(len(left), len(right)))
    ]
    known = [cosine for cosine in cosines if cosine == cosine]
    failure = [
        measure_retrieval_failure(find_gold_hops([hop.documents for hop in own], rewrite.gold)) if rewrite.gold else None
        for own in (left, right)
    ]
    return TrajectoryPair(
        hops,
        average_search_similarity(known) if len(known) == shared else None,
        measure_collapse([hop.documents for hop in left], [hop.documents for hop in right]),
        (failure[0], failure[1]),
    )


def _sides(hops: tuple[RetrievalHop, ...], gold: frozenset[str]) -> list[HopSide]:
    found = find_gold_hops([hop.documents for hop in hops], gold)
    return [HopSide(hop.query, hop.documents, hit if gold else None) for hop, hit in zip(hops, found, strict=True)]
