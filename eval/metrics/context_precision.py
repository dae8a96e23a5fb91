"""context_precision: share of the passages, from 0 to 1, that support at least one claim of the gold answer (as in RAGChecker).
The metric makes the same calls as context_recall, so both together cost two calls.

context_precision.ranked also considers the order of the passages: it is the mean of the precisions at the ranks of the
supporting passages (ragas' context precision), and 0 if no passage supports a claim. If a verdict is unreadable, there is no
value, because any passage might then support the claim; context_precision.unread counts unreadable verdicts."""

from eval.metric import NO_GOLD, JudgedScore, Metric, ScoringCase, Unscored
from eval.scoring.claims import check_claims
from eval.system import AskInRun


async def judge(case: ScoringCase, ask: AskInRun, votes: int) -> JudgedScore:
    if not case.answers:
        return JudgedScore({"": NO_GOLD})
    gold = await check_claims(case, case.answers[0], "the gold answer", ask, votes)
    if not gold.claims or gold.unread_claims:
        why = Unscored(gold.why or "not read: a verdict on a claim")
        return JudgedScore({"": why, "ranked": why, "unread": gold.unread_claims}, gold.details)
    supporting = frozenset[int]().union(*(claim.passages or () for claim in gold.claims))
    useful = [number in supporting for number in range(1, len(case.contexts) + 1)]
    return JudgedScore({"": sum(useful) / len(useful), "ranked": average_precision(useful), "unread": 0.0}, gold.details)


def average_precision(useful: list[bool]) -> float:
    """Return the mean of the precisions at the ranks of the useful passages (True in `useful`), or 0.0 if none is useful."""
    precisions = [sum(useful[:rank]) / rank for rank, is_useful in enumerate(useful, 1) if is_useful]
    return sum(precisions) / len(precisions) if precisions else 0.0


METRIC = Metric(
    counts=("unread",), judge=judge, reference="RAGChecker's context precision; .ranked is ragas': tests check worked examples"
)
