"""The claims of an answer, one a row, for a person who verifies a long one: what each cites, where else it might stand, and
the figures that its evidence does not hold."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from core.nouns import Item, Span
from core.retrieval.search import Bm25Index
from core.text.figures import missing_words
from core.text.text import split_sentences
from workbench.annotate.desk.reading import DocumentCache

CANDIDATES = 3
"""Sentences offered beside those cited."""


class ClaimRow(NamedTuple):
    """One claim and what it cites."""

    text: str
    evidence: tuple[Span, ...]


class ClaimView:
    """Looks claims up; the index over the sentences of the last few sets of documents is kept."""

    def __init__(self, reading: DocumentCache) -> None:
        self._reading = reading
        self._index = lru_cache(maxsize=8)(self._indexed)

    def rows(self, item: Item) -> list[dict[str, Any]]:
        """A record a claim."""
        documents = self._reading.documents_of(item)
        return [
            {
                "claim": claim.text,
                "evidence": places(claim.evidence),
                "candidates": places(self._candidates(claim, documents, item.language)),
                "figures_not_found": missing_words(claim.text, "\n".join(self._reading.text(span) for span in claim.evidence)),
            }
            for claim in claims(item)
        ]

    def _candidates(self, claim: ClaimRow, documents: tuple[str, ...], language: str) -> list[Span]:
        if not documents:
            return []
        hits = self._index(documents, language).search(claim.text, CANDIDATES + 4 * len(claim.evidence) + 4)
        return [hit.span for hit in hits if not any(overlap(hit.span, span) for span in claim.evidence)][:CANDIDATES]

    def _indexed(self, documents: tuple[str, ...], language: str) -> Bm25Index:
        spans = [Span(name, start, end) for name in documents for start, end in self._reading.sentences(name)]
        return Bm25Index(spans, [self._reading.text(span) for span in spans], language)


def claims(item: Item) -> list[ClaimRow]:
    """Those it was drafted from while they still are its answer; else the answer's sentences, each with the evidence of the
    drafted claim of these words, or all of the item's."""
    answer = item.answers[0] if item.answers else ""
    drafted = [
        ClaimRow(str(one["claim"]), tuple(Span(*where) for where in one["evidence"]))
        for step in item.steps
        if step.get("kind") == "claims"
        for one in step["claims"]
    ]
    if drafted and solid("".join(claim.text for claim in drafted)) == solid(answer):
        return drafted
    known = {solid(claim.text): claim.evidence for claim in drafted}
    sentences = [answer[start:end] for start, end in split_sentences(answer, item.language)]
    return [ClaimRow(text, known.get(solid(text), item.evidence)) for text in sentences]


def places(spans: Sequence[Span]) -> list[dict[str, Any]]:
    """Spans as the screen knows them."""
    return [{"document": span.document, "start": span.start, "end": span.end} for span in spans]


def overlap(a: Span, b: Span) -> bool:
    return a.document == b.document and a.start < b.end and b.start < a.end


def solid(text: str) -> str:
    """Without white space: how sentences were joined is no matter."""
    return "".join(text.split())
