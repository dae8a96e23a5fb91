"""s_f1: HawkBench's sentence F1 for long answers, from 0 to 1: the mean of s_f1.precision and s_f1.recall. s_f1.precision is
the share of the answer's sentences that the first gold answer contains, and s_f1.recall is the share of the gold answer's
sentences that the answer contains, both according to a judge.

The value of a data set is computed as in the paper: the arithmetic mean of mean precision and mean recall, each over the items
that have it. The value of an item is the arithmetic mean of its precision and recall; s_f1.harmonic is their harmonic mean. An
empty answer has no precision, but its recall is judged. s_f1.unread counts unreadable verdicts, which are left out of precision
and recall. The project's own sentence splitter splits both answers.

Settings: `claims=nuggets` takes the item's nuggets, which people can edit, in place of the gold answer's sentences for recall;
that is not HawkBench's definition."""

from collections.abc import Mapping
from typing import Any

from core.agent import WaitingCalls
from core.text.sentences import list_sentences
from eval.metric import NO_GOLD, JudgedScore, Metric, ScoringCase, Unscored
from eval.scoring.judging import ask_verdict
from eval.scoring.nuggets import CLAIMS_SETTING, describe_claim_set, describe_claims, prepare_nuggets, takes_nuggets
from eval.settings import Settings
from eval.system import AskInRun
from prompts.prompt import load

PROMPT = "judge/containment"
"""Prompt that asks a judge whether a text contains a sentence: its inputs are `reference` and `sentence`, its reply field
`contained` is 0 or 1."""


async def judge(case: ScoringCase, ask: AskInRun, votes: int, settings: Settings = CLAIMS_SETTING) -> JudgedScore:
    if not case.answers:
        return JudgedScore({"": NO_GOLD})
    prompt, gold = load(PROMPT, case.language), case.answers[0]
    details: dict[str, Any] = {}
    claims = list_sentences(gold, case.language)
    if takes_nuggets(settings):
        nuggets = await prepare_nuggets(case, ask, details)
        if isinstance(nuggets, Unscored):
            return JudgedScore({"": nuggets}, details)
        claims = [nugget.text for nugget in nuggets]
    sides: dict[str, float | Unscored] = {}
    verdicts: list[dict[str, Any]] = []
    unread = 0
    waiting = WaitingCalls()
    own = list_sentences(case.prediction, case.language)
    for side, sentences, reference in (("precision", own, gold), ("recall", claims, case.prediction)):
        values = []
        for sentence in sentences:
            inputs = {"reference": reference, "sentence": sentence}
            with waiting.hold():
                verdict = await ask_verdict(ask, prompt, inputs, "contained", range(2), votes)
                values.append(verdict.value)
                verdicts.append(verdict.record(side=side, sentence=sentence))
        read = [value for value in values if value is not None]
        unread += len(values) - len(read)
        why = "no verdict could be read" if values else f"no sentence to judge for {side}"
        sides[side] = sum(read) / len(read) if read else Unscored(why)
    waiting.raise_first()
    details |= {"verdicts": verdicts, "prompt": prompt.identity}
    return JudgedScore({**_join_sides(sides["precision"], sides["recall"]), **sides, "unread": float(unread)}, details)


def _join_sides(precision: float | Unscored, recall: float | Unscored) -> dict[str, float | Unscored]:
    if isinstance(precision, Unscored) or isinstance(recall, Unscored):
        return dict.fromkeys(("", "harmonic"), precision if isinstance(precision, Unscored) else recall)
    harmonic = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {"": (precision + recall) / 2, "harmonic": harmonic}


def derive_value(means: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the data set's s_f1 from its mean precision and mean recall."""
    return {"": (means["precision"] + means["recall"]) / 2} if {"precision", "recall"} <= means.keys() else {}


METRIC = Metric(
    counts=("unread",),
    settings=CLAIMS_SETTING,
    judge=judge,
    describe_settings=describe_claims,
    describe_case=describe_claim_set,
    derived=derive_value,
    reference="HawkBench's definition: tests check worked examples",
)
