"""What the offline drafters of both languages hand back: a factoid question with its answer and the numbers of its evidence,
and the candidate answers that they chose it from."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["date", "year", "number", "person", "place", "organisation", "work", "name", "phrase"]
"""What an answer is. Two candidates of one kind can be mistaken for each other; those of different kinds cannot."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A piece of a sentence that a question could ask for."""

    sentence: int
    """Number of its sentence in the Numbered it was found in, from 1."""
    text: str
    """As it stands in the sentence."""
    start: int
    """First code point within the sentence's text."""
    end: int
    """One past the last code point."""
    kind: Kind
    score: float = 0.0
    """How much it is worth asking for; higher is better, comparable within one draft only."""


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
