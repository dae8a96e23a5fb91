"""Result of the offline drafters: a factoid question with its short answer and the numbers of its evidence sentences."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["date", "year", "number", "person", "place", "organisation", "work", "name", "phrase"]
"""Kind of a short answer. Two possible answers of the same kind may be confused; answers of different kinds cannot."""


@dataclass(frozen=True, slots=True)
class Factoid:
    """A drafted question that asks for one fact, with its short answer."""

    question: str
    answer: str
    """Answer to the question, verbatim from one of the evidence sentences."""
    evidence: tuple[int, ...]
    """Numbers of the sentences that prove the answer, ascending, from 1."""
    score: float = 0.0
    """How good the drafted question is, for ordering drafts; higher is better."""
