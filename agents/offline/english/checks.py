"""Checks of drafted English questions: the reasons for which the offline agent refuses a question, and the search for a second
sentence that gives another answer to the same question."""

import re

from rapidfuzz import fuzz

from agents.offline.corpus import OfflineCorpus
from agents.offline.english.readings import ReadSentence
from agents.offline.english.worded_question import WordedQuestion
from core.text.english_names import DATE, FIRST_NAMES, NATIONALITY, UPPER, names, split_words
from core.text.text import content_words

_LOOSE = re.compile(
    r"\b(?:he|she|it|they|them|both|him|himself|herself|this|these|those|such|there|here|above|below|former|latter|former's|"
    r"respectively|aforementioned"
    r"|the following|as follows|today|recently|now|currently|so-called|etc|e\.g|i\.e|several others|among others|the same "
    r"name)\b"
)
"""Pattern of words that refer to something outside the question, for which it is refused."""
_POSSESSIVE = re.compile(r"\b(?:his|her|its|their)\b")
_DANGLING = re.compile(
    r"\b(?:the|an?|and|or|of|with|for|as|than|between|who|which|that|including|his|her|its|their|where|when)\?$|[,;:(–-]\?$|"
    r"\b(?:in|by) (?:in|by|on)\b|\b(\w+) \1\b"
)
"""Patterns of a question that ends or breaks off too early."""
_TEMPLATE_TAIL = re.compile(r"\b(?:based on|derived from|known for|famous for)\?$")
_THE_THING = re.compile(
    r"\b[Tt]he (?:film|album|novel|song|book|school|station|company|club|series|band|team|game|village|town|city|couple|"
    r"family|former|event|show|movie|story|group|project|building|work)(?=[?,.]|['’]s\b| (?:was|is|were|are|did|in|on|for|and|"
    r"by|at|"
    r"to)\b)"
)
"""Pattern of nouns such as "the film" that are clear only within their paragraph."""
_BAD_ANSWER = re.compile(
    r"^(?:[a-z]{1,2}|the)$|[()\[\];]|^\W|\b(?:he|she|it|they|his|her|its|who|which)\b|\b(?:and|or|of|the|a|in|with|for|by)$|"
    r"\bthe (?:same|other|latter|former)\b"
)
_MONTHS_ALONE = re.compile(
    r"^(?:Technicolor|CinemaScope|Eastmancolor|English|Latin|Dr|Parliament|Congress|Christmas|Easter|I+|Mr|Mrs|Sir|Lord|King|"
    r"Queen|Prince|Princess|Count|President|Duke|American|British|English|French|German|Italian)$"
)


def refusal(question: str, asked: WordedQuestion, is_anchored: bool = False) -> str:
    """Return why a question is not good enough to show; "" if it is good enough. `is_anchored` means that the question names
    its document, so that words such as "the company" are clear."""
    words = question.split()
    if not 5 <= len(words) <= 30:
        return "length"
    if not has_balanced_marks(question) or not has_balanced_marks(asked.answer):
        return "marks"
    body = re.sub(r'"[^"]*"', '"X"', question)
    if _LOOSE.search(body):
        return "points outside"
    if _POSSESSIVE.search(body):
        return "possessive"
    if _DANGLING.search(body) and not _TEMPLATE_TAIL.search(body):
        return "cut"
    if not is_anchored and _THE_THING.search(body):
        return "definite"
    if not re.search(rf"[{UPPER}\d\"]", question[1:]):
        return "nothing named"
    if _BAD_ANSWER.search(asked.answer) or _MONTHS_ALONE.match(asked.answer) or len(asked.answer.split()) > 16:
        return "answer"
    if re.fullmatch(NATIONALITY, asked.answer) and asked.family != "nationality":
        return "nationality"
    if re.search(r"\w['’] \w+['’](?: |\?)", body):
        return "stray marks"
    if _says_answer(question, asked):
        return "says the answer"
    if _names_by_first_name(body):
        return "first name alone"
    if _repeats(question):
        return "repeats"
    if asked.answer.count(",") > 4 or "  " in question:
        return "shape"
    return ""


