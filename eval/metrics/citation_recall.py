"""citation_recall: the share of the answer's sentences that the passages they cite, taken together, support (ALCE, Gao et al.
2023). A sentence that cites nothing, or nothing that is there, counts as not supported. Verdicts that could not be read are
counted in citation_recall.unread and enter nothing."""

from eval.citations import cited, why_not
from eval.claims import SUPPORT
from eval.metric import Case, Judged, Metric, Unscored
from eval.system import Ask
from prompts.prompt import load


async def judge(case: Case, ask: Ask, votes: int) -> Judged:
    if why := why_not(case):
        return Judged({"": Unscored(why)})
    found = await cited(case, ask, votes)
    read = [one.value for one in found if one.value is not None]
    value = sum(read) / len(read) if read else Unscored("not read: no verdict could be read")
    verdicts = [one.held.record("cites " + ", ".join(map(str, one.numbers))) for one in found if one.held]
    details = {"verdicts": verdicts, "prompt": load(SUPPORT, case.language).identity}
    return Judged({"": value, "unread": float(len(found) - len(read))}, details)


METRIC = Metric(
    version="1", low=0.0, high=1.0, counts=("unread",), judge=judge,
    reference="ALCE's definition, by worked examples, by tests",
)  # fmt: skip
