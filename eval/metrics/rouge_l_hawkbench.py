"""rouge_l_hawkbench: ROUGE-L as in HawkBench's published numbers, from 0 to 1: the summary-level value of the package rouge
1.0.1, with all its peculiarities. Case matters, every "." ends a sentence, sentences are split into tokens at single spaces (an
empty sentence is one empty token), and all counts are of unique tokens.

With E and G the unique tokens of answer and gold answer, and U the union, over all pairs of a gold sentence and an answer
sentence, of the tokens on one longest common subsequence: P = |U| / |E|, R = |U| / |G|, F = 2PR / (P + R + 1e-8). The package
finds the subsequence by recursion; if the recursion is deeper than Python allows, the package raises an error, which
HawkBench's code counts as 0.0, and so does this metric."""

from collections.abc import Sequence

from core.text.language import find_row
from eval.metric import Metric, ScoringCase, Values

MAX_WALK_STEPS = 990
"""Maximum number of steps for which the package's recursion works: Python's default limit is 1,000 frames. Two texts that
need more have F1 0."""


def score(case: ScoringCase) -> Values:
    """Return the best ROUGE-L F1 of the answer over the gold answers, as HawkBench's package computes it."""
    return {"": max((_compute_f1(case.prediction, gold) for gold in case.answers), default=None)}


def _compute_f1(prediction: str, gold: str) -> float:
    predicted, golds = _split_sentences(prediction), _split_sentences(gold)
    if not predicted or not golds:
        return 0.0
    union: set[str] = set()
    for sentence in golds:
        for other in predicted:
            common = _walk_common_tokens(sentence, other)
            if common is None:
                return 0.0
            union |= common
    precision = len(union) / len({token for sentence in predicted for token in sentence})
    recall = len(union) / len({token for sentence in golds for token in sentence})
    return 2.0 * (precision * recall / (precision + recall + 1e-8))


def _split_sentences(text: str) -> list[list[str]]:
    return [" ".join(piece.split()).split(" ") for piece in text.split(".") if piece]


def _walk_common_tokens(gold: Sequence[str], predicted: Sequence[str]) -> set[str] | None:
    """Return the tokens of the common subsequence that the package finds, or None if its recursion would be too deep. The walk
    starts at the ends of both texts, and moves back in the gold answer only if the table's value there is strictly greater."""
    table = _build_table(gold, predicted)
    i, j, steps, tokens = len(gold), len(predicted), 0, set()
    while i and j:
        steps += 1
        if gold[i - 1] == predicted[j - 1]:
            i, j = i - 1, j - 1
            tokens.add(gold[i])
        elif table[i - 1][j] > table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return tokens if steps <= MAX_WALK_STEPS else None


def _build_table(a: Sequence[str], b: Sequence[str]) -> list[list[int]]:
    """Return table[i][j]: the length of the longest common subsequence of the first i tokens of `a` and the first j of `b`."""
    table = [[0] * (len(b) + 1)]
    for token in a:
        above, row = table[-1], [0]
        for j, other in enumerate(b):
            row.append(above[j] + 1 if token == other else max(above[j + 1], row[j]))
        table.append(row)
    return table


METRIC = Metric(
    score=score,
    explain_language=lambda language: (
        "" if language == "zh" or find_row(language).separator else "it cuts words at spaces, which the language does not write"
    ),
    reference="the package rouge 1.0.1: tests check HawkBench's worked values",
)
