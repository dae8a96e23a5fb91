"""Retrieved passages beside gold evidence: which gold each covers, how much of it, and where in the texts the two overlap."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.nouns import Span
from store.engine.database import Database
from store.runs import traces

MOST = 6_000
"""Characters of one passage that are shown; a whole document may stand in its place."""
Piece = tuple[str, bool]
"""A text, and whether it stands in both."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A retrieved passage or a gold span, as it is shown."""

    number: int
    """Rank of a passage, place of a gold span; from 1."""
    span: Span
    title: str
    """Of its document; "" when the workspace holds no such one."""
    pieces: Sequence[Piece]
    """Its text in order; joined they are the text, as far as it is shown."""
    hidden: int
    """Characters left out at its end."""
    shares: Sequence[tuple[int, float]]
    """Of a passage: (gold number, share of that gold it covers). Of a gold span: (rank, share of it that passage covers)."""


@dataclass(frozen=True, slots=True)
class EvidenceColumns:
    """Both columns."""

    passages: Sequence[Passage] | None
    """None when the system tells none."""
    gold: Sequence[Passage]
    covered: Sequence[float]
    """By gold span: the share that all passages together cover."""


def found_of(database: Database, retrieved: Sequence[Span] | None, evidence: Sequence[Span]) -> EvidenceColumns:
    """Cut from the stored documents."""
    ranked = list(retrieved or ())
    texts = traces.cut_spans(database, [*dict.fromkeys([*ranked, *evidence])], MOST)
    passages = [_passage(n, span, evidence, texts, of_gold=False) for n, span in enumerate(ranked, 1)]
    gold = [_passage(n, span, ranked, texts, of_gold=True) for n, span in enumerate(evidence, 1)]
    covered = [_length(_joined(_overlaps(span, ranked))) / max(span.end - span.start, 1) for span in evidence]
    return EvidenceColumns(None if retrieved is None else passages, gold, covered)


def _passage(number: int, span: Span, others: Sequence[Span], texts: dict[Span, tuple[str, str]], of_gold: bool) -> Passage:
    title, text = texts.get(span, ("", ""))
    shares = []
    for place, other in enumerate(others, 1):
        common = _length(_overlaps(span, [other]))
        whole = span if of_gold else other
        if common:
            shares.append((place, common / max(whole.end - whole.start, 1)))
    marks = _joined([(first - span.start, last - span.start) for first, last in _overlaps(span, others)])
    hidden = span.end - span.start - len(text) if span in texts else 0
    return Passage(number, span, title, _pieces(text, marks), hidden, shares)


def _overlaps(span: Span, others: Sequence[Span]) -> list[tuple[int, int]]:
    """Where any of the others stands in it."""
    ends = [(max(span.start, o.start), min(span.end, o.end)) for o in others if o.document == span.document]
    return [(first, last) for first, last in ends if first < last]


def _joined(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same places in order, none twice."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1]:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    return found


def _length(ranges: Sequence[tuple[int, int]]) -> int:
    return sum(last - first for first, last in ranges)


def _pieces(text: str, marks: Sequence[tuple[int, int]]) -> list[Piece]:
    pieces, at = [], 0
    for first, last in marks:
        pieces += [(text[at:first], False), (text[first:last], True)]
        at = last
    return [(part, is_both) for part, is_both in [*pieces, (text[at:], False)] if part]
