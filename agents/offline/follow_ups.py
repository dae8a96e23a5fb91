"""Understands follow-ups of a conversation by rules: the first pronoun of the question is replaced by the last answer, or else
by the last name in the questions before. A question without a pronoun, such as "And in 1931?", gets the last question put
before it if it has no name of its own."""

import re
from collections.abc import Sequence

from agents.offline.entities import named_in
from core.quality.conversations import Exchange, split_history
from core.text.refusals import is_refusal

MAX_REFERENT_CHARACTERS = 60
"""Maximum length of an answer that a pronoun can stand for."""
_THINGS = r"person|man|woman|film|movie|book|song|album|company|place|town|city|country|school|university|team|band|one"
_POSSESSIVE = re.compile(rf"\b(?:his|hers?|its|their|(?:this|that) (?:{_THINGS})'s)\b(?! (?:\?|$))", re.IGNORECASE)
_PRONOUN = re.compile(rf"\b(?:he|she|it|they|him|them|(?:this|that) (?:{_THINGS}))\b(?!'s)", re.IGNORECASE)
_THERE = re.compile(r"\bthere\b(?! (?:is|are|was|were)\b)", re.IGNORECASE)
_IS_THERE = re.compile(r"\b(?:is|are|was|were) there\b", re.IGNORECASE)
_PRONOUN_ZH = re.compile(
    r"(?:他|她|它)们?|此人|(?:这|那|该)(?:个人|位|部电影|部影片|本书|首歌|家公司|所学校|座城市|个地方|里|公司|片|书|人|校|市|县|院|馆|桥)"
    r"|其(?![他中实余次它间])"
)


def resolve(question: str, before: Sequence[Exchange], language: str) -> str:
    """Return the question so that it is understood without the turns before, as far as the rules can; unchanged if there are no
    turns before."""
    if not before:
        return question
    referent = _find_referent(before, language)
    if language == "zh":
        if referent and _PRONOUN_ZH.search(question):
            return _PRONOUN_ZH.sub(lambda match: referent, question, count=1)
        return question if named_in(question, "zh") else f"{before[-1].question}{question}"
    if referent:
        for pattern, words in ((_POSSESSIVE, f"{referent}'s"), (_PRONOUN, referent)):
            if pattern.search(question):
                return pattern.sub(words.replace("\\", r"\\"), question, count=1)
        if _THERE.search(question) and not _IS_THERE.search(question):
            return _THERE.sub(lambda match: f"in {referent}", question, count=1)
    return question if named_in(question, "en") else f"{before[-1].question} {question}"


def resolve_text(text: str, language: str) -> str:
    """Return the question of a text that may contain the turns before, so that the question is understood alone."""
    before, question = split_history(text)
    return resolve(question, before, language)


def standalone(conversation: str, question: str, language: str) -> str:
    """Return the question so that it is understood without the conversation, which has a line for each question and answer."""
    lines = [
        line.split("：" if language == "zh" else ": ", 1)[-1].strip() for line in conversation.splitlines() if line.strip()
    ]
    return resolve(question, [Exchange(*pair) for pair in zip(lines[::2], lines[1::2], strict=False)], language)


def _find_referent(before: Sequence[Exchange], language: str) -> str:
    """Return what a pronoun most likely stands for, or "" if nothing is found."""
    for one in reversed(before):
        answer = one.answer.strip().rstrip(".。")
        is_name = bool(named_in(answer, language)) or (language == "zh" and 2 <= len(answer) <= 12)
        if answer and len(answer) <= MAX_REFERENT_CHARACTERS and is_name and not is_refusal(answer) and not answer[0].isdigit():
            return answer
        if named := named_in(one.question, language):
            return named[-1]
    return ""
