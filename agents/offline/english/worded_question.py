"""A question that one English sentence answers, in several wordings."""

from dataclasses import dataclass

from agents.offline.factoid import Kind


@dataclass(frozen=True, slots=True)
class WordedQuestion:
    """A question that a sentence answers, in several wordings."""

    questions: tuple[str, ...]
    answer: str
    kind: Kind
    worth: float
    family: str
    """Family of the question, such as "when" or "quantity"; questions of one family ask for the same type of fact in the same
    way."""
