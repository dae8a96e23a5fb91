"""A question that one English sentence answers, in the several wordings that its form offers."""

from dataclasses import dataclass

from core.offline.english.topics import Topic
from core.offline.factoid import Kind


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that a sentence answers, in several wordings."""

    questions: tuple[str, ...]
    answer: str
    kind: Kind
    worth: float
    family: str
    topic: Topic | None
    """What its subject stands for, when that is the paragraph's topic."""
    is_named: bool
    """Whether the sentence itself names what the question names."""
