"""context_recall: the share of the gold answer's claims that the passages support, whatever was answered from them. The gold
answer is taken apart once for all systems. Claims whose verdict could not be read are counted in context_recall.unread."""

from eval.claims import held_against, judged
from eval.metric import Case, Judged, Metric, Unscored
from eval.system import Ask


async def judge(case: Case, ask: Ask, votes: int) -> Judged:
    if not case.answers:
        return Judged({"": Unscored("no gold answer")})
    found = await held_against(case, case.answers[0], "the gold answer", ask, votes)
    return judged(found, found.share())


METRIC = Metric(
    version="1", low=0.0, high=1.0, counts=("unread",), judge=judge,
    reference="RAGChecker's claim recall, by worked examples, by tests",
)  # fmt: skip
