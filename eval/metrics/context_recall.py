"""context_recall: the share of the gold answer's claims that the passages support, whatever was answered from them. The gold
answer is taken apart once for all systems. Claims whose verdict could not be read are counted in context_recall.unread."""

from eval.metric import JudgedScore, Metric, ScoringCase, Unscored
from eval.scoring.claims import build_score, check_claims
from eval.system import AskInRun


async def judge(case: ScoringCase, ask: AskInRun, votes: int) -> JudgedScore:
    if not case.answers:
        return JudgedScore({"": Unscored("no gold answer")})
    found = await check_claims(case, case.answers[0], "the gold answer", ask, votes)
    return build_score(found, found.share())


METRIC = Metric(
    version="1",
    low=0.0,
    high=1.0,
    counts=("unread",),
    judge=judge,
    reference="RAGChecker's claim recall, by worked examples, by tests",
)