def has_balanced_marks(text: str) -> bool:
    """Return whether every quotation mark and bracket in the text has its partner."""
    return text.count('"') % 2 == 0 and text.count("(") == text.count(")") and text.count("“") == text.count("”")


def _names_by_first_name(question: str) -> bool:
    """Return whether a person in the question has only a first name: "How many children did X have with Philip?"."""
    words = question.split()
    for i, word in enumerate(words):
        if word.strip("?,.'’s") in FIRST_NAMES or word.strip("?,.") in FIRST_NAMES:
            before = words[i - 1] if i > 1 else "x"
            after = words[i + 1] if i + 1 < len(words) and not word.endswith((",", "?")) else "x"
            if not before[0].isupper() and not after[0].isupper() and after not in ("of", "de", "von", "van", '"X"'):
                return True
    return False


def _repeats(question: str) -> bool:
    """Return whether the question repeats a run of three words: "Louis VI, Landgrave of Hesse Landgrave of Hesse"."""
    words = re.findall(r"[\w'-]+", question)
    runs = list(zip(words, words[1:], words[2:], strict=False))
    return len(set(runs)) < len(runs)


_CLASSES = split_words(
    "university college school institute academy church film album county district province region company records pictures "
    "award prize medal river lake mount island station street house castle palace the of and for in de von city state "
    "national royal team club party festival cup order cross theatre museum army series novel new saint st lord sir king "
    "prince princess duke count"
)


def _says_answer(question: str, asked: WordedQuestion) -> bool:
    low = question.lower()
    if asked.answer.lower() in low:
        return True
    if asked.family in ("quantity", "percentage"):
        return re.search(rf"\b{re.escape(asked.answer.lower())}\b", low) is not None  # "How many metres": "12 metres"
    mine = {w for w in re.findall(r"\w+", asked.answer.lower()) if len(w) > 2} - _CLASSES
    said = set(re.findall(r"\w+", low))
    if asked.kind in ("date", "year"):
        years = set(re.findall(r"\b\d{4}\b", asked.answer))
        return bool(years & set(re.findall(r"\d{4}", low)))
    return bool(mine & said)


_MIN_SIMILARITY = 82
"""Similarity (rapidfuzz token_sort_ratio, 0 to 100) above which two questions count as the same."""


def is_avoided(question: str, avoid: str) -> bool:
    """Return whether the question is similar to one of the questions in `avoid`, which has one question per line."""
    lines = (line.strip().removeprefix("- ").lower() for line in avoid.splitlines() if line.strip())
    return any(fuzz.token_sort_ratio(question.lower(), line) > _MIN_SIMILARITY for line in lines)


def is_ambiguous(question: str, asked: WordedQuestion, reading: ReadSentence, corpus: OfflineCorpus) -> bool:
    """Return whether the question has a second possible answer: another sentence of the corpus contains nearly as many of its
    words, with a different answer of the same kind."""
    words = [w for w in content_words(question, "en") if w not in _ASKING]
    mine = corpus.index_of(reading.sentence)
    near = corpus.rank_sentences(words, "en", 8)
    own = next((share for index, share in near if index == mine), 0.0)
    others = [(index, share) for index, share in near if index != mine]
    if own == 0.0:
        return bool(mine is not None and near and near[0][1] > 0.6)
    for index, share in others:
        other = corpus.readings[index]
        if share < 0.97 * own or other.is_heading:
            continue
        if asked.answer.lower() in other.text.lower():
            continue
        if _has_value_of_kind(other.bare, asked, question):
            return True
    return False


_ASKING = split_words(
    "name year date place country born die died located company whom whose person many often director wrote directed spouse "
    "parents"
) - {"directed", "wrote", "director", "born", "died", "die"}


def _has_value_of_kind(text: str, asked: WordedQuestion, question: str) -> bool:
    if asked.kind in ("date", "year"):
        return any(m[0] not in question for m in DATE.finditer(text))
    if asked.kind == "number":
        return re.search(r"\d", text) is not None
    return any(name.text not in question and not re.fullmatch(NATIONALITY, name.text) for name in names(text))
