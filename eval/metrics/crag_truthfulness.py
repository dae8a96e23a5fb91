"""crag_truthfulness: 1 for a correct answer, 0 for a missing answer, -1 for a wrong answer (CRAG's automatic scoring), so that
its mean is accuracy - hallucination. The parts accuracy, hallucination and missing are 1 or 0.

Only the first `tokens` tokens of the answer count. The first rule that applies decides: an empty answer, a refused call, or an
answer that contains one of the `phrases` ("I don't know") is missing, even if the gold answer is such a phrase; an answer that
equals a gold answer except for case and punctuation is correct; then the rule for false premises (`premise`) applies; then a
judge compares the answer with each gold answer in turn, until one matches. The name of the deciding rule is stored with the
score.

Settings: `premise` is judge (correct if answer and gold answer both contain "invalid"; the judge decides all other cases),
strict (only the words "invalid question" match a gold answer "invalid question") or reference (like judge, but wrong if only
one side contains "invalid", as in CRAG's code). `tokens` is the number of tokens that count; 0 = all of them. `tokenizer` is
estimate (an estimate of a model's tokens) or words (split at white space). The setting `phrases` replaces the built-in list of
phrases that mean a missing answer.

If the judge's call fails or its verdict is unreadable, the answer gets no grade, and crag_truthfulness.unread counts it.
crag_truthfulness.failures_wrong is the score in which such an answer counts as a hallucination, as in CRAG's own code."""

import re
from types import MappingProxyType
from typing import Any

import numpy as np

from core.errors import AgentError
from core.quality.crag import INVALID_QUESTION
from core.text.language import ByLanguage
from core.text.tokens import tokens_before
from eval.metric import NO_GOLD, JudgedScore, Metric, ScoringCase, Unscored, Values
from eval.retriever import Embedders
from eval.scoring.judging import ask_verdict
from eval.settings import Settings, read_choice, read_texts, read_whole_number
from eval.system import AskInRun
from prompts.prompt import load

