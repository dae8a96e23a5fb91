"""A piece of a preprocessed Chinese sentence that a question can ask for, and places where such pieces must not occur."""

from dataclasses import dataclass

from agents.offline.chinese.sentences import PreparedSentence
from agents.offline.factoid import Kind
from core.text.chinese_names import TaggedWord


@dataclass(frozen=True, slots=True)
class TextSlot:
    """A piece of a preprocessed text, and how to ask for it."""

    answer: str
    kind: Kind
    start: int
    """Offset, in code points of the preprocessed text, of the first character that the asking words replace."""
    end: int
    ask: str
    """Asking words."""
    worth: float
    """Share of such questions that were good when read by a person, 0..1."""
    tail: bool = False
    """Whether the piece is cut out and `ask` is added at the end of the question."""


def clause_of(sentence: PreparedSentence, position: int) -> str:
    start, end = sentence.clauses[sentence.clause_at(position)]
    return sentence.text[start:end]


def word_before(sentence: PreparedSentence, position: int) -> TaggedWord | None:
    earlier = [word for word in sentence.words if word.end <= position]
    return earlier[-1] if earlier else None


def is_quoted(text: str, start: int, end: int) -> bool:
    """Return whether the piece is inside quotation marks, a title or brackets."""
    before = text[:start]
    return any(before.count(a) > before.count(b) for a, b in (("“", "”"), ("《", "》"), ("（", "）"), ("(", ")"), ("‘", "’")))
