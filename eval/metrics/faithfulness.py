"""faithfulness: share of the answer's claims, from 0 to 1, that the passages support. One call splits the answer into claims,
and one call checks all claims against the passages. faithfulness.unread counts claims with an unreadable verdict, which are
left out of the share. An answer without a claim (empty, a refusal) has no value. The metric needs passages: retrieved ones, or
the `contexts` of a predictions file."""

from eval.metric import JudgedScore, Metric, ScoringCase
from eval.scoring.claims import check_claims
from eval.system import AskInRun


async def judge(case: ScoringCase, ask: AskInRun, votes: int) -> JudgedScore:
    return (await check_claims(case, case.prediction, "the answer", ask, votes)).score()


METRIC = Metric(counts=("unread",), judge=judge, reference="RAGChecker's and ragas' definition: tests check worked examples")