PROMPT = "judge/correct"
"""Prompt with which a judge grades an answer: its inputs are question, answer and prediction, its reply field `correct` is 0 or
1."""
PHRASES = ByLanguage(
    {
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
)
"""Phrases by which an answer counts as missing: phrases of refusal, and phrases that ask the user a question in return."""
INVALID = "invalid"
GRADES = {"correct": 1.0, "missing": 0.0, "wrong": -1.0}
PREMISES = ("judge", "strict", "reference")
TOKENIZERS = ("estimate", "words")
MAX_TOKENS = 75
SETTINGS: Settings = MappingProxyType({"premise": "judge", "tokens": MAX_TOKENS, "tokenizer": "estimate", "phrases": []})
PREMISE_RULES = {
    "strict": "a false premise, met by “invalid question” alone",
    "reference": "only one side is invalid",
    "judge": "",
}
"""A dict from the policy on false premises to the name of the rule that decides in place of a judge."""
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ′`´", "'"))
_EDGES = re.compile(r"^[^\w$€£¥%+-]+|(?<![^\w$€£¥%])[^\w$€£¥%]+$")
"""Pattern of the punctuation around a word, without the sign of a number."""


async def judge(case: ScoringCase, ask: AskInRun, votes: int, settings: Settings = SETTINGS) -> JudgedScore:
    if not case.answers:
        return JudgedScore({"": NO_GOLD})
    if case.extra.get("stop") == "refused":
        return JudgedScore(list_parts("missing"), {"rule": "a refused call"})
    prediction = cut_prediction(case.prediction, case.language, settings)
    grade, rule = grade_by_rule(prediction, case, settings)
    premise = read_choice(settings, "premise", PREMISES)
    if grade:
        return JudgedScore(list_parts(grade), {"rule": rule, "premise": premise})
    prompt, verdicts, why = load(PROMPT, case.language), list[dict[str, Any]](), ""

    def details(rule: str) -> dict[str, Any]:
        return {"rule": rule, "premise": premise, "verdicts": verdicts, "prompt": prompt.identity}

    for gold in case.answers:
        if not needs_judge(gold, prediction, premise):
            continue
        inputs = {"question": case.question, "answer": gold, "prediction": prediction}
        try:
            verdict = await ask_verdict(ask, prompt, inputs, "correct", range(2), votes)
        except AgentError as failed:
            if failed.stops_job:
                raise
            why = f"judge failed ({failed.kind}): {failed}"
            continue
        verdicts.append(verdict.record(side="correct", sentence=gold))
        why = why or ("not read: the judge's verdict" if verdict.value is None else "")
        if verdict.value == 1:
            return JudgedScore(list_parts("correct"), details("the judge"))
    if why:
        parts: Values = dict.fromkeys(("", "accuracy", "hallucination", "missing"), Unscored(why))
        return JudgedScore({**parts, "unread": 1.0, "failures_wrong": GRADES["wrong"]}, details("the judge"))
    return JudgedScore(list_parts("wrong"), details("the judge" if verdicts else PREMISE_RULES[premise]))


def cut_prediction(prediction: str, language: str, settings: Settings = SETTINGS) -> str:
    """Return the first tokens of the answer, as many as the settings allow."""
    text, limit = prediction.strip(), read_whole_number(settings, "tokens", MAX_TOKENS)
    if not limit:
        return text
    if read_choice(settings, "tokenizer", TOKENIZERS) == "words":
        match = re.match(rf"(?:\S+\s*){{0,{limit}}}", text)
        return match[0].strip() if match else ""
    return text[: int(np.searchsorted(tokens_before(text, language), limit, side="right")) - 1].strip()


def grade_by_rule(prediction: str, case: ScoringCase, settings: Settings = SETTINGS) -> tuple[str, str]:
    """Grade the answer by rules: return (grade, name of the deciding rule), or ("", "") if a judge must decide."""
    low = lower_text(prediction)
    if not low:
        return "missing", "empty"
    for phrase in read_texts(settings, "phrases") or PHRASES[case.language]:
        if lower_text(phrase) in low:
            return "missing", f"says “{phrase}”"
    is_strict = settings.get("premise") == "strict"
    for gold in case.answers:
        if strip_punctuation(low) and strip_punctuation(low) == strip_punctuation(gold):
            return "correct", "equal to a gold answer"
        if not is_strict and INVALID in low and INVALID in gold.lower():
            return "correct", "both say invalid"
    return "", ""


def needs_judge(gold: str, prediction: str, premise: str) -> bool:
    """Check whether a judge must grade the answer, under the policy `premise` for questions with a false premise."""
    if premise == "strict":
        return strip_punctuation(gold) != INVALID_QUESTION
    return premise == "judge" or (INVALID in gold.lower()) == (INVALID in prediction.lower())


def lower_text(text: str) -> str:
    """Return the text in lower case, with uniform apostrophes and single spaces."""
    return " ".join(text.translate(_APOSTROPHES).lower().split())


def strip_punctuation(text: str) -> str:
    """Return the text in lower case, without punctuation around words."""
    return " ".join(filter(None, (_EDGES.sub("", word) for word in lower_text(text).split())))


def list_parts(grade: str) -> Values:
    """Return the values of all parts of the metric for a graded answer: truthfulness, accuracy, hallucination and missing."""
    return {
        "": GRADES[grade],
        "accuracy": float(grade == "correct"),
        "hallucination": float(grade == "wrong"),
        "missing": float(grade == "missing"),
        "unread": 0.0,
        "failures_wrong": GRADES[grade],
    }


def describe_settings(settings: Settings, embedders: Embedders) -> str:
    """Return the policy on false premises and the maximum number of tokens of an answer, as a text for the version of a score.
    Raises BenchError for an invalid setting."""
    premise, tokenizer = read_choice(settings, "premise", PREMISES), read_choice(settings, "tokenizer", TOKENIZERS)
    tokens, phrases = read_whole_number(settings, "tokens", MAX_TOKENS), read_texts(settings, "phrases")
    trimmed = f"{tokens} {tokenizer} tokens" if tokens else "untrimmed"
    return ", ".join([f"premise {premise}", trimmed, *([f"phrases {'|'.join(phrases)}"] if phrases else [])])


METRIC = Metric(
    version="2",
    low=-1.0,
    counts=("unread",),
    judge=judge,
    settings=SETTINGS,
    describe_settings=describe_settings,
    scores_refusals=True,
    reference="CRAG's local evaluation: tests check the order of its rules and its published figures",
)
