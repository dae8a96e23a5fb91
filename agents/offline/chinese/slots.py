"""A piece of a prepared Chinese sentence that a question can ask for, and a check whether a piece lies within quotation
marks."""

from dataclasses import dataclass

from agents.offline.chinese.sentences import PreparedSentence
from agents.offline.factoid import Kind
from core.text.chinese_names import TaggedWord


@dataclass(frozen=True, slots=True)
class TextSlot:
    """A piece of a prepared Chinese sentence that a question can ask for, with the question words for it."""

    answer: str
    kind: Kind
    start: int
    """Offset in the prepared sentence of the first character that the question words replace."""
    end: int
    ask: str
    """Question words that ask for the piece."""
    worth: float
    """How often questions built this way were judged good by a person, as a share from 0 to 1."""
    tail: bool = False
    """Whether the piece is cut out of the sentence and its question words `ask` go to the end of the question."""


def clause_of(sentence: PreparedSentence, position: int) -> str:
    start, end = sentence.clauses[sentence.clause_at(position)]
    return sentence.text[start:end]


def word_before(sentence: PreparedSentence, position: int) -> TaggedWord | None:
    earlier = [word for word in sentence.words if word.end <= position]
    return earlier[-1] if earlier else None


def is_quoted(text: str, start: int, end: int) -> bool:
    """Return whether the piece of text between `start` and `end` lies within quotation marks, a title or brackets."""
    before = text[:start]
    return any(before.count(a) > before.count(b) for a, b in (("“", "”"), ("《", "》"), ("（", "）"), ("(", ")"), ("‘", "’")))
