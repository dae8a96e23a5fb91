"""Define shortcuts: ways to answer a question without understanding it, such as taking the passage that shares its words. Each
file in eval/shortcuts/ defines one shortcut as its constant SHORTCUT. A question that a shortcut answers does not show that a
system understands anything."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from core.catalog import catalog
from core.nouns import Hit, Span

Form = Literal["passage", "reply", "answer"]
"""Form of a shortcut's answers, which decides how they are compared with gold answers: "passage" = a text of the corpus;
"reply" = an agent's reply; "answer" = only the answer, such as a choice. See eval/shortcuts/_judging.py."""
ANY = "any"
"""Name of the results of all shortcuts together: whether at least one of them is right."""


@dataclass(frozen=True, slots=True)
class ShortcutQuestion:
    """A question of a release, as shortcuts see it."""

    item: str
    question: str
    answers: tuple[str, ...]
    """Gold answers. A shortcut may use those of other questions, never those of the question that it answers."""
    language: str = "en"
    choices: tuple[str, ...] = ()
    """Answers to choose from; empty = the question offers no choices."""


class ShortcutAnswer(NamedTuple):
    """A shortcut's answer to one question."""

    text: str | None
    """The answer; None = the shortcut does not apply to the question, or failed."""
    why: str = ""
    """Reason why `text` is None, in a few words; "" if `text` is not None."""
    span: Span | None = None
    """Span of the corpus from which the answer was taken."""
    chance: float | None = None
    """Probability (0..1) that a guess is right; None = this probability is measured with the gold answers of other
    questions."""
    has_failed: bool = False
    """Whether the answer is missing because something failed, and not because the shortcut does not apply."""


class ProbeKey(NamedTuple):
    """A shortcut of a certificate: its name, and the agent that it asked."""

    shortcut: str
    agent: str = ""
    """Name of the agent that the shortcut asked; "" = the shortcut asks no agent."""


@dataclass(frozen=True, slots=True)
class ShortcutContext:
    """Functions that shortcuts may use to find and read passages of the corpus."""

    find: Callable[[ShortcutQuestion], Sequence[Hit]]
    """Returns the passages of the corpus that BM25 finds for a question, best first."""
    read: Callable[[Span], str]
    """Returns the text of a span."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shortcut:
    """One shortcut, named after its file. Exactly one of `answer` and `system` is set."""

    label: str
    about: str
    """Description of the shortcut, in one sentence."""
    form: Form
    answer: Callable[[Sequence[ShortcutQuestion], ShortcutContext], Iterator[ShortcutAnswer]] | None = None
    """Yields the answer to each question, in order."""
    system: str = ""
    """Name of the system whose answers are the shortcut's; it is run with each agent that the certificate names."""
    needs_corpus: bool = False
    """Whether the shortcut searches the corpus."""


def shortcuts() -> Mapping[str, Shortcut]:
    """Return a dict from shortcut name to Shortcut, of all shortcuts."""
    return catalog("eval.shortcuts", "SHORTCUT", Shortcut)
