"""Compare retrieved passages with the evidence of the gold answer: which evidence spans each passage covers, how much of each
span, and which characters of both texts overlap."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.nouns import Span
from store.engine.database import Database
from store.runs import traces
from workbench.evaluate.traces.marked_text import Range, TextPiece, mark_text, merge_ranges

MAX_PASSAGE_CHARACTERS = 6_000
"""Maximum number of characters that the screen shows of a passage, because a passage can be a whole document."""


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """A retrieved passage or a span of the gold answer's evidence, as the screen shows it."""

    number: int
    """Rank of the passage, or number of the evidence span, from 1."""
    span: Span
    title: str
    """Title of the document; "" if the workspace does not have the document."""
    pieces: Sequence[TextPiece]
    """The text that is shown, in pieces; text that occurs in both columns is marked."""
    hidden: int
    """Number of characters at the end of the text that are not shown."""
    shares: Sequence[tuple[int, float]]
    """For a passage: (number of an evidence span, share of this span that the passage covers). For an evidence span: (rank of a
    passage, share of this span that the passage covers)."""


@dataclass(frozen=True, slots=True)
class EvidenceColumns:
    """Two columns side by side: the retrieved passages, and the evidence spans of the gold answer."""

    passages: Sequence[ShownPassage] | None
    """The retrieved passages, or None if the system does not record passages."""
    gold: Sequence[ShownPassage]
    covered: Sequence[float]
    """For each evidence span, the share from 0 to 1 that all passages together cover."""


def compare_evidence(database: Database, retrieved: Sequence[Span] | None, evidence: Sequence[Span]) -> EvidenceColumns:
    """Return retrieved passages and the gold answer's evidence as two columns, with texts cut from the stored documents."""
    ranked = list(retrieved or ())
    texts = traces.cut_spans(database, [*dict.fromkeys([*ranked, *evidence])], MAX_PASSAGE_CHARACTERS)
    passages = [_build_passage(n, span, evidence, texts, of_gold=False) for n, span in enumerate(ranked, 1)]
    gold = [_build_passage(n, span, ranked, texts, of_gold=True) for n, span in enumerate(evidence, 1)]
    covered = [_sum_lengths(_find_overlaps(span, ranked)) / max(span.end - span.start, 1) for span in evidence]
    return EvidenceColumns(None if retrieved is None else passages, gold, covered)


def _build_passage(
    number: int, span: Span, others: Sequence[Span], texts: dict[Span, tuple[str, str]], of_gold: bool
) -> ShownPassage:
    title, text = texts.get(span, ("", ""))
    shares = []
    for place, other in enumerate(others, 1):
        whole = span if of_gold else other
        if common := _sum_lengths(_find_overlaps(span, [other])):
            shares.append((place, common / max(whole.end - whole.start, 1)))
    ranges = [(first - span.start, last - span.start) for first, last in _find_overlaps(span, others)]
    hidden = span.end - span.start - len(text) if span in texts else 0
    return ShownPassage(number, span, title, mark_text(text, ranges), hidden, shares)


def _find_overlaps(span: Span, others: Sequence[Span]) -> list[Range]:
    """Return the parts of the span's text that at least one of the other spans covers."""
    ends = [(max(span.start, o.start), min(span.end, o.end)) for o in others if o.document == span.document]
    return merge_ranges(((first, last) for first, last in ends if first < last), touching=True)


def _sum_lengths(ranges: Sequence[Range]) -> int:
    return sum(last - first for first, last in ranges)
