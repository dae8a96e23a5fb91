"""A question that one English sentence answers, in the several wordings that its form offers."""

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
    """Questions of one family ask for the same sort of fact in the same way."""
