"""Results of the offline drafters: a factoid question with its answer and the numbers of its evidence."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["date", "year", "number", "person", "place", "organisation", "work", "name", "phrase"]
"""Kind of an answer. Two candidates of the same kind may be confused; candidates of different kinds cannot."""


@dataclass(frozen=True, slots=True)
class Factoid:
    """One drafted question with a short answer."""

    question: str
    answer: str
    """Answer, verbatim in one of the evidence sentences."""
    evidence: tuple[int, ...]
    """Numbers of the evidence sentences, ascending, from 1."""
    score: float = 0.0
    """Score for ordering drafts; higher is better."""
