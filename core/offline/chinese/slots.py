"""A piece of a prepared Chinese sentence that a question can ask for, and where such pieces may not stand."""

from dataclasses import dataclass

from core.offline.chinese.sentences import Prepared, Word
from core.offline.factoid import Kind


@dataclass(frozen=True, slots=True)
class Slot:
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
    whole: bool = False
    """True: `ask` is the whole question; only its times are still to be put in full."""


def clause_of(sentence: Prepared, position: int) -> str:
    start, end = sentence.clauses[sentence.clause_at(position)]
    return sentence.text[start:end]


def word_before(sentence: Prepared, position: int) -> Word | None:
    found = [word for word in sentence.words if word.end <= position]
    return found[-1] if found else None


def quoted(text: str, start: int, end: int) -> bool:
    """Whether the piece lies inside quotation marks, a title or brackets."""
    before = text[:start]
    return any(before.count(a) > before.count(b) for a, b in (("“", "”"), ("《", "》"), ("（", "）"), ("(", ")"), ("‘", "’")))
