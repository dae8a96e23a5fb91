"""How alike the answers to one question's wordings are in meaning: similarity to the original's answer (study, section 3.2) and
spread over all wordings (section 3.3). Undefined is NaN, never 0."""

from typing import Any

_NUMBERS_PER_BLOCK = 262_144
"""Numbers gathered at a time (1 MB): they stay in the processor's cache."""


def measure_similarity(vectors: Any, left: Any, right: Any) -> Any:
    """cos(e(left), e(right)) for each pair of rows of `vectors`, whose length is 1; NaN where one of them is -1: a text that is
    empty, or that the model does not read."""
    import numpy as np

    found = np.full(len(left), np.nan)
    pairs = np.flatnonzero((left >= 0) & (right >= 0))
    height = max(1, _NUMBERS_PER_BLOCK // max(1, vectors.shape[1] if len(vectors) else 1))
    for first in range(0, len(pairs), height):
        here = pairs[first : first + height]
        one, other = vectors.take(left[here], axis=0), vectors.take(right[here], axis=0)
        found[here] = np.clip(np.einsum("ij,ij->i", one, other), -1.0, 1.0)
    return found


def measure_diversity(vectors: Any, rows: Any, families: Any, n: int) -> Any:
    """1 - the mean cosine of all pairs of answers of a family, by family 0..n-1 (study, section 3.3: answer spread, lower is
    more stable). `rows` = the vector of each answer, -1 for none; `families` = whose it is. NaN for fewer than two answers."""
    import numpy as np

    there = np.flatnonzero(rows >= 0)
    there = there[np.argsort(families[there], kind="stable")]
    rows, owners = rows[there], families[there]
    sizes = np.bincount(owners, minlength=n)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    found = np.full(n, np.nan)
    squares = np.einsum("ij,ij->i", vectors, vectors)
    for size in np.unique(sizes[sizes >= 2]).tolist():  # families of a size are one array
        alike = np.flatnonzero(sizes == size)
        height = max(1, _NUMBERS_PER_BLOCK // (size * vectors.shape[1]))
        for first in range(0, len(alike), height):
            here = alike[first : first + height]
            own = rows[starts[here][:, None] + np.arange(size)]
            total = vectors.take(own, axis=0).sum(axis=1)
            # |sum of e|^2 holds every pair twice, and each vector with itself
            pairs = (np.einsum("fj,fj->f", total, total) - squares[own].sum(axis=1)) / (size * (size - 1))
            found[here] = 1.0 - np.clip(pairs, -1.0, 1.0)
    return found
