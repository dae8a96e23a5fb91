"""citation_recall: the share of the answer's sentences that the passages they cite, taken together, support (ALCE, Gao et al.
2023). A sentence that cites nothing, or only passages that do not exist, counts as not supported. Verdicts that could not be
read are counted in citation_recall.unread and left out of the share."""

from eval.metric import JudgedScore, Metric, ScoringCase
from eval.scoring.citations import score_citations
from eval.scoring.claims import average_verdicts
from eval.system import AskInRun


async def judge(case: ScoringCase, ask: AskInRun, votes: int) -> JudgedScore:
    return await score_citations(case, ask, votes, lambda cited: average_verdicts([sentence.value for sentence in cited]))


METRIC = Metric(judge=judge, counts=("unread",), reference="ALCE's definition, by worked examples, by tests")
