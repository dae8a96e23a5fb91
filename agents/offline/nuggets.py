"""Drafts and judges nuggets by rules without a model, in English and Chinese. The clauses of a gold answer are its nuggets; an
answer contains a nugget if it says those of its words, numbers and names that the question does not say."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from agents.offline import claims, judge
from agents.offline.antonyms import turned_round
from core.text.english_names import names
from core.text.figures import list_missing_figures
from core.text.text import content_words, normalise_answer

MIN_CLAUSE_WORDS = 3
"""Minimum number of content words in a clause that is a nugget of its own."""
MIN_PARTIAL_SHARE = 0.5
"""Minimum share of a nugget's words that an answer contains to count as partial support."""
MAX_EVIDENCE = 3
"""Maximum number of evidence sentences of one nugget."""
_CUTS = {
    "en": re.compile(r";\s+|,\s+(?:and|but|while|whereas)\s+(?=(?:the|a|an)\s|[A-Z])"),
    "zh": re.compile(r"[；;]"),
}
_NAME_ZH = re.compile(r"《[^《》]+》")
_QUESTION_MARKS = ("?", "？")
_ENDS = re.compile(r"(?<=[。！？!?])|(?<=[.])\s+|\n+")


def draft(question: str, answer: str, sentences: str, language: str) -> list[dict[str, Any]]:
    """Return the clauses of the gold answer as nuggets, {"text", "importance", "sentences"} each. The half of the clauses with
    the most numbers and names is vital. Clauses whose words are all in the question are left out if others are left."""
    clauses = [piece for sentence in claims.claims(answer, language) for piece in _split_clauses(sentence, language)]
    new = [clause for clause in dict.fromkeys(clauses) if _new_words(clause, question, language)]
    kept = new or list(dict.fromkeys(clauses))
    ranked = sorted(range(len(kept)), key=lambda place: (-_count_facts(kept[place], language), place))
    vital = set(ranked[: (len(kept) + 1) // 2])
    shown = judge.read_list(sentences, claims.NUMBER)
    return [
        {
            "text": clause,
            "importance": "vital" if place in vital else "okay",
            "sentences": _cite(clause, shown, language),
        }
        for place, clause in enumerate(kept)
    ]


def ask_about(nuggets: str, language: str) -> list[dict[str, Any]]:
    """Return a gap question about each numbered line of `nuggets`, {"nugget", "question", "answer"}; a line without a number or
    name has no question."""
    asked = [(int(number), claims.questions(nugget, language)) for number, nugget in judge.read_list(nuggets, claims.NUMBER)]
    return [{"nugget": number, "question": found[0]["question"], "answer": found[0]["key"]} for number, found in asked if found]


def verdicts(question: str, prediction: str, nuggets: str, language: str) -> list[dict[str, Any]]:
    """Return, for each numbered line of `nuggets`, {"nugget", "verdict"}: the number of the line, and whether the prediction
    contains the nugget. Questions in the prediction, and sentences that repeat the question, say nothing."""
    sentences = [piece for piece in map(str.strip, _ENDS.split(prediction)) if piece and not _repeats(piece, question)]
    clauses = [clause for sentence in sentences for clause in _split_clauses(sentence, language)]
    said = {clause: set(content_words(clause, language)) for clause in clauses}
    return [
        {"nugget": int(number), "verdict": _judge(nugget, question, said, language)}
        for number, nugget in judge.read_list(nuggets, claims.NUMBER)
    ]


def _judge(nugget: str, question: str, clauses: Mapping[str, set[str]], language: str) -> str:
    """Return the verdict on one nugget; `clauses` is a dict from each clause of the prediction to its content words."""
    words = set(content_words(nugget, language))
    wanted = _new_words(nugget, question, language) or words
    own, said = set().union(*clauses.values()), "\n".join(clauses)
    if not own or not wanted:
        return "not_support"
    share = len(wanted & own) / len(wanted)
    nearest = max(clauses, key=lambda clause: len(words & clauses[clause]))
    is_other = judge.is_negated(nearest, language) != judge.is_negated(nugget, language)
    if is_other or turned_round(nugget, nearest, language) or turned_round(nearest, nugget, language):
        return "not_support"
    given = f"{question}\n{nugget}"
    if list_missing_figures(nugget, said) and list_missing_figures(nearest, given):
        return "not_support"
    if _lacks_name(nugget, said, language) and _lacks_name(nearest, given, language):
        return "not_support"
    known = f"{question}\n{said}"
    lacks = list_missing_figures(nugget, known) or _lacks_name(nugget, known, language)
    if share >= judge.MIN_CONTAINED_SHARE and not lacks:
        return "support"
    return "partial_support" if share >= MIN_PARTIAL_SHARE else "not_support"


def _repeats(piece: str, question: str) -> bool:
    """Return whether a sentence of an answer is a question, or the words of the question."""
    return piece.strip().endswith(_QUESTION_MARKS) or normalise_answer(piece) == normalise_answer(question)


def _new_words(text: str, question: str, language: str) -> set[str]:
    """Return the distinct content words of the text that the question does not contain."""
    return set(content_words(text, language)) - set(content_words(question, language))


def _lacks_name(nugget: str, text: str, language: str) -> bool:
    """Return whether the text lacks a name of the nugget."""
    low = " ".join(text.lower().split())
    return any(name.lower().removeprefix("the ") not in low for name in _names(nugget, language))


def _names(text: str, language: str) -> list[str]:
    return [name.text for name in names(text)] if language == "en" else _NAME_ZH.findall(text)


def _count_facts(clause: str, language: str) -> int:
    return len(judge.find_figures(clause)) + len(_names(clause, language))


def _split_clauses(sentence: str, language: str) -> list[str]:
    """Return the clauses of a sentence, each as a sentence, or the whole sentence if it has one clause or a clause is too
    short."""
    pieces = [piece for piece in map(str.strip, _CUTS[language].split(sentence)) if piece]
    end = "。" if language == "zh" else "."
    if len(pieces) < 2 or any(len(content_words(piece, language)) < MIN_CLAUSE_WORDS for piece in pieces):
        return [re.sub("[;；]$", end, sentence)]
    return [piece[0].upper() + piece[1:].rstrip(".。") + end for piece in pieces]


def _cite(clause: str, shown: Sequence[tuple[str, str]], language: str) -> list[int]:
    """Return the numbers of the evidence sentences that say the clause, or of the one that is nearest to it."""
    saying = [int(number) for number, text in shown if judge.is_said(text, clause, language)]
    if saying or not shown:
        return saying[:MAX_EVIDENCE]
    number, text = max(shown, key=lambda one: judge.share_words(clause, one[1], language))
    return [int(number)] if judge.share_words(clause, text, language) >= MIN_PARTIAL_SHARE else []
