"""Offline rules for metrics that check claims: they take a text's sentences as its claims, find the passages that support a
claim, write gap questions (cloze questions) about numbers and names, and answer such questions."""

import re
from collections.abc import Mapping
from typing import Any

from agents.offline import answerer, judge
from core.text.english_names import names
from core.text.text import split_sentences

NUMBER = re.compile(r"\[(\d+)\]")
_FIGURE = re.compile(r"\d[\d.,]*\d|\d")
_GAP = "____"
_MAX_KEY_QUESTIONS = 3
"""Maximum number of gap questions about one sentence."""
_NOT_SAID = {"en": "unanswerable", "zh": "无法推断"}


def claims(text: str, language: str) -> list[str]:
    """Return the sentences of the text as its claims; [] if the text is a refusal to answer."""
    if text.strip().rstrip(".。") in answerer.REFUSAL.values():
        return []
    return [" ".join(text[start:end].split()) for start, end in split_sentences(text, language)]


def support(statements: str, context: str, language: str) -> list[dict[str, Any]]:
    """Return, for each numbered line of `statements`, {"claim", "passages"}: the number of the line, and the numbers of the
    lines of `context` that support the statement."""
    passages = judge.read_list(context, NUMBER)
    return [
        {"claim": int(number), "passages": [int(n) for n, passage in passages if judge.containment(passage, claim, language)]}
        for number, claim in judge.read_list(statements, NUMBER)
    ]


def correct(answer: str, prediction: str, language: str) -> Mapping[str, Any]:
    """Judge whether the prediction is correct: it contains the answer, or agrees with it in most words."""
    is_said = judge.containment(prediction, answer, language) or judge.agreement(answer, prediction, language) >= 6
    return {"correct": int(is_said), "why": "It says the answer." if is_said else "It does not say the answer."}


def questions(text: str, language: str) -> list[dict[str, str]]:
    """Return a question for each number and name in the text: the sentence with a gap ____ in place of the number or name."""
    questions: dict[str, str] = {}
    for sentence in claims(text, language):
        keys = [match[0] for match in _FIGURE.finditer(sentence)]
        keys += [name.text for name in names(sentence)] if language == "en" else re.findall(r"《[^《》]+》", sentence)
        for key in dict.fromkeys(keys[:_MAX_KEY_QUESTIONS]):
            questions.setdefault(key, sentence.replace(key, _GAP, 1))
    return [{"key": key, "question": question} for key, question in questions.items()]


def answers(text: str, asked: str, language: str) -> list[str]:
    """Return, for each numbered gap question, the words that fill its gap in the text. For a question without a gap, returns
    the answer that answerer.py extracts from the text."""
    return [_answer(text, question, language) for _, question in judge.read_list(asked, NUMBER)]


def _answer(text: str, question: str, language: str) -> str:
    flat = " ".join(text.split())
    before, gap, after = question.partition(_GAP)
    if gap:
        match = re.search(f"{re.escape(before[-12:])}(.{{1,60}}?){re.escape(after[:12])}", flat) if before or after else None
        return match[1].strip() if match else _NOT_SAID[language]
    said = answerer.answer(question, flat, language)
    return _NOT_SAID[language] if said == answerer.REFUSAL[language] else said
