"""crag_truthfulness: +1 for a correct answer, 0 for a missing one, -1 for a wrong one (CRAG's automatic scoring), so that its
mean is accuracy - hallucination. The parts accuracy, hallucination and missing are 1 or 0.

In order, on the answer's first 75 tokens: empty, or holding a phrase like "I don't know" = missing, also where the gold answer
is such a phrase; equal to a gold answer but for case = correct; with "invalid" in both = correct; else a judge decides on each
gold answer, up to the first success, but not where one side alone holds "invalid", which is wrong. Which rule decided stands
beside the score. A reply that cannot be read is no grade, where CRAG's own code takes it for a hallucination:
crag_truthfulness.unread counts it."""

from typing import Any

from core.tokens import tokens_before
from eval.judging import verdict
from eval.metric import Case, Judged, Metric, Unscored, Values
from eval.system import Ask
from prompts.prompt import load

PROMPT = "judge/correct"
"""Inputs question, answer and prediction; reply field correct: 0 or 1."""
TOKENS = 75
PHRASES = {
    "en": (
        "i don't know", "i do not know", "sorry, i can't find", "sorry, i cannot find",
        "cannot be answered from the given text",
    ),
    "zh": ("我不知道", "不知道答案", "抱歉，我找不到", "无法根据所给文本回答", "无法推断"),
}  # fmt: skip
"""What says that there is no answer."""
INVALID = "invalid"
GRADES = {"correct": 1.0, "missing": 0.0, "wrong": -1.0}


async def judge(case: Case, ask: Ask, votes: int) -> Judged:
    if not case.answers:
        return Judged({"": Unscored("no gold answer")})
    shown = cut(case.prediction, case.language)
    grade, rule = by_rule(shown, case)
    if grade:
        return Judged(values(grade), {"rule": rule})
    prompt, said, is_unread = load(PROMPT, case.language), list[dict[str, Any]](), False
    for gold in case.answers:
        if (INVALID in gold.lower()) != (INVALID in shown.lower()):
            continue
        inputs = {"question": case.question, "answer": gold, "prediction": shown}
        one = await verdict(ask, prompt, inputs, "correct", range(2), votes)
        said.append(one.record(side="correct", sentence=gold))
        is_unread = is_unread or one.value is None
        if one.value == 1:
            return Judged(values("correct"), {"rule": "the judge", "verdicts": said, "prompt": prompt.identity})
    details = {"rule": "the judge" if said else "only one side is invalid", "verdicts": said, "prompt": prompt.identity}
    if is_unread:
        why = Unscored("not read: the judge's verdict")
        return Judged({**dict.fromkeys(("", "accuracy", "hallucination", "missing"), why), "unread": 1.0}, details)
    return Judged(values("wrong"), details)


def cut(prediction: str, language: str) -> str:
    """The first TOKENS tokens, by core's estimate."""
    import numpy as np

    text = prediction.strip()
    return text[: int(np.searchsorted(tokens_before(text, language), TOKENS, side="right")) - 1].strip()


def by_rule(shown: str, case: Case) -> tuple[str, str]:
    """(grade, which rule); ("", "") when a judge must look."""
    low = shown.lower().replace("’", "'")
    if not low:
        return "missing", "empty"
    for phrase in PHRASES[case.language]:
        if phrase in low:
            return "missing", f"says “{phrase}”"
    for gold in case.answers:
        if low == gold.strip().lower().replace("’", "'"):
            return "correct", "equal to a gold answer"
        if INVALID in low and INVALID in gold.lower():
            return "correct", "both say invalid"
    return "", ""


def values(grade: str) -> Values:
    """All parts of a graded answer."""
    return {
        "": GRADES[grade], "accuracy": float(grade == "correct"), "hallucination": float(grade == "wrong"),
        "missing": float(grade == "missing"), "unread": 0.0,
    }  # fmt: skip


METRIC = Metric(
    version="1", low=-1.0, high=1.0, counts=("unread",), judge=judge,
    reference="CRAG's local evaluation: the order of its rules and its published figures, by tests",
)  # fmt: skip
