"""Measure every variant and flag unusual values for reviewers, e.g. a variant twice as long as its question. Guards never
refuse a variant; the code that makes variants already refuses a variant that is empty or equal to the question."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from core.nouns import Item
from core.retrieval.similarity import MODEL, measure_rewrite, similarities, strip_to_alphanumerics
from core.text.readability import flesch
from core.text.sentences import list_sentences

NOT_MEASURED = "none"
"""Name that is stored in place of an embedding model's name if similarity in meaning is not measured."""
MAX_READING_EASE = 60.0
"""Upper limit (exclusive) of the Flesch reading ease of a `readability` variant, which is meant to be harder to read ("Out of
Style")."""
LONGER, SHORTER = 2.0, 0.5
"""A variant is flagged as longer or shorter if its number of words is at least LONGER or at most SHORTER times the
question's."""
MAX_LENGTH_CHANGE = 0.1
"""Maximum difference in length between a `readability` variant and its question, as a share (0..1) of the question's."""
UNVERIFIED = "unverified"
"""Flag of a variant in which no grammar checker has found the intended error."""
FLAGS: Mapping[str, str] = {
    "unlike": "no more alike in meaning than random pairs of questions can be",
    "several questions": "more questions than the original asks",
    "much longer": "twice the original's words or more",
    "much shorter": "half the original's words or fewer",
    "length": "more than 10 % longer or shorter than the original, which its kind should not be",
    "easy to read": "Flesch reading ease of 60 or more, though its kind should be harder to read",
    "still a question": "ends as a question, though its kind should be another type of sentence",
    "same as another": "the same letters as a variant of another kind",
    UNVERIFIED: "no checker found a grammatical error in it; it may have one, as half of real errors are not found",
}
"""A dict from a variant's flag to its explanation for people."""
_MARK = re.compile(r"[?？]")


class GuardedVariant(NamedTuple):
    """A variant of a question, as the input of the measurements."""

    item: Item
    kind: str
    text: str
    checks: Mapping[str, Any] = {}
    """Facts about the variant, by name, which were recorded when the variant was made."""
    others: Mapping[str, str] = {}
    """A dict from kind to the text of the item's other variant of that kind."""


def guards(
    variants: Sequence[GuardedVariant],
    model: str = MODEL,
    limits: Mapping[str, float | None] | None = None,
) -> list[dict[str, Any]]:
    """Return the measurements of each variant as a dict: `edit`, `shared`, `in_order`, `words_ratio`, `characters_ratio` (see
    core.retrieval.similarity); `similarity` in meaning by `similarity_model`, or None with `similarity_why`;
    `similarity_limit`, the similarity that random pairs may reach; `questions` and `questions_original`, the numbers of
    questions in the variant and in the original; for English, `flesch` and `flesch_original`; `same_as`, the other kinds of
    variants of the item that have the same letters and digits; `flags`."""
    alike = _measure_similarity(variants, model)
    results = []
    for variant, (value, why) in zip(variants, alike, strict=True):
        question, language = variant.item.question, variant.item.language
        limit = (limits or {}).get(language)
        measured: dict[str, Any] = measure_rewrite(question, variant.text, language) | {
            "similarity": value,
            "similarity_model": model if value is not None else None,
            "similarity_limit": _round_value(limit),
            "questions": count_questions(variant.text, language),
            "questions_original": count_questions(question, language),
            "same_as": sorted(
                kind
                for kind, text in variant.others.items()
                if strip_to_alphanumerics(text) == strip_to_alphanumerics(variant.text)
            ),
        }
        if why:
            measured["similarity_why"] = why
        if language == "en":
            measured |= {"flesch": _round_value(flesch(variant.text)), "flesch_original": _round_value(flesch(question))}
        results.append(measured | {"flags": list(_flags(variant, measured))})
    return results


def count_questions(text: str, language: str) -> int:
    """Return the number of sentences in the text that end with a question mark; at least 1 if the text has words, because a
    request also counts as a question."""
    sentences = list_sentences(text, language)
    return max(1, sum(bool(_MARK.search(sentence[-2:])) for sentence in sentences)) if sentences else 0


def _flags(variant: GuardedVariant, measured: Mapping[str, Any]) -> Iterable[str]:
    ratio, value, limit = measured["words_ratio"], measured["similarity"], measured["similarity_limit"]
    if value is not None and limit is not None and value < limit:
        yield "unlike"
    if measured["questions"] > measured["questions_original"]:
        yield "several questions"
    if ratio is not None and ratio >= LONGER:
        yield "much longer"
    if ratio is not None and ratio <= SHORTER:
        yield "much shorter"
    if variant.kind == "readability":
        if ratio is not None and abs(ratio - 1) > MAX_LENGTH_CHANGE:
            yield "length"
        if (measured.get("flesch") or 0.0) >= MAX_READING_EASE:
            yield "easy to read"
    if variant.kind in ("declarative", "imperative") and _MARK.search(variant.text.rstrip()[-2:]):
        yield "still a question"
    if measured["same_as"]:
        yield "same as another"
    if variant.checks.get("verdict") == "unverified":
        yield UNVERIFIED


def _measure_similarity(variants: Sequence[GuardedVariant], model: str) -> list[tuple[float | None, str]]:
    """Return (similarity in meaning to the question, or None; the reason if None) for each variant; the model runs once per
    language."""
    if model == NOT_MEASURED:
        return [(None, "not measured")] * len(variants)
    measured: list[tuple[float | None, str]] = [(None, "")] * len(variants)
    for language in sorted({variant.item.language for variant in variants}):
        places = [place for place, variant in enumerate(variants) if variant.item.language == language]
        pairs = [(variants[place].item.question, variants[place].text) for place in places]
        for place, value in zip(places, similarities(pairs, language, model), strict=True):
            measured[place] = value
    return measured


def _round_value(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
