"""How similar the answers to one question's wordings are in meaning: similarity to the original's answer (study, section 3.2)
and spread over all wordings (section 3.3). Undefined is NaN, never 0."""

from typing import Any

import numpy as np

_NUMBERS_PER_BLOCK = 262_144
"""Numbers gathered at a time (1 MB): they stay in the processor's cache."""


def measure_similarity(vectors: Any, left: Any, right: Any) -> Any:
    """Returns cos(e(left), e(right)) for each pair of rows of `vectors`, whose length is 1.
    NaN where one of the two is -1: a text that is empty, or that the model does not read."""
    cosines = np.full(len(left), np.nan)
    pairs = np.flatnonzero((left >= 0) & (right >= 0))
    height = max(1, _NUMBERS_PER_BLOCK // max(1, vectors.shape[1] if len(vectors) else 1))
    for first in range(0, len(pairs), height):
        here = pairs[first : first + height]
        a, b = vectors.take(left[here], axis=0), vectors.take(right[here], axis=0)
        cosines[here] = np.clip(np.einsum("ij,ij->i", a, b), -1.0, 1.0)
    return cosines


def measure_diversity(vectors: Any, rows: Any, families: Any, n: int) -> Any:
    """Returns 1 - the mean cosine of all pairs of answers, by family 0..n-1; NaN for fewer than two answers. (Study, section
    3.3: answer spread, lower is more stable.) `rows` = each answer's vector, -1 for none; `families` = its family."""
    present = np.flatnonzero(rows >= 0)
    present = present[np.argsort(families[present], kind="stable")]
    rows, owners = rows[present], families[present]
    sizes = np.bincount(owners, minlength=n)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    spreads = np.full(n, np.nan)
    squares = np.einsum("ij,ij->i", vectors, vectors)
    for size in np.unique(sizes[sizes >= 2]).tolist():  # families of a size are one array
        same_size = np.flatnonzero(sizes == size)
        height = max(1, _NUMBERS_PER_BLOCK // (size * vectors.shape[1]))
        for first in range(0, len(same_size), height):
            here = same_size[first : first + height]
            own = rows[starts[here][:, None] + np.arange(size)]
            total = vectors.take(own, axis=0).sum(axis=1)
            # |sum of e|^2 holds every pair twice, and each vector with itself
            pairs = (np.einsum("fj,fj->f", total, total) - squares[own].sum(axis=1)) / (size * (size - 1))
            spreads[here] = 1.0 - np.clip(pairs, -1.0, 1.0)
    return spreads
