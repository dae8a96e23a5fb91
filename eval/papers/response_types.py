"""R-Eval's six response types of an answer, with the decision tree of its code: whether the answer matches, whether a gold
answer occurs in the texts that the system observed, and how its work ended. Two differences: a system observes only function
results and passages, not its own words; and its trace records the end, instead of one flag."""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from core.nouns import Score, Trace

ResponseType = Literal["EM", "AM", "GE", "TE", "ME", "RE"]
TYPES: Mapping[ResponseType, str] = {
    "EM": "Matches, and the answer stood in what it saw",
    "AM": "Matches, and the answer stood nowhere in what it saw",
    "GE": "Saw the answer and gave another",
    "TE": "Its work with the functions broke off",
    "ME": "The model failed",
    "RE": "Never came to see the answer",
}
MIN_MATCHING_REWARD = 0.05
"""Minimum reward of a matching answer, as in the published code, which is lenient."""
METRICS = ("r_eval_f1_cjk", "r_eval_f1")
BROKEN_OFF = frozenset(("tool_error", "parse_error", "unparsed", "engine"))
"""Stop reasons of a trace whose work with functions failed."""
ENDED_STATES = frozenset(("answered", "finished", "max_steps", "context", "no_documents", "no_evidence", "too_long"))
"""Stop reasons of a trace that are failures neither of function calls nor of the model."""


class ResponseCounts(NamedTuple):
    """Number of a system's answers of each type."""

    n: int
    of: Mapping[ResponseType, int]
    unscored: int
    """Number of answers without a reward; they have no type and are not in n."""

    def share(self, kind: ResponseType) -> float | None:
        """Return the type's share of n, or None if n is 0."""
        return self.of[kind] / self.n if self.n else None

    @property
    def accurate_share(self) -> float | None:
        """Share of answers that match."""
        return (self.of["EM"] + self.of["AM"]) / self.n if self.n else None


def classify_response(reward: float, useful: bool, stop: str, threshold: float = MIN_MATCHING_REWARD) -> ResponseType:
    """Return the type of one answer. A failed system has reward 0 and observed nothing useful."""
    if reward >= threshold:
        return "EM" if useful else "AM"
    if useful:
        return "GE"
    if stop in BROKEN_OFF:
        return "TE"
    return "RE" if stop in ENDED_STATES else "ME"


def classify_trace(
    trace: Trace, scores: Mapping[str, Score], threshold: float = MIN_MATCHING_REWARD, whole: bool = False
) -> ResponseType | None:
    """Return the type of a trace from its stored scores, or None for an answer without a reward.
    `whole` = also accept a gold answer in texts that the system wrote, as the published code does."""
    if trace.answer is None:
        return classify_response(0.0, False, trace.stop, threshold)
    part = "scratchpad" if whole else "useful"
    for metric in METRICS:
        reward, useful = (scores.get(name) for name in (metric, f"{metric}.{part}"))
        if reward is not None and useful is not None and reward.value is not None:
            return classify_response(reward.value, bool(useful.value), trace.stop, threshold)
    return None


def count_responses(types: Iterable[ResponseType | None]) -> ResponseCounts:
    """Return the counts; n is the number of answers that have a type."""
    kinds = list(types)
    counts = {kind: kinds.count(kind) for kind in TYPES}
    return ResponseCounts(sum(counts.values()), counts, kinds.count(None))
