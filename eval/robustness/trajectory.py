"""Compare the searches for two wordings of one question, hop by hop (study, table 5): the queries, their similarity, the
documents that both found, and whether these include a gold document."""

from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from eval.robustness.formulas import (
    average_search_similarity,
    find_gold_hops,
    measure_collapse,
    measure_overlap,
    measure_retrieval_failure,
    measure_similarity,
)
from eval.robustness.records import RetrievalHop, WordingRecord
from eval.robustness.study import Study


class HopSide(NamedTuple):
    """One hop (search) of one of the two compared wordings."""

    query: str
    documents: tuple[str, ...]
    hits_gold: bool | None
    """Whether the hop found a gold document; None = no gold documents are known."""


class HopPair(NamedTuple):
    """The hops of both wordings that have the same number; None in place of a hop if a wording does not have this hop."""

    original: HopSide | None
    rewrite: HopSide | None
    similarity: float | None
    """Similarity of the two queries, or None if one of them is missing or has no vector."""
    overlap: float | None
    """Jaccard overlap of the found documents, or None if one wording has no such hop, which counts as 0 in the trajectory
    collapse."""


class TrajectoryPair(NamedTuple):
    """The searches for an original question and for a rewrite, hop by hop."""

    hops: list[HopPair]
    mss: float | None
    collapse: float | None
    failure: tuple[float | None, float | None]
    """RFR of the original and of the rewrite: the share of hops that found no gold document."""


def compare_trajectories(study: Study, original: WordingRecord, rewrite: WordingRecord) -> TrajectoryPair:
    """Return the hops of an original question and a rewrite, paired by their number."""
    left, right = original.hops or (), rewrite.hops or ()
    shared = min(len(left), len(right))
    queries = [hop.query for hop in (*left[:shared], *right[:shared])]
    meanings = study.embed(queries, [rewrite.language] * (2 * shared), "query")
    rows = np.array(meanings.rows[:shared]), np.array(meanings.rows[shared:])
    values = measure_similarity(meanings.vectors, *rows).tolist() if shared else []
    cosines = [None if value != value else value for value in values]
    sides = [_build_sides(hops, rewrite.gold) for hops in (left, right)]
    hops = []
    for number, (a, b) in enumerate(zip_longest(*sides)):
        overlap = measure_overlap(a.documents, b.documents) if a and b else None
        hops.append(HopPair(a, b, cosines[number] if number < shared else None, overlap))
    valued = [cosine for cosine in cosines if cosine is not None]
    hits = [[bool(side.hits_gold) for side in own] for own in sides]
    first, second = (measure_retrieval_failure(own) if rewrite.gold else None for own in hits)
    return TrajectoryPair(
        hops,
        average_search_similarity(valued) if len(valued) == shared else None,
        measure_collapse([hop.documents for hop in left], [hop.documents for hop in right]),
        (first, second),
    )


def _build_sides(hops: tuple[RetrievalHop, ...], gold: frozenset[str]) -> list[HopSide]:
    hits = find_gold_hops([hop.documents for hop in hops], gold)
    return [HopSide(hop.query, hop.documents, hit if gold else None) for hop, hit in zip(hops, hits, strict=True)]
