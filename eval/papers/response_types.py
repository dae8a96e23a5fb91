"""Classify an answer into R-Eval's six response types, by the decision tree of its code: whether the answer matches, whether a
gold answer occurs in the texts that the system observed, and how the system's work ended. There are two differences from
R-Eval's code: only function results and passages count as observed, not the system's own words; and the trace records why the
work ended."""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from core.nouns import Score, Trace

ResponseType = Literal["EM", "AM", "GE", "TE", "ME", "RE"]
TYPES: Mapping[ResponseType, str] = {
    "EM": "Matches, and the answer was in what it saw",
    "AM": "Matches, and the answer was nowhere in what it saw",
    "GE": "Saw the answer and gave another",
    "TE": "Its work with the functions broke off",
    "ME": "The model failed",
    "RE": "Never saw the answer",
}
MIN_MATCHING_REWARD = 0.05
"""Least R-Eval reward at which an answer counts as matching; it is the lenient value of the published code."""
METRICS = ("r_eval_f1_cjk", "r_eval_f1")
BROKEN_OFF = frozenset(("tool_error", "parse_error", "unparsed", "engine"))
"""Stop reasons of a trace whose function calls failed."""
ENDED_STATES = frozenset(("answered", "finished", "max_steps", "context", "no_documents", "no_evidence", "too_long"))
"""Stop reasons of a trace whose failure was caused neither by its function calls nor by the model."""


class ResponseCounts(NamedTuple):
    """Number of a system's answers of each response type."""

    n: int
    of: Mapping[ResponseType, int]
    unscored: int
    """Number of answers without a reward, which have no response type and are not counted in n."""

    def share(self, kind: ResponseType) -> float | None:
        """Return the share (0..1) of this type among the answers that have a type, or None if no answer has one."""
        return self.of[kind] / self.n if self.n else None

    @property
    def accurate_share(self) -> float | None:
        """Return the share (0..1) of the classified answers that match the gold answer."""
        return (self.of["EM"] + self.of["AM"]) / self.n if self.n else None


def classify_response(reward: float, useful: bool, stop: str, threshold: float = MIN_MATCHING_REWARD) -> ResponseType:
    """Return the response type of one answer from its reward, whether the system observed a gold answer (`useful`), and its
    stop reason. A failed answer has reward 0, and its system counts as not having observed a gold answer."""
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
    """Return the response type of a trace from its stored scores, or None if the trace has no reward. With `whole`, a gold
    answer also counts as observed if the system wrote it, as in the published code."""
    if trace.answer is None:
        return classify_response(0.0, False, trace.stop, threshold)
    part = "scratchpad" if whole else "useful"
    for metric in METRICS:
        reward, useful = (scores.get(name) for name in (metric, f"{metric}.{part}"))
        if reward is not None and useful is not None and reward.value is not None:
            return classify_response(reward.value, bool(useful.value), trace.stop, threshold)
    return None


def count_responses(types: Iterable[ResponseType | None]) -> ResponseCounts:
    """Count the answers of each response type; a None in place of a type is an answer without a reward."""
    kinds = list(types)
    counts = {kind: kinds.count(kind) for kind in TYPES}
    return ResponseCounts(sum(counts.values()), counts, kinds.count(None))
