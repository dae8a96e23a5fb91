"""context_recall: share of the gold answer's claims, from 0 to 1, that the passages support, regardless of the system's answer.
The gold answer is split into claims once for all systems. context_recall.unread counts claims with an unreadable verdict, which
are left out of the share."""

from eval.metric import NO_GOLD, JudgedScore, Metric, ScoringCase
from eval.scoring.claims import check_claims
from eval.system import AskInRun


async def judge(case: ScoringCase, ask: AskInRun, votes: int) -> JudgedScore:
    if not case.answers:
        return JudgedScore({"": NO_GOLD})
    return (await check_claims(case, case.answers[0], "the gold answer", ask, votes)).score()


METRIC = Metric(counts=("unread",), judge=judge, reference="RAGChecker's claim recall: tests check worked examples")
