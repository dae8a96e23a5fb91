"""citation_precision: share of the answer's citations, from 0 to 1, whose passage supports the citing sentence according to the
judge (ALCE, Gao et al. 2023). A citation of a passage that does not exist counts as wrong. The metric makes the same calls as
citation_recall. An answer without citations has no value. citation_precision.unread counts unreadable verdicts; citations in
sentences with such a verdict are left out of the share."""

from collections.abc import Sequence

from eval.metric import JudgedScore, Metric, ScoringCase, Unscored
from eval.scoring.citations import CitedSentence, score_citations
from eval.system import AskInRun


async def judge(case: ScoringCase, ask: AskInRun, votes: int) -> JudgedScore:
    return await score_citations(case, ask, votes, _average_citations)


def _average_citations(sentences: Sequence[CitedSentence]) -> float | Unscored:
    right: list[bool] = []
    for sentence in sentences:
        supporting = sentence.checked.passages if sentence.checked else frozenset[int]()
        right += [number in supporting for number in sentence.numbers] if supporting is not None else []
    if right:
        return sum(right) / len(right)
    is_unread = any(sentence.value is None for sentence in sentences)
    return Unscored("not read: no verdict could be read" if is_unread else "no citation")


METRIC = Metric(judge=judge, counts=("unread",), reference="Citation precision as ALCE defines it: tests check worked examples")
