"""citation_recall: share of the answer's sentences, from 0 to 1, that are supported by the passages they cite, taken together
(ALCE, Gao et al. 2023). A sentence without citations, or that cites only passages that do not exist, counts as unsupported.
citation_recall.unread counts unreadable verdicts, which are left out of the share."""

from eval.metric import JudgedScore, Metric, ScoringCase
from eval.scoring.citations import score_citations
from eval.scoring.claims import average_verdicts
from eval.system import AskInRun


async def judge(case: ScoringCase, ask: AskInRun, votes: int) -> JudgedScore:
    return await score_citations(case, ask, votes, lambda cited: average_verdicts([sentence.value for sentence in cited]))


METRIC = Metric(judge=judge, counts=("unread",), reference="Citation recall as ALCE defines it: tests check worked examples")
