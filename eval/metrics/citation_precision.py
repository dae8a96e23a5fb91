"""citation_precision: the share of the answer's citations whose passage, by the judge's word, is one of those that support the
sentence they stand at (ALCE, Gao et al. 2023). A citation of a passage that is not there is wrong. It asks what citation_recall
asks. An answer that cites nothing has no value; verdicts that could not be read are counted in citation_precision.unread."""

from eval.metric import JudgedScore, Metric, ScoringCase, Unscored
from eval.scoring.citations import explain_unjudged, judge_citations
from eval.scoring.claims import SUPPORT
from eval.system import AskInRun
from prompts.prompt import load


async def judge(case: ScoringCase, ask: AskInRun, votes: int) -> JudgedScore:
    if why := explain_unjudged(case):
        return JudgedScore({"": Unscored(why)})
    found = await judge_citations(case, ask, votes)
    right: list[int] = []
    for one in found:
        named = one.held.passages if one.held else frozenset[int]()
        right += [int(number in named) for number in one.numbers] if named is not None else []
    unread = float(sum(one.value is None for one in found))
    value = sum(right) / len(right) if right else Unscored("not read: no verdict could be read" if unread else "no citation")
    verdicts = [one.held.record("cites " + ", ".join(map(str, one.numbers))) for one in found if one.held]
    details = {"verdicts": verdicts, "prompt": load(SUPPORT, case.language).identity}
    return JudgedScore({"": value, "unread": unread}, details)


METRIC = Metric(
    version="1",
    low=0.0,
    high=1.0,
    counts=("unread",),
    judge=judge,
    reference="ALCE's definition, by worked examples, by tests",
)
