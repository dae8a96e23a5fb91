"""context_recall: the share of the gold answer's claims that the passages support, whatever was answered from them. The gold
answer is taken apart once for all systems. Claims whose verdict could not be read are counted in context_recall.unread."""

from eval.metric import Case, JudgedScore, Metric, Unscored
from eval.scoring.claims import build_score, held_against
from eval.system import AskInRun


async def judge(case: Case, ask: AskInRun, votes: int) -> JudgedScore:
    if not case.answers:
        return JudgedScore({"": Unscored("no gold answer")})
    found = await held_against(case, case.answers[0], "the gold answer", ask, votes)
    return build_score(found, found.share())


METRIC = Metric(
    version="1",
    low=0.0,
    high=1.0,
    counts=("unread",),
    judge=judge,
    reference="RAGChecker's claim recall, by worked examples, by tests",
)
