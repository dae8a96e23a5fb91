"""citation_recall: the share of the answer's sentences that the passages they cite, taken together, support (ALCE, Gao et al.
2023). A sentence that cites nothing, or nothing that is there, counts as not supported. Verdicts that could not be read are
counted in citation_recall.unread and enter nothing."""

from eval.metric import JudgedScore, Metric, ScoringCase, Unscored
from eval.scoring.citations import explain_unjudged, judge_citations
from eval.scoring.claims import SUPPORT
from eval.system import AskInRun
from prompts.prompt import load


async def judge(case: ScoringCase, ask: AskInRun, votes: int) -> JudgedScore:
    if why := explain_unjudged(case):
        return JudgedScore({"": Unscored(why)})
    found = await judge_citations(case, ask, votes)
    read = [one.value for one in found if one.value is not None]
    value = sum(read) / len(read) if read else Unscored("not read: no verdict could be read")
    verdicts = [one.held.record("cites " + ", ".join(map(str, one.numbers))) for one in found if one.held]
    details = {"verdicts": verdicts, "prompt": load(SUPPORT, case.language).identity}
    return JudgedScore({"": value, "unread": float(len(found) - len(read))}, details)


METRIC = Metric(
    version="1",
    low=0.0,
    high=1.0,
    counts=("unread",),
    judge=judge,
    reference="ALCE's definition, by worked examples, by tests",
)
