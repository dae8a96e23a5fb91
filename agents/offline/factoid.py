"""What the offline drafters of both languages hand back: a factoid question with its answer, or a rationale question with its
claims, each with the numbers of its evidence."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["date", "year", "number", "person", "place", "organisation", "work", "name", "phrase"]
"""What an answer is. Two candidates of one kind can be mistaken for each other; those of different kinds cannot."""


@dataclass(frozen=True, slots=True)
class Factoid:
    """One drafted question with a short answer."""

    question: str
    answer: str
    """Stands word for word in one of the evidence sentences."""
    evidence: tuple[int, ...]
    """Numbers of the sentences it stands on, ascending, from 1."""
    score: float = 0.0
    """Rank and margin of its own sentence, for ordering; higher is better."""
