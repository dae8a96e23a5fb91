"""crag_truthfulness: +1 for a correct answer, 0 for a missing one, -1 for a wrong one (CRAG's automatic scoring), so that its
mean is accuracy - hallucination. The parts accuracy, hallucination and missing are 1 or 0.

In order, on the answer's first `tokens` tokens: empty, a call that was refused, or words of one of the `phrases` ("I don't
know") = missing, also where the gold is such a phrase; equal to a gold but for case and punctuation = correct; then false
premises, then a judge on each gold in turn, up to the first success. Which rule decided stands beside the score.

premise    judge: where both sides hold "invalid" it is correct, all else the judge decides; strict: a gold "invalid question"
           is met by these words alone; reference: as CRAG's code, where "invalid" on one side alone is wrong
tokens     tokens that count; 0 = all of them. tokenizer: estimate (core's) or words (white space)
phrases    what says that there is no answer, in the place of our own list

A verdict of the judge that failed or cannot be read is no grade, and crag_truthfulness.unread counts it; failures_wrong is the
score that takes it for a hallucination, as CRAG's own code does."""

import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from core.errors import AgentError, BenchError
from core.quality.crag import INVALID_QUESTION
from core.text.tokens import tokens_before
from eval.metric import JudgedScore, Metric, ScoringCase, Unscored, Values
from eval.retriever import Embedders
from eval.running.settings import read_choice, read_whole_number, shorten_value
from eval.scoring.judging import ask_verdict
from eval.system import AskInRun
from prompts.prompt import load

