"""Find the hits of a search that are near copies of a source document. A hit is a near copy if enough of its 5-grams of words
(of characters in scripts without spaces) occur in the source, or if its cosine with the source is higher than that of nearly
all random pairs of the corpus."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from unicodedata import normalize

from builders.task import FoundDocument, Kit, SimilarityRule
from core.errors import BenchError
from core.text.language import find_row
from core.text.text import words

GRAM_CHARACTERS = 5
MIN_CONTAINMENT = 0.5
"""Least share (0..1) of a hit's 5-grams that occur in the source at which the hit is a near copy."""


class JudgedHit(NamedTuple):
    """One search hit, which is kept or dropped, with its similarity to the source document and the reason for the decision."""

    found: FoundDocument
    kept: bool
    why: str
    containment: float | None
    """Share of the found document's 5-grams that occur in the source document, 0..1, or None for a text without words."""
    cosine: float | None
    """Cosine similarity of the hit to the source document, or None without an embedding model."""

    @property
    def step(self) -> dict[str, Any]:
        """Return the search hit as the JSON object that an item's drafting steps store."""
        return {
            "document": self.found.document.id,
            "title": self.found.document.title,
            "score": round(self.found.score, 4),
            "kept": self.kept,
            "why": self.why,
            "containment": self.containment,
            "cosine": self.cosine,
        }


def grams(text: str, language: str) -> frozenset[tuple[str, ...]]:
    """Return the set of 5-grams of a text's words or characters. A text of fewer than five words or characters gives a single,
    shorter gram."""
    if not find_row(language).separator:
        tokens = [sign for sign in normalize("NFKC", text).casefold() if sign.isalnum()]
    else:
        tokens = words(text, language)
    return (
        frozenset(tuple(tokens[i : i + GRAM_CHARACTERS]) for i in range(max(1, len(tokens) - GRAM_CHARACTERS + 1)))
        if tokens
        else frozenset()
    )


def containment(text: str, source: str, language: str) -> float | None:
    """Return the share (0..1) of the text's 5-grams that occur in the source, or None if the text has no words."""
    own = grams(text, language)
    return len(own & grams(source, language)) / len(own) if own else None


def limits(kit: Kit, language: str) -> dict[str, Any]:
    """Return the limits above which a search hit is a near copy, in the form in which a drafting step stores them:
    {"containment", "model", "cosine", "why"}; `why` is "" or the reason why the cosine has no limit. Raises BenchError
    if the setting near_containment is not a number above 0 and at most 1."""
    least = kit.settings.get("near_containment", MIN_CONTAINMENT)
    if isinstance(least, bool) or not isinstance(least, int | float) or not 0 < least <= 1:
        raise BenchError(f"The setting near_containment is {least!r}: set it to a number above 0 and at most 1.")
    limit_record: dict[str, Any] = {
        "containment": float(least),
        "model": None,
        "cosine": None,
        "why": "no embedding model is set",
    }
    if kit.similarity is not None:
        limit = kit.similarity.limit(language)
        limit_record["model"] = kit.similarity.model
        limit_record |= {"cosine": None, "why": limit} if isinstance(limit, str) else {"cosine": round(limit, 6), "why": ""}
    return limit_record


def judge(
    source: str,
    source_id: str,
    language: str,
    hits: Sequence[FoundDocument],
    limit: Mapping[str, Any],
    similarity: SimilarityRule | None,
) -> list[JudgedHit]:
    """Return every search hit in order, marked as kept or dropped. The source itself, its near copies and hits without words
    are dropped."""
    own = grams(source, language)
    alike: Sequence[float | None] = [None] * len(hits)
    if similarity is not None and limit["cosine"] is not None and hits:
        alike = similarity.cosines(source, [hit.document.text for hit in hits], language)
    return [_judge_hit(source_id, own, hit, language, limit, cosine) for hit, cosine in zip(hits, alike, strict=True)]


def _judge_hit(
    source_id: str,
    source: frozenset[tuple[str, ...]],
    hit: FoundDocument,
    language: str,
    limit: Mapping[str, Any],
    cosine: float | None,
) -> JudgedHit:
    signs = "word" if find_row(language).separator else "character"
    own = grams(hit.document.text, language)
    share = round(len(own & source) / len(own), 4) if own else None
    cosine = None if cosine is None else round(cosine, 4)
    if hit.document.id == source_id:
        return JudgedHit(hit, False, "It is the source itself.", share, cosine)
    if share is None:
        return JudgedHit(hit, False, "It contains no words.", share, cosine)
    said = f"{share:.0%} of its {signs} 5-grams occur in the source"
    if share >= limit["containment"]:
        return JudgedHit(hit, False, f"{said}, {limit['containment']:.0%} or more are too many.", share, cosine)
    if cosine is not None and cosine > limit["cosine"]:
        why = f"Its cosine with the source is {cosine:.3f}, above {limit['cosine']:.3f}, which random pairs hardly reach."
        return JudgedHit(hit, False, why, share, cosine)
    return JudgedHit(hit, True, f"{said}.", share, cosine)
