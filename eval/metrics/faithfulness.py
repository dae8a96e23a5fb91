"""faithfulness: the share of the answer's claims that the passages support. One call takes the answer apart into claims, one
holds them all against the passages; claims whose verdict could not be read are counted in faithfulness.unread and enter
nothing. An answer without a claim (empty, a refusal) has no value. Needs passages: retrieved, or `contexts` of a predictions
file."""

from eval.claims import held_against, judged
from eval.metric import Case, Judged, Metric
from eval.system import Ask


async def judge(case: Case, ask: Ask, votes: int) -> Judged:
    found = await held_against(case, case.prediction, "the answer", ask, votes)
    return judged(found, found.share())


METRIC = Metric(
    version="1", low=0.0, high=1.0, counts=("unread",), judge=judge,
    reference="RAGChecker's and ragas' definition, by worked examples, by tests",
)  # fmt: skip
