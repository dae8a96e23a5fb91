"""s_f1: HawkBench's sentence F1 for long answers. A judge says of each predicted sentence whether the first gold answer
contains it (s_f1.precision: the share that it does) and of each gold sentence whether the prediction contains it
(s_f1.recall).

The value of a data set is the paper's: the arithmetic mean of the two sides' means, each over the items that have that side. Of
one item it is the mean of its two sides, s_f1.harmonic their harmonic mean. An empty prediction has no precision, its recall is
still judged. s_f1.unread counts verdicts that could not be read; they enter no side. Sentences are cut by our own splitter."""

from collections.abc import Mapping
from typing import Any

from core.text.text import split_sentences
from eval.metric import JudgedScore, Means, Metric, ScoringCase, Unscored, Values
from eval.scoring.judging import JudgeVerdict, ask_verdict
from eval.system import AskInRun
from prompts.prompt import load

PROMPT = "judge/containment"
"""Inputs reference and sentence; reply field contained: 0 or 1."""


async def judge(case: ScoringCase, ask: AskInRun, votes: int) -> JudgedScore:
    if not case.answers:
        return JudgedScore({"": Unscored("no gold answer")})
    prompt, gold = load(PROMPT, case.language), case.answers[0]
    found: dict[str, list[JudgeVerdict]] = {"precision": [], "recall": []}
    details: list[dict[str, Any]] = []
    for side, text, reference in (("precision", case.prediction, gold), ("recall", gold, case.prediction)):
        for start, end in split_sentences(text, case.language):
            inputs = {"reference": reference, "sentence": text[start:end]}
            one = await ask_verdict(ask, prompt, inputs, "contained", range(2), votes)
            found[side].append(one)
            details.append(one.record(side=side, sentence=text[start:end]))
    return JudgedScore(_values(found), {"verdicts": details, "prompt": prompt.identity})


def _values(found: Mapping[str, list[JudgeVerdict]]) -> Values:
    sides = {side: _side(side, verdicts) for side, verdicts in found.items()}
    unread = float(sum(v.value is None for verdicts in found.values() for v in verdicts))
    precision, recall = sides["precision"], sides["recall"]
    if isinstance(precision, Unscored) or isinstance(recall, Unscored):
        why = precision if isinstance(precision, Unscored) else recall
        return {"": why, "harmonic": why, **sides, "unread": unread}
    harmonic = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {"": (precision + recall) / 2, "harmonic": harmonic, **sides, "unread": unread}


def _side(side: str, verdicts: list[JudgeVerdict]) -> float | Unscored:
    read = [v.value for v in verdicts if v.value is not None]
    if read:
        return sum(read) / len(read)
    return Unscored("no verdict could be read" if verdicts else f"no sentence to judge for {side}")


def derive_value(means: Mapping[str, Means]) -> Mapping[str, Means]:
    """The data set's value from the means of its two sides."""
    return {"": (means["precision"] + means["recall"]) / 2} if {"precision", "recall"} <= means.keys() else {}


METRIC = Metric(
    version="1",
    low=0.0,
    high=1.0,
    counts=("unread",),
    judge=judge,
    derived=derive_value,
    reference="HawkBench's definition, by worked examples, by tests",
)
