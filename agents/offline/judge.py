"""Judges answers by rules without a model, in English and Chinese: how well two answers agree, whether a text says the same as
a sentence, and which statements a text supports. The rules compare words, numbers and negations and miss paraphrases, so their
scores are marked as offline."""

import re

from agents.offline.antonyms import turned_round
from core.text.english_names import names
from core.text.text import content_words, normalise_answer, token_f1

MIN_CONTAINED_SHARE = 0.7
"""Minimum share of a sentence's content words that a text must contain, besides all its figures, to count as saying the
sentence."""
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_NEGATION = {
    "en": re.compile(r"\b(?:not|no|never|none|neither|nor|without|cannot|failed to|untrue|false)\b|n[’']t\b", re.I),
    "zh": re.compile(r"没有|并非|并未|未能|从未|无法|不是|不再|不会|不能|拒绝|不成立|未"),
}
_LETTER = re.compile(r"[(\[（]?([A-Za-z])[)\].:：、）]")
_ENDS = re.compile(r"(?<=[。！？!?；;])|(?<=[.])\s+|\n+")


def agreement(answer: str, prediction: str, language: str) -> int:
    """Return how well the prediction agrees with the answer, 0 to 9: 9 if equal after normalising, else by shared words; at
    most 4 if the prediction lacks a number of the answer, or if only one of the two texts is negated."""
    if not prediction.strip():
        return 0
    if normalise_answer(answer) == normalise_answer(prediction):
        return 9
    shared = token_f1(prediction, answer, language)
    held = share_words(answer, prediction, language)
    score = round(8 * max(shared, 0.9 * held if held == 1 else shared))
    if find_figures(answer) - find_figures(prediction) or is_negated(answer, language) != is_negated(prediction, language):
        score = min(score, 4)
    return max(0, min(8, score))


def containment(reference: str, sentence: str, language: str) -> int:
    """Return 1 if the text `reference` says what `sentence` says, else 0."""
    return int(is_said(reference, sentence, language))


def list_supported(prediction: str, statements: str, language: str) -> list[str]:
    """Return, in order, the letters of the lettered lines ("a. ...", "(b) ...") in `statements` that the prediction
    supports."""
    return [letter.lower() for letter, text in read_list(statements, _LETTER) if is_said(prediction, text, language)]


def read_list(text: str, mark: re.Pattern[str]) -> list[tuple[str, str]]:
    """Return, for each line of the text that begins with the pattern `mark`, (number or letter in the mark, words after the
    mark)."""
    lines = ((mark.match(line), line) for line in map(str.strip, text.split("\n")))
    return [(match[1], words) for match, line in lines if match and (words := line[match.end() :].strip())]


def is_said(text: str, sentence: str, language: str) -> bool:
    """Return whether the text says what the sentence says."""
    wanted = content_words(sentence, language)
    if not wanted or not text.strip() or find_figures(sentence) - find_figures(text):
        return False
    if share_words(sentence, text, language) < MIN_CONTAINED_SHARE:
        return False
    low = " ".join(text.lower().split())
    if language == "en" and any(name.text.lower().removeprefix("the ") not in low for name in names(sentence)):
        return False
    nearest = max(_ENDS.split(text), key=lambda piece: share_words(sentence, piece, language))
    return is_negated(nearest, language) == is_negated(sentence, language) and not turned_round(sentence, nearest, language)


def share_words(sentence: str, text: str, language: str) -> float:
    """Return the share (0 to 1) of the sentence's distinct content words that occur in the text."""
    wanted = set(content_words(sentence, language))
    return len(wanted & set(content_words(text, language))) / len(wanted) if wanted else 0.0


def find_figures(text: str) -> set[str]:
    """Return the numbers in the text, without separators of thousands."""
    return {figure.replace(",", "") for figure in _FIGURE.findall(text)}


def is_negated(text: str, language: str) -> bool:
    """Return whether the text contains an odd number of negations."""
    return len(_NEGATION[language].findall(text)) % 2 == 1
