"""Items and scores of simulated systems whose abilities are known."""

from typing import Any

import numpy as np

from core.nouns import Item, Level


def make_items(count: int, levels: tuple[Level, ...] = (1, 2)) -> list[Item]:
    """Items of two domains, a quarter of them in the second."""
    return [
        Item(
            f"q{n:04}",
            "question_answering",
            f"Question {n}?" + " really" * (n % 7),
            (f"Answer {n}",),
            level=levels[n % len(levels)],
            domain="law" if n % 4 else "arts",
        )
        for n in range(count)
    ]


def make_scores(abilities: Any, count: int, seed: int) -> dict[tuple[str, str], float]:
    """Scores of 0 and 1 by the two-parameter model."""
    chance = np.random.default_rng(seed)
    difficulty, discrimination = chance.normal(0, 1.3, count), np.exp(chance.normal(0, 0.4, count))
    p = 1 / (1 + np.exp(-discrimination[:, None] * (np.asarray(abilities)[None] - difficulty[:, None])))
    right = chance.random(p.shape) < p
    return {(f"s{j:02}", f"q{i:04}"): float(right[i, j]) for j in range(p.shape[1]) for i in range(count)}