PROMPT = "judge/correct"
"""Inputs question, answer and prediction; reply field correct: 0 or 1."""
PHRASES = {
    "en": (
        "i don't know",
        "i do not know",
        "sorry, i can't find",
        "sorry, i cannot find",
        "cannot be answered from the given text",
        "could you clarify",
        "please clarify",
        "could you specify",
        "do you mean",
    ),
    "zh": ("我不知道", "不知道答案", "抱歉，我找不到", "无法根据所给文本回答", "无法推断", "您是指", "你是指"),
}
"""What says that there is no answer, or asks back."""
INVALID = "invalid"
GRADES = {"correct": 1.0, "missing": 0.0, "wrong": -1.0}
PREMISES = ("judge", "strict", "reference")
TOKENIZERS = ("estimate", "words")
SETTINGS: Mapping[str, Any] = MappingProxyType({"premise": "judge", "tokens": 75, "tokenizer": "estimate", "phrases": []})
PREMISE_RULE = {
    "strict": "a false premise, met by “invalid question” alone",
    "reference": "only one side is invalid",
    "judge": "",
}
"""Policy -> the rule that decides where it leaves no gold to the judge."""
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ′`´", "'"))
_EDGES = re.compile(r"^[^\w$€£¥%+-]+|(?<![^\w$€£¥%])[^\w$€£¥%]+$")
"""Punctuation around a word; the sign of a number is none."""


async def judge(case: ScoringCase, ask: AskInRun, votes: int, settings: Mapping[str, Any] = SETTINGS) -> JudgedScore:
    if not case.answers:
        return JudgedScore({"": Unscored("no gold answer")})
    if case.extra.get("stop") == "refused":
        return JudgedScore(list_parts("missing"), {"rule": "a refused call"})
    shown_ = cut_prediction(case.prediction, case.language, settings)
    grade, rule = grade_by_rule(shown_, case, settings)
    policy = read_choice(settings, "premise", PREMISES)
    if grade:
        return JudgedScore(list_parts(grade), {"rule": rule, "premise": policy})
    prompt, said, why = load(PROMPT, case.language), list[dict[str, Any]](), ""
    for gold in case.answers:
        if not needs_judge(gold, shown_, policy):
            continue
        inputs = {"question": case.question, "answer": gold, "prediction": shown_}
        try:
            one = await ask_verdict(ask, prompt, inputs, "correct", range(2), votes)
        except AgentError as failed:
            if failed.stops_job:
                raise
            why = f"judge failed ({failed.kind}): {failed}"
            continue
        said.append(one.record(side="correct", sentence=gold))
        why = why or ("not read: the judge's verdict" if one.value is None else "")
        if one.value == 1:
            return JudgedScore(list_parts("correct"), _details("the judge", policy, said, prompt.identity))
    details = _details("the judge" if said or why else PREMISE_RULE[policy], policy, said, prompt.identity)
    if why:
        parts: Values = dict.fromkeys(("", "accuracy", "hallucination", "missing"), Unscored(why))
        return JudgedScore({**parts, "unread": 1.0, "failures_wrong": GRADES["wrong"]}, details)
    return JudgedScore(list_parts("wrong"), details)


def cut_prediction(prediction: str, language: str, settings: Mapping[str, Any] = SETTINGS) -> str:
    """The tokens that count."""
    import numpy as np

    text, most = prediction.strip(), read_whole_number(settings, "tokens", int(SETTINGS["tokens"]))
    if not most:
        return text
    if read_choice(settings, "tokenizer", TOKENIZERS) == "words":
        found = re.match(rf"(?:\S+\s*){{0,{most}}}", text)
        return found[0].strip() if found else ""
    return text[: int(np.searchsorted(tokens_before(text, language), most, side="right")) - 1].strip()


def grade_by_rule(shown_: str, case: ScoringCase, settings: Mapping[str, Any] = SETTINGS) -> tuple[str, str]:
    """(grade, which rule); ("", "") when a judge must look."""
    low = lower_text(shown_)
    if not low:
        return "missing", "empty"
    for phrase in read_phrases(settings) or PHRASES[case.language]:
        if lower_text(phrase) in low:
            return "missing", f"says “{phrase}”"
    is_strict = settings.get("premise") == "strict"
    for gold in case.answers:
        if strip_punctuation(low) and strip_punctuation(low) == strip_punctuation(gold):
            return "correct", "equal to a gold answer"
        if not is_strict and INVALID in low and INVALID in gold.lower():
            return "correct", "both say invalid"
    return "", ""


def needs_judge(gold: str, shown_: str, policy: str) -> bool:
    """Whether the policy on false premises leaves that gold to the judge."""
    if policy == "strict":
        return strip_punctuation(gold) != INVALID_QUESTION
    return policy == "judge" or (INVALID in gold.lower()) == (INVALID in shown_.lower())


def read_phrases(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """The phrases that are set; () = our own."""
    found = settings.get("phrases", [])
    found = [found] if isinstance(found, str) else found
    if not isinstance(found, list) or not all(isinstance(one, str) and one.strip() for one in found):
        raise BenchError(f"The setting phrases is {shorten_value(found)}: give a list of texts, or leave it out.")
    return tuple(found)


def lower_text(text: str) -> str:
    """Lower case, one kind of apostrophe, single spaces."""
    return " ".join(text.translate(_APOSTROPHES).lower().split())


def strip_punctuation(text: str) -> str:
    """Lowered, without punctuation around words."""
    return " ".join(filter(None, (_EDGES.sub("", word) for word in lower_text(text).split())))


def list_parts(grade: str) -> Values:
    """All parts of a graded answer."""
    return {
        "": GRADES[grade],
        "accuracy": float(grade == "correct"),
        "hallucination": float(grade == "wrong"),
        "missing": float(grade == "missing"),
        "unread": 0.0,
        "failures_wrong": GRADES[grade],
    }


def _details(rule: str, policy: str, said: list[dict[str, Any]], prompt: str) -> dict[str, Any]:
    return {"rule": rule, "premise": policy, "verdicts": said, "prompt": prompt}


def judge_as(settings: Mapping[str, Any]) -> Callable[[ScoringCase, AskInRun, int], Awaitable[JudgedScore]]:
    """METRIC.judge_as."""
    return partial(judge, settings=settings)


def made_with(settings: Mapping[str, Any], embedders: Embedders) -> str:
    """METRIC.made_with: the policy on false premises, and what counts of an answer. Raises BenchError on what cannot be set."""
    policy = read_choice(settings, "premise", PREMISES)
    tokens, tokenizer = (
        read_whole_number(settings, "tokens", int(SETTINGS["tokens"])),
        read_choice(settings, "tokenizer", TOKENIZERS),
    )
    own = read_phrases(settings)
    trimmed = f"{tokens} {tokenizer} tokens" if tokens else "untrimmed"
    return ", ".join([f"premise {policy}", trimmed, *([f"phrases {'|'.join(own)}"] if own else [])])


METRIC = Metric(
    version="2",
    low=-1.0,
    high=1.0,
    counts=("unread",),
    judge=judge,
    judge_as=judge_as,
    settings=SETTINGS,
    made_with=made_with,
    refused_counts=True,
    reference="CRAG's local evaluation: the order of its rules and its published figures, by tests",
)
