"""One way to ask about an English predicate: a pattern of the predicate, and the questions that its group `a` answers. {s} is
the subject as a question names it; other braces are groups of the pattern."""

import re
from dataclasses import dataclass

from core.offline.english.names import DATE, NAME
from core.offline.english.words import MONTHS, NATIONALITY
from core.offline.factoid import Kind


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to ask."""

    family: str
    """Rules of one family ask for the same sort of fact."""
    subjects: frozenset[str]
    """Kinds of subject that it fits."""
    pattern: re.Pattern[str]
    questions: tuple[str, ...]
    kind: Kind
    worth: float
    """0..1: how often its questions read well and are worth asking."""


_N = NAME.pattern
_FILL = {
    "NAME": rf"(?>{_N})",
    "PEOPLE": rf"(?>(?:{_N})(?:(?:, (?:{_N}))*,? and (?:{_N}))?)",
    "PLACE": rf"(?>(?:{_N})(?:, (?:{_N})){{0,2}})",
    "DATE": DATE.pattern,
    "DAY": rf"(?:\d{{1,2}} (?:{MONTHS}),? \d{{4}}|(?:{MONTHS}) \d{{1,2}}, ?\d{{4}})",
    "YEAR": r"(?:1[0-9]\d\d|20\d\d)",
    "NATIONALITY": NATIONALITY,
    "NUMBER": r"(?:\d[\d,.]*\d|\d|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)",
    "END": r"(?=$|[,.;]| and | in | on | at | for | with | from | to | as | where | who | which | after | before | during )",
}
ANY = "person work place group thing name attribute"


def rule(family: str, subjects: str, pattern: str, questions: str, kind: Kind, worth: float) -> Rule:
    """A rule; in the pattern <NAME>, <PEOPLE>, <PLACE>, <DATE> ... stand for what such a thing looks like, and questions are
    separated by " | "."""
    for word, filled in _FILL.items():
        pattern = pattern.replace(f"<{word}>", f"(?:{filled})")
    return Rule(family, frozenset(subjects.split()), re.compile(pattern), tuple(questions.split(" | ")), kind, worth)


"""Every kind of subject."""
