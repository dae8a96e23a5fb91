"""Repairs a hallucinated text without a model, in English or Chinese: with annotations that state the correction, or with
another text whose sentences replace similar sentences."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.text.numbered import NumberedSentences
from core.text.sentences import list_sentences
from core.text.text import content_words, split_sentences

MIN_OVERLAP = 0.6
"""Minimum word overlap (Jaccard, 0 to 1) at which a sentence of the context replaces a sentence of the hallucinated text."""
MIN_KEPT_SHARE = 0.5
"""Minimum share of its content words that a text must keep when it is repaired; a repair that keeps less is rejected."""
_RIGHT = {
    "zh": re.compile(r"(?:实际)?(?:应该为|应该是|应当为|应为|应是|实际上是|实际为|实际是)[“「]?([^，。；、“”「」（）]{1,30})"),
    "en": re.compile(
        r"(?:should (?:be|read)|is really|was really|the (?:article|text) says) [“\"]?([^,.;“”\"]{1,60})", re.IGNORECASE
    ),
}
_NOTE = re.compile(r"^- (.+?)(?:: (.*))?$", re.MULTILINE)
_CLAUSE = {"zh": re.compile(r"[^，。；！？\n]*[，。；！？\n]?"), "en": re.compile(r"[^,.;!?\n]*[,.;!?\n]?\s*")}


class Repair(NamedTuple):
    """A text from which hallucinations have been removed, with its evidence."""

    text: str
    evidence: tuple[int, ...]
    """Numbers, from 1, of the article's sentences that are most similar to the sentences of the repaired text."""


def after_notes(hallucinated: str, notes: str, article: NumberedSentences, language: str) -> Repair | None:
    """Correct the text by its annotations, each a line "- <keyword>: <reason>". Replaces the keyword with the correction that
    the reason states, or removes the clauses with the keyword if the reason states no correction. Returns None if too little
    text remains or nothing changes."""
    text = hallucinated
    for keyword, reason in _NOTE.findall(notes):
        right = _RIGHT[language].search(reason or "")
        if keyword not in text:
            continue
        put = _fit_to_figure(keyword, right[1].strip()) if right else ""
        is_known = bool(put) and put != keyword and put not in text
        text = text.replace(keyword, put) if is_known else _drop_clauses(text, keyword, language)
    text = re.sub(r"[，,、；;]+(?=[。.]|$)", "", text.strip()).strip()
    if text and text[-1] not in '。！？.!?”"':
        text += "。" if language == "zh" else "."
    left, there = (len(content_words(whole, language)) for whole in (text, hallucinated))
    if left < MIN_KEPT_SHARE * there or text.split() == hallucinated.split():
        return None
    shown = [sentence.text for sentence in article.sentences]
    cited = {n + 1 for start, end in split_sentences(text, language) for n in rank_pieces(text[start:end], shown, language)[:1]}
    return Repair(text, tuple(sorted(cited))) if cited else None


def by_text(hallucinated: str, context: str, language: str) -> str:
    """Return the text with each sentence replaced by the most similar sentence of the context if their word overlap is large
    enough; other sentences are kept."""
    pieces = [" ".join(context[start:end].split()) for start, end in split_sentences(context, language)]
    sentences = list_sentences(hallucinated, language)
    repaired = []
    for sentence in sentences:
        best = rank_pieces(sentence, pieces, language)[:1]
        alike = best and _measure_overlap(sentence, pieces[best[0]], language) >= MIN_OVERLAP
        repaired.append(pieces[best[0]] if alike else " ".join(sentence.split()))
    return ("" if language == "zh" else " ").join(repaired)


def rank_pieces(text: str, pieces: Sequence[str], language: str) -> list[int]:
    """Return the indexes of the pieces that share words with the text, most similar first."""
    shares = [(_measure_overlap(text, piece, language), place) for place, piece in enumerate(pieces)]
    return [place for share, place in sorted(shares, key=lambda pair: (-pair[0], pair[1])) if share > 0]


def _measure_overlap(text: str, other: str, language: str) -> float:
    """Return the Jaccard overlap (0 to 1) of two texts' content words."""
    a, b = set(content_words(text, language)), set(content_words(other, language))
    return len(a & b) / len(a | b) if a | b else 0.0


def _fit_to_figure(keyword: str, right: str) -> str:
    """Return the correction; if the keyword begins with a number and the correction is a number, adds the words that follow the
    number in the keyword."""
    figure = r"[\d.,]+[%％万亿个名位家座人项]*"
    there = re.match(figure, keyword)
    return f"{right}{keyword[there.end() :]}" if there and re.fullmatch(figure, right) else right


def _drop_clauses(text: str, keyword: str, language: str) -> str:
    """Return the text without the clauses that contain the keyword."""
    clauses = [match.group() for match in _CLAUSE[language].finditer(text) if match.group()]
    kept = []
    for clause in clauses:
        if keyword not in clause:
            kept.append(clause)
        elif kept and clause.rstrip()[-1:] in "。！？.!?" and kept[-1].rstrip()[-1:] in "，；,;":
            kept[-1] = kept[-1].rstrip()[:-1] + clause.rstrip()[-1:]
    return "".join(kept) if len(kept) < len(clauses) else text.replace(keyword, "")
