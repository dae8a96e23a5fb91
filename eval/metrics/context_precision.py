"""context_precision: the share of the passages that support some claim of the gold answer (RAGChecker's). It asks what
context_recall asks, so that both together cost two calls.

context_precision.ranked looks at their order, too: the mean of the precision at each rank where such a passage stands (ragas'
context precision); 0 where there is none. With a verdict that could not be read no passage can be called useless, and there is
no value; context_precision.unread counts them."""

from eval.metric import JudgedScore, Metric, ScoringCase, Unscored
from eval.scoring.claims import ClaimedText, check_claims
from eval.system import AskInRun


async def judge(case: ScoringCase, ask: AskInRun, votes: int) -> JudgedScore:
    if not case.answers:
        return JudgedScore({"": Unscored("no gold answer")})
    found = await check_claims(case, case.answers[0], "the gold answer", ask, votes)
    if not found.claims or found.unread_claims:
        why = Unscored(found.why or "not read: a verdict on a claim")
        return JudgedScore({"": why, "ranked": why, "unread": found.unread_claims}, found.details)
    useful = _mark_useful(found, len(case.contexts))
    return JudgedScore({"": sum(useful) / len(useful), "ranked": average_precision(useful), "unread": 0.0}, found.details)


def average_precision(useful: list[bool]) -> float:
    """Mean precision at the ranks of the useful passages."""
    at = [sum(useful[:place]) / place for place, is_so in enumerate(useful, 1) if is_so]
    return sum(at) / len(at) if at else 0.0


def _mark_useful(found: ClaimedText, passages: int) -> list[bool]:
    named = frozenset().union(*(one.passages or frozenset() for one in found.claims))
    return [number in named for number in range(1, passages + 1)]


METRIC = Metric(
    version="1",
    low=0.0,
    high=1.0,
    counts=("unread",),
    judge=judge,
    reference="RAGChecker's context precision; .ranked is ragas', by worked examples, by tests",
)
