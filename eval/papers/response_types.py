"""R-Eval's six response types of an answer (the tree is its code's): does it match, did a gold answer stand in what the system
saw, and how did its work end. Ours differs in two things: a system saw its observations alone, not its own words, and its trace
says how it ended, in place of one flag."""

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
THRESHOLD = 0.05
"""Reward from which on an answer matches: the published code's, which is lenient."""
METRICS = ("r_eval_f1_cjk", "r_eval_f1")
BROKEN_OFF = frozenset(("tool_error", "parse_error", "unparsed"))
"""Ends of a trace by the work with functions."""
ENDED_STATES = frozenset(("answered", "finished", "max_steps", "context", "no_documents", "no_evidence", "too_long"))
"""Ends of a trace by neither that nor the model's failure."""


class ResponseCounts(NamedTuple):
    """How many answers of one system are of each type."""

    n: int
    of: Mapping[ResponseType, int]
    unscored: int
    """Answers without a reward, which are of no type and not in n."""

    def share(self, kind: ResponseType) -> float | None:
        """Returns the type's share of n; None when n is 0."""
        return self.of[kind] / self.n if self.n else None

    @property
    def accurate_share(self) -> float | None:
        """The share of answers that match."""
        return (self.of["EM"] + self.of["AM"]) / self.n if self.n else None


def classify_response(reward: float, useful: bool, stop: str, threshold: float = THRESHOLD) -> ResponseType:
    """Returns the type of one answer. A system that failed has reward 0 and saw nothing useful."""
    if reward >= threshold:
        return "EM" if useful else "AM"
    if useful:
        return "GE"
    if stop in BROKEN_OFF:
        return "TE"
    return "RE" if stop in ENDED_STATES else "ME"


def classify_trace(
    trace: Trace, scores: Mapping[str, Score], threshold: float = THRESHOLD, whole: bool = False
) -> ResponseType | None:
    """Returns the type of a trace by its stored scores; None when it has an answer without a reward.
    `whole` = the answer may stand anywhere in what the system saw or wrote, as the published code looks."""
    if trace.answer is None:
        return classify_response(0.0, False, trace.stop, threshold)
    part = "scratchpad" if whole else "useful"
    for metric in METRICS:
        reward, useful = (scores.get(name) for name in (metric, f"{metric}.{part}"))
        if reward is not None and useful is not None and reward.value is not None:
            return classify_response(reward.value, bool(useful.value), trace.stop, threshold)
    return None


def count_responses(types: Iterable[ResponseType | None]) -> ResponseCounts:
    """Returns the counts; the denominator is the number of answers that have a type."""
    kinds = list(types)
    counts = {kind: kinds.count(kind) for kind in TYPES}
    return ResponseCounts(sum(counts.values()), counts, kinds.count(None))
