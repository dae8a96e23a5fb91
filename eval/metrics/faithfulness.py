"""faithfulness: the share of the answer's claims that the passages support. One call splits the answer into claims, one checks
them all against the passages; claims whose verdict could not be read are counted in faithfulness.unread and left out. An answer
without a claim (empty, a refusal) has no value. Needs passages: retrieved, or `contexts` of a predictions file."""

from eval.metric import JudgedScore, Metric, ScoringCase
from eval.scoring.claims import check_claims
from eval.system import AskInRun


async def judge(case: ScoringCase, ask: AskInRun, votes: int) -> JudgedScore:
    return (await check_claims(case, case.prediction, "the answer", ask, votes)).score()


METRIC = Metric(counts=("unread",), judge=judge, reference="RAGChecker's and ragas' definition, by worked examples, by tests")
