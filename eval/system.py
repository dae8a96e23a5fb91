"""What a system under test is, what it is asked (Question), what it may use (Tools) and what it gives back (Answer). Systems
take their words from the task, by way of the Question; no system contains words about questions."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from core.agents.agent import Completion, Sampling
from core.nouns import Document, Hit, Prompt, Span, Step

Family = Literal["floor", "long context", "compression", "standard", "enhanced", "global", "adaptive", "agent", "outside"]


@dataclass(frozen=True, slots=True)
class Question:
    """One item (or variant of it) as a system meets it, with the golds that only oracle and the metrics may look at."""

    item: str
    text: str
    query: str
    """What a retriever is asked; the task's choice."""
    language: str
    task: str
    prompt: Prompt | None
    """The task's answer prompt, with inputs `question` and `context`; None for floors without an agent."""
    max_tokens: int
    """The task's length hint."""
    level: int | str | None = None
    domain: str = "general"
    labels: Mapping[str, Any] = field(default_factory=dict)
    variant: str | None = None
    kind: str | None = None
    """Kind of the variant; None for the item itself."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    given: tuple[str, ...] = ()
    """Ids of the documents that belong to it."""
    answers: tuple[str, ...] = ()
    """Gold answers."""
    evidence: tuple[Span, ...] = ()
    """Gold evidence."""
    overlap: float | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system gives back for one question."""

    text: str
    retrieved: tuple[Span, ...] | None = None
    """The passages it answered from, best first; None when it tells none."""
    steps: tuple[Step, ...] = ()
    tokens_in: int | None = None
    """Set by systems that call outside models themselves; calls through Tools.ask are counted by the runner."""
    tokens_out: int | None = None
    calls: int | None = None
    seconds: float | None = None


class Ask(Protocol):
    """The run's agent; every call becomes a call step of the trace by itself."""

    def __call__(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Awaitable[Completion]: ...


@dataclass(frozen=True, slots=True)
class Tools:
    """What the runner hands to a system for one question."""

    ask: Ask | None
    """None when the run has no agent."""
    retrieve: Callable[[str, int], list[Hit]]
    """(query, k) -> passages of the release's documents in the question's language, best first; every use becomes a step."""
    text: Callable[[Span], str]
    document: Callable[[str], Document]
    context: int | None = None
    """The agent's context window in tokens."""


class SystemFailed(Exception):
    """A system could not answer this one question; becomes a failed trace, never an answer."""

    def __init__(self, message: str, *, stop: str) -> None:
        super().__init__(message)
        self.stop = stop
        """Kind of failure, see Trace.stop."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SystemAdapter:
    """One way to answer. Its name is its file's name."""

    label: str
    family: Family
    needs_agent: bool = False
    needs_retriever: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Its own settings with their defaults."""
    answer: Callable[[Question, Tools, Mapping[str, Any]], Awaitable[Answer]]
    """Raises SystemFailed, AgentError."""
    open: Callable[[Sequence[Question], Mapping[str, Any]], Mapping[str, Any]] | None = None
    """Once before a run: checks and prepares its settings (reads a predictions file, starts a program); what it returns is
    handed to `answer` as the settings. Raises BenchError."""
    close: Callable[[Mapping[str, Any]], None] | None = None
    """Once after a run."""
