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
    referent: str = ""
    """The name that the question describes and does not say; empty for an explicit question."""
    score: float = 0.0
    """Rank and margin of its own sentence, for ordering; higher is better."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of a rationale's answer."""

    claim: str
    evidence: tuple[int, ...]
    """Numbers of the sentences behind it, from 1."""


@dataclass(frozen=True, slots=True)
class Rationale:
    """One drafted question whose answer is put together from several places."""

    question: str
    claims: tuple[Claim, ...]
    theme: str = ""
    """What an implicit question is about; empty for an explicit one."""
