"""faithfulness: the share of the answer's claims that the passages support. One call takes the answer apart into claims, one
holds them all against the passages; claims whose verdict could not be read are counted in faithfulness.unread and enter
nothing. An answer without a claim (empty, a refusal) has no value. Needs passages: retrieved, or `contexts` of a predictions
file."""

from eval.metric import JudgedScore, Metric, ScoringCase
from eval.scoring.claims import build_score, check_claims
from eval.system import AskInRun


async def judge(case: ScoringCase, ask: AskInRun, votes: int) -> JudgedScore:
    found = await check_claims(case, case.prediction, "the answer", ask, votes)
    return build_score(found, found.share())


METRIC = Metric(
    version="1",
    low=0.0,
    high=1.0,
    counts=("unread",),
    judge=judge,
    reference="RAGChecker's and ragas' definition, by worked examples, by tests",
)
