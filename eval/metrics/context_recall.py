"""context_recall: share of the gold answer's claims, from 0 to 1, that the passages support, regardless of the system's answer.
The gold answer is split into claims once for all systems. context_recall.unread counts claims with an unreadable verdict, which
are left out of the share.

Settings: `claims=nuggets` takes the item's nuggets, which people can edit, as the claims of the gold answer; vital and okay
nuggets count equally."""

from typing import Any

from eval.metric import NO_GOLD, JudgedScore, Metric, ScoringCase, Unscored
from eval.scoring.claims import NO_PASSAGES, check_claims, check_given_claims
from eval.scoring.nuggets import CLAIMS_SETTING, describe_claim_set, describe_claims, prepare_nuggets, takes_nuggets
from eval.settings import Settings
from eval.system import AskInRun


async def judge(case: ScoringCase, ask: AskInRun, votes: int, settings: Settings = CLAIMS_SETTING) -> JudgedScore:
    if takes_nuggets(settings):
        return await _judge_nuggets(case, ask, votes)
    if not case.answers:
        return JudgedScore({"": NO_GOLD})
    return (await check_claims(case, case.answers[0], "the gold answer", ask, votes)).score()


async def _judge_nuggets(case: ScoringCase, ask: AskInRun, votes: int) -> JudgedScore:
    if not case.contexts:
        return JudgedScore({"": Unscored(NO_PASSAGES)})
    details: dict[str, Any] = {}
    nuggets = await prepare_nuggets(case, ask, details)
    if isinstance(nuggets, Unscored):
        return JudgedScore({"": nuggets}, details)
    claims = [nugget.text for nugget in nuggets]
    return (await check_given_claims(case, claims, "gold nugget", ask, votes, details)).score()


METRIC = Metric(
    counts=("unread",),
    settings=CLAIMS_SETTING,
    judge=judge,
    describe_settings=describe_claims,
    describe_case=describe_claim_set,
    reference="RAGChecker's claim recall: tests check worked examples",
)
