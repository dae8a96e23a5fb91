"""Flag a draft whose question or answer is in another language than the item's declared language. Quoted text is ignored, and
so is a short answer, which may be a name in another language. core/text/detection.py detects the language."""

import re
from unicodedata import normalize

from builders.gate import Finding, Gate, GateContext
from core.nouns import Item
from core.text.detection import detect
from core.text.language import UNKNOWN, language_name
from core.text.scripts import UNSPACED
from core.text.words import words

MIN_ANSWER_WORDS = 8
"""Least number of words in an answer whose language is checked; a shorter answer may be a name."""
QUOTED_TEXT = re.compile(r"《[^《》]*》|〈[^〈〉]*〉|「[^「」]*」|『[^『』]*』|“[^“”]*”|«[^«»]*»|\"[^\"]*\"|‘[^‘’]*’(?!\w)")
"""Pattern of quoted text, whose language is not checked because it may be foreign."""
UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")


def check(item: Item, context: GateContext) -> Finding:
    if item.language == UNKNOWN:
        return Finding("not run", "The item's language is not known, so the language of its words cannot be checked.")
    long_answers = (answer for answer in item.answers if len(words(answer, item.language)) >= MIN_ANSWER_WORDS)
    for name, text in [("question", item.question), *(("answer", answer) for answer in long_answers)]:
        other = find_other_language(text, item.language)
        if other:
            said, declared = language_name(other), language_name(item.language)
            why = f"The {name} is in {said}, and the item is declared to be in {declared}."
            return Finding("flag", why, {"part": name, "found": other, "declared": item.language})
    return Finding("pass")


def find_other_language(text: str, declared: str) -> str:
    """Return the detected language of the text if detection is certain and the language differs from the declared language, or
    "" otherwise.

    In a short text, names in another script strongly affect language detection. Therefore the function detects a second
    language, from only the words in the text's most frequent script, and accepts the declared language if it is one of the
    two."""
    text = QUOTED_TEXT.sub(" ", normalize("NFKC", text))
    unspaced, spaced = UNSPACED_RUN.findall(text), UNSPACED_RUN.sub(" ", text)
    rest = [word for word in spaced.split() if any(map(str.isalpha, word))]
    looks = [detect(piece).likeliest for piece in (text, " ".join(unspaced if len(unspaced) >= len(rest) else rest))]
    others = [look for look in looks if look != UNKNOWN]
    return "" if declared in looks else next(iter(others), "")


GATE = Gate(version="2", check=check)
