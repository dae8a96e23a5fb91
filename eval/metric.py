"""What a metric is, and the Case it scores. A value is in the metric's own scale, never times 100; None is never 0."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.nouns import Span
from eval.system import Ask


@dataclass(frozen=True, slots=True)
class Case:
    """One answer to score: from a trace, or from a line of a predictions file."""

    id: str
    prediction: str
    answers: tuple[str, ...]
    language: str = "en"
    question: str = ""
    evidence: tuple[Span, ...] = ()
    retrieved: tuple[Span, ...] | None = None
    contexts: tuple[str, ...] = ()
    """Texts of the retrieved passages."""
    seconds: float | None = None
    calls: int | None = None
    tokens: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Whatever else a predictions file's line holds."""


@dataclass(frozen=True, slots=True)
class Unscored:
    """No value, and why, in a few words."""

    why: str


Values = Mapping[str, float | Unscored | None]
"""Parts by key: "" is the metric's own name, "precision" becomes NAME.precision, "@5" becomes NAME@5."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Metric:
    """One metric. Its name is its file's name. Exactly one of `score` and `judge` is given."""

    version: str
    """Changes with formula, tokenizer, stemmer or smoothing; part of a score's identity."""
    low: float | None
    high: float | None
    """Ends of its scale; None = open."""
    higher_is_better: bool = True
    languages: tuple[str, ...] = ("en", "zh")
    """A language outside gives an unscored value that says so."""
    headline: str = ""
    """The part shown where one number is wanted."""
    score: Callable[[Case], Values] | None = None
    judge: Callable[[Case, Ask], Awaitable[Values]] | None = None
    """The judged form; raises AgentError; an unreadable reply is Unscored, its text kept in the ledger."""
    derived: Callable[[Mapping[str, Sequence[float]]], Mapping[str, float | None]] | None = None
    """Data-set values that are no mean of item values: from {part: item values} to {part: value} (s_f1)."""
