"""A piece of a prepared Chinese sentence that a question can ask for, and where such pieces may not stand."""

from dataclasses import dataclass

from agents.offline.chinese.sentences import PreparedSentence
from agents.offline.factoid import Kind
from core.text.chinese_names import TaggedWord


@dataclass(frozen=True, slots=True)
class TextSlot:
    """A piece of a prepared text and how to ask for it."""

    answer: str
    kind: Kind
    start: int
    """First code point, within the prepared text, of what the asking words replace."""
    end: int
    ask: str
    """The asking words."""
    worth: float
    """How often such questions turned out well when read, 0..1."""
    tail: bool = False
    """True: the piece is cut out and `ask` is put at the question's end."""


def clause_of(sentence: PreparedSentence, position: int) -> str:
    start, end = sentence.clauses[sentence.clause_at(position)]
    return sentence.text[start:end]


def word_before(sentence: PreparedSentence, position: int) -> TaggedWord | None:
    earlier = [word for word in sentence.words if word.end <= position]
    return earlier[-1] if earlier else None


def is_quoted(text: str, start: int, end: int) -> bool:
    """Whether the piece lies inside quotation marks, a title or brackets."""
    before = text[:start]
    return any(before.count(a) > before.count(b) for a, b in (("“", "”"), ("《", "》"), ("（", "）"), ("(", ")"), ("‘", "’")))
