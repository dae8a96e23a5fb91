"""nuggets: the share of the nuggets, which are the facts of a good answer, that the answer contains, from 0 to 1. The formulas
are those of AutoNuggetizer, of the TREC RAG track (arXiv 2411.09607 and 2504.15068). A nugget is vital (a good answer must
contain it) or okay (it may contain it). A judge says of each nugget whether the answer supports it (s = 1), supports it partly
(s = 0.5) or not (s = 0).

nuggets.all is the mean of s over all nuggets; nuggets.vital is the mean over the vital nuggets; nuggets.weighted is the sum of
w · s divided by the sum of w, where w is 1 for a vital and 0.5 for an okay nugget. nuggets.all_strict, nuggets.vital_strict and
nuggets.weighted_strict count partial support as none. Tables show nuggets.vital_strict, the paper's main score, if they have
only one column for this metric. The value of a data set is the mean over its items. nuggets.nuggets is the number of nuggets;
nuggets.unread counts nuggets without a readable verdict, which are left out of all sums.

An item without a vital nugget has no vital score but a reason; the code of AutoNuggetizer gives it 0. An empty answer gets 0
without a call. One call drafts the nuggets from question, gold answer and evidence, once for all systems, and one call judges
all nuggets of an answer. A line of a predictions file may contain its own `nuggets`: a list of {"text", "importance"}; a
workspace stores such a list for each gold answer, and users can edit the list. Only the first gold answer is used."""

from collections.abc import Iterable, Sequence
from typing import Any

from eval.metric import JudgedScore, Metric, ScoringCase, Unscored, Values
from eval.scoring.nuggets import SUPPORT, CheckedNugget, check_nuggets, describe_set, prepare_nuggets
from eval.system import AskInRun
from prompts.prompt import load

SHARES = ("all", "all_strict", "vital", "vital_strict", "weighted", "weighted_strict")
WEIGHTS = {"vital": 1.0, "okay": 0.5}
"""Dict from importance to the weight of a nugget in the weighted scores (arXiv 2411.09607)."""


async def judge(case: ScoringCase, ask: AskInRun, votes: int) -> JudgedScore:
    details: dict[str, Any] = {}
    nuggets = await prepare_nuggets(case, ask, details)
    if isinstance(nuggets, Unscored):
        return JudgedScore(dict.fromkeys(SHARES, nuggets), details)
    checked = await check_nuggets(ask, case.question, case.prediction, nuggets, case.language, votes)
    details |= {"verdicts": [one.record() for one in checked], "prompt": load(SUPPORT, case.language).identity}
    return JudgedScore(score_nuggets(checked), details)


def score_nuggets(checked: Sequence[CheckedNugget]) -> Values:
    """Return the six scores of an answer, with the number of its nuggets and of those without a readable verdict."""
    vital = [one for one in checked if one.nugget.importance == "vital"]
    no_vital = "" if vital else "no vital nugget"
    values: dict[str, float | Unscored] = {}
    for suffix, is_strict in (("", False), ("_strict", True)):
        values[f"all{suffix}"] = _average(((1.0, one) for one in checked), is_strict)
        values[f"vital{suffix}"] = _average(((1.0, one) for one in vital), is_strict, no_vital)
        values[f"weighted{suffix}"] = _average(((WEIGHTS[one.nugget.importance], one) for one in checked), is_strict)
    unread = sum(one.value is None for one in checked)
    return {**values, "nuggets": float(len(checked)), "unread": float(unread)}


def _average(weighed: Iterable[tuple[float, CheckedNugget]], is_strict: bool, why: str = "") -> float | Unscored:
    """Return the weighted mean of the nuggets with a readable verdict, or Unscored with the reason `why` if no verdict is
    readable."""
    read = [(weight, one.value) for weight, one in weighed if one.value is not None]
    if not read:
        return Unscored(why or "not read: no verdict could be read")
    total = sum(weight * (float(value == 1) if is_strict else value) for weight, value in read)
    return total / sum(weight for weight, _ in read)


METRIC = Metric(
    headline="vital_strict",
    counts=("nuggets", "unread"),
    judge=judge,
    describe_case=describe_set,
    reference="AutoNuggetizer's formulas: tests check worked examples of all six scores",
)
