"""A hallucinated text put right without a model, in both languages: after annotations, where they say what is right; or by a
text, whose sentence takes the place of one that is nearly the same."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.text.numbered import NumberedSentences
from core.text.text import content_words, split_sentences

ALIKE = 0.6
"""Share of the words of two sentences that must be common to them before one takes the other's place."""
KEPT = 0.5
"""Share of its words that must be left of a text, for it to be repaired and not thrown away."""
_RIGHT = {
    "zh": re.compile(r"(?:实际)?(?:应该为|应该是|应当为|应为|应是|实际上是|实际为|实际是)[“「]?([^，。；、“”「」（）]{1,30})"),
    "en": re.compile(
        r"(?:should (?:be|read)|is really|was really|the (?:article|text) says) [“\"]?([^,.;“”\"]{1,60})", re.IGNORECASE
    ),
}
_NOTE = re.compile(r"^- (.+?)(?:: (.*))?$", re.MULTILINE)
_CLAUSE = {"zh": re.compile(r"[^，。；！？\n]*[，。；！？\n]?"), "en": re.compile(r"[^,.;!?\n]*[,.;!?\n]?\s*")}


class Repair(NamedTuple):
    """A text put right."""

    text: str
    evidence: tuple[int, ...]
    """Numbers of the sentences nearest to its own, from 1."""


def after_notes(hallucinated: str, notes: str, article: NumberedSentences, language: str) -> Repair | None:
    """Every "- KEYWORD: REASON" is put right: the keyword gives way to what the reason says should stand there; where it says
    none, the keyword's clause goes. None when little would be left, or nothing be changed."""
    text = hallucinated
    for keyword, reason in _NOTE.findall(notes):
        right = _RIGHT[language].search(reason or "")
        if keyword not in text:
            continue
        put = _fitting(keyword, right[1].strip()) if right else ""
        is_known = bool(put) and put != keyword and put not in text
        text = text.replace(keyword, put) if is_known else _without(text, keyword, language)
    text = re.sub(r"[，,、；;]+(?=[。.]|$)", "", text.strip()).strip()
    if text and text[-1] not in '。！？.!?”"':
        text += "。" if language == "zh" else "."
    left, there = (len(content_words(one, language)) for one in (text, hallucinated))
    if left < KEPT * there or text.split() == hallucinated.split():
        return None
    shown = [sentence.text for sentence in article.sentences]
    cited = {n + 1 for start, end in split_sentences(text, language) for n in nearest(text[start:end], shown, language)[:1]}
    return Repair(text, tuple(sorted(cited))) if cited else None


def by_text(hallucinated: str, context: str, language: str) -> str:
    """Each sentence that the context says nearly, and not quite, as the context says it; the others as they are."""
    pieces = [" ".join(context[start:end].split()) for start, end in split_sentences(context, language)]
    given = [hallucinated[start:end] for start, end in split_sentences(hallucinated, language)]
    found = []
    for sentence in given:
        best = nearest(sentence, pieces, language)[:1]
        alike = best and _alike(sentence, pieces[best[0]], language) >= ALIKE
        found.append(pieces[best[0]] if alike else " ".join(sentence.split()))
    return ("" if language == "zh" else " ").join(found)


def nearest(text: str, pieces: Sequence[str], language: str) -> list[int]:
    """Places of the pieces that share words with the text, the one most like it first."""
    shares = [(_alike(text, piece, language), place) for place, piece in enumerate(pieces)]
    return [place for share, place in sorted(shares, key=lambda pair: (-pair[0], pair[1])) if share > 0]


def _alike(one: str, other: str, language: str) -> float:
    """Common words of both, of all words of both."""
    a, b = set(content_words(one, language)), set(content_words(other, language))
    return len(a & b) / len(a | b) if a | b else 0.0


def _fitting(keyword: str, right: str) -> str:
    """What should stand there, with what the keyword says behind its figure where only the figure is put right."""
    figure = r"[\d.,]+[%％万亿个名位家座人项]*"
    there = re.match(figure, keyword)
    return f"{right}{keyword[there.end() :]}" if there and re.fullmatch(figure, right) else right


def _without(text: str, keyword: str, language: str) -> str:
    """The text without the clauses that hold the keyword."""
    clauses = [match.group() for match in _CLAUSE[language].finditer(text) if match.group()]
    kept = []
    for clause in clauses:
        if keyword not in clause:
            kept.append(clause)
        elif kept and clause.rstrip()[-1:] in "。！？.!?" and kept[-1].rstrip()[-1:] in "，；,;":
            kept[-1] = kept[-1].rstrip()[:-1] + clause.rstrip()[-1:]
    return "".join(kept) if len(kept) < len(clauses) else text.replace(keyword, "")
