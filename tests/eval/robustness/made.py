"""Hand-made records and vectors for the tests of robustness."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from eval.robustness.meanings import Embed, Meanings
from eval.robustness.records import ORIGINAL, RetrievalHop, WordingRecord


def record(
    item: str,
    kind: str = ORIGINAL,
    answer: str | None = "A",
    *,
    variant: str | None = None,
    correct: float | None = 1.0,
    searches: int | None = None,
    hops: Sequence[tuple[str, Sequence[str]]] | None = None,
    gold: Sequence[str] = (),
    calls: int | None = 1,
    **more: Any,
) -> WordingRecord:
    """An answer; where hops are given they tell how many searches there were."""
    made = None if hops is None else tuple(RetrievalHop(query, tuple(documents)) for query, documents in hops)
    told = searches if made is None else len(made)
    name = None if kind == ORIGINAL else variant or f"{item}-{kind}"
    fields = {"run": "r", "repeat": 0, "language": "en", "query": f"{item} {kind}"} | more
    return WordingRecord(
        item=item,
        variant=name,
        kind=kind,
        answer=answer,
        correct=None if answer is None else correct,
        searches=told,
        calls=calls,
        hops=made,
        gold=frozenset(gold),
        **fields,
    )


def at_angles(degrees: Mapping[str, float]) -> Embed:
    """Texts as directions in a plane, so that a cosine can be worked out by hand; "" and unknown texts have none."""

    def embed(texts: Sequence[str], languages: Sequence[str], side: str = "text") -> Meanings:
        named = list(degrees)
        turns = np.deg2rad([degrees[name] for name in named])
        vectors = np.stack([np.cos(turns), np.sin(turns)], axis=1).astype(np.float32).reshape(-1, 2)
        rows = np.array([named.index(text) if text in degrees else -1 for text in texts], np.int64)
        return Meanings(vectors, rows, "an answer is empty" if (rows < 0).any() else "")

    return embed
