"""faithfulness: share of the answer's claims, from 0 to 1, that the passages support. One call splits the answer into claims,
and one call checks all claims against the passages. faithfulness.unread counts claims with an unreadable verdict, which are
left out of the share. An answer without a claim (empty, a refusal) has no value. The metric needs passages: retrieved ones, or
the `contexts` of a predictions file.

Settings: `claims=nuggets` takes those nuggets of the item that the answer states in full as its claims: the share of the right
facts in the answer that the system read, and did not remember. What else the answer states is then not judged."""

from typing import Any

from eval.metric import JudgedScore, Metric, ScoringCase, Unscored
from eval.scoring.claims import NO_PASSAGES, average_verdicts, check_claims, check_given_claims
from eval.scoring.nuggets import (
    CLAIMS_SETTING,
    check_nuggets,
    describe_claim_set,
    describe_claims,
    prepare_nuggets,
    takes_nuggets,
)
from eval.settings import Settings
from eval.system import AskInRun


async def judge(case: ScoringCase, ask: AskInRun, votes: int, settings: Settings = CLAIMS_SETTING) -> JudgedScore:
    if takes_nuggets(settings):
        return await _judge_nuggets(case, ask, votes)
    return (await check_claims(case, case.prediction, "the answer", ask, votes)).score()


async def _judge_nuggets(case: ScoringCase, ask: AskInRun, votes: int) -> JudgedScore:
    """Check the nuggets that the answer states. Both calls are those of the metrics nuggets and context_recall, so that all
    three have the same verdicts."""
    if not case.contexts:
        return JudgedScore({"": Unscored(NO_PASSAGES)})
    details: dict[str, Any] = {}
    nuggets = await prepare_nuggets(case, ask, details)
    if isinstance(nuggets, Unscored):
        return JudgedScore({"": nuggets}, details)
    stated = await check_nuggets(ask, case.question, case.prediction, nuggets, case.language, votes)
    unread = sum(one.value is None for one in stated)
    details["not in the answer"] = [one.nugget.text for one in stated if one.value != 1]
    if not any(one.value == 1 for one in stated):
        why = "no nugget in the answer" if unread < len(stated) else "not read: which nuggets the answer contains"
        return JudgedScore({"": Unscored(why), "unread": float(unread)}, details)
    checked = await check_given_claims(case, [nugget.text for nugget in nuggets], "gold nugget", ask, votes, {})
    claims = [claim for claim, one in zip(checked.claims, stated, strict=True) if one.value == 1]
    values = [claim.value for claim in claims]
    details |= {**checked.details, "verdicts": [claim.record("gold nugget") for claim in claims]}
    return JudgedScore({"": average_verdicts(values), "unread": float(unread + values.count(None))}, details)


METRIC = Metric(
    counts=("unread",),
    settings=CLAIMS_SETTING,
    judge=judge,
    describe_settings=describe_claims,
    describe_case=describe_claim_set,
    reference="RAGChecker's and ragas' definition: tests check worked examples",
)
