"""Systems under test: what one is asked (Question), what it may use (Tools), what it returns (Answer). Systems take their words
from the task, through the Question; no system contains words about questions."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from agents.huggingface.inside import ModelView
from core.agent import Capability, Completion, Sampling
from core.catalog import catalog
from core.errors import BenchError
from core.functions.functions import Registry
from core.ids import content_hash
from core.nouns import Document, Prompt, Span, Step
from core.quality.crag import find_query_time
from core.retrieval.embeddings import embedder
from eval.retriever import Embedders, Search
from eval.settings import Setting, Settings

SystemFamily = Literal["floor", "long context", "compression", "standard", "enhanced", "global", "adaptive", "agent", "outside"]


class Shot(NamedTuple):
    """One worked example: an item that this run does not ask."""

    question: str
    evidence: tuple[str, ...]
    """The texts that its answer rests on."""
    answer: str


@dataclass(frozen=True, slots=True)
class Question:
    """One item (or variant) as a system meets it, with the golds that only oracle and metrics may read."""

    item: str
    text: str
    query: str
    """What a retriever searches for; the task's choice."""
    language: str
    task: str
    prompt: Prompt | None
    """The task's answer prompt, with the input `context` and those of `fills`; None for floors without an agent."""
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
    fills: Mapping[str, str] = field(default_factory=dict)
    """Inputs of the task's answer prompt besides the context; empty = `question`, the text with its further texts."""
    now: str = ""
    """When it is asked, as CRAG writes it ("02/28/2024, 08:35:24 PT"); "" = not known."""
    closed_prompt: Prompt | None = None
    """What closed_book answers with: input `question` alone."""
    shots: tuple[Shot, ...] = ()
    """Worked examples to show with it, beside the prompt's own."""

    @property
    def moment(self) -> str | None:
        """`now` in ISO form, as functions over tables take it; None where it is not known."""
        moment = find_query_time({"query_time": self.now})
        return moment.replace(tzinfo=None).isoformat() if moment else None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system returns for one question."""

    text: str
    retrieved: tuple[Span, ...] | None = None
    """The passages it answered from, best first; None when it reports none."""
    steps: tuple[Step, ...] = ()
    tokens_in: int | None = None
    """Set by systems that call outside models themselves; the runner counts calls through Tools.ask."""
    tokens_out: int | None = None
    calls: int | None = None
    seconds: float | None = None
    """Service time, where the system reports its own; None = the runner's clock, less the waiting of its calls."""
    waited: float = 0.0
    """Seconds it waited for a free place of its own; no part of the service time."""
    stop: str = "answered"
    """How its work ended, see Trace.stop; an end without an answer has the text ""."""


def make_unknown_span(text: str, _first: Sequence[str] = ()) -> Span:
    """Returns a span over a document that is that text and no more; its id is the text's own hash."""
    return Span(content_hash(text), 0, len(text))


Inputs = Mapping[str, object]
"""A prompt's inputs by name."""


class AskInRun(Protocol):
    """The run's agent; the runner makes every call a step of the trace."""

    def __call__(self, prompt: Prompt, inputs: Inputs, sampling: Sampling) -> Awaitable[Completion]: ...


class AttentionProbe(Protocol):
    """Shows how the run's agent attends within a text, or tokens that it made. Raises BenchError if it cannot."""

    def __call__(self, read: str | Sequence[int], spaced: bool = True) -> Awaitable[ModelView]: ...


@dataclass(frozen=True, slots=True)
class Tools:
    """What the runner hands to a system for one question."""

    ask: AskInRun | None
    """None when the run has no agent."""
    retrieve: Search | None
    """(query, k) -> passages of the release's documents in the question's language, best first; every use becomes a step.
    None when the run has no retriever."""
    text: Callable[[Span], str]
    """"" for a span of a document that the release does not hold."""
    document: Callable[[str], Document | None]
    context: int | None = None
    """The agent's context window in tokens."""
    locate: Callable[[str, Sequence[str]], Span] = make_unknown_span
    """(a passage's text, document ids to search first) -> where it stands verbatim in the release's documents; a span of a
    document that the release does not hold when it stands nowhere, so that ranks stay what they were."""
    embedder: Embedders = embedder
    """Loads embedding models."""
    note: Callable[[Step], None] = lambda step: None
    """Puts a step of the system's own into the trace, at its place among the calls and retrievals."""
    report_progress: Callable[[str], None] = lambda message: None
    """While building."""
    width: int = 1
    """While building: how many calls may run at once."""
    probe: AttentionProbe | None = None
    """The inside of the run's agent, where that is a local model."""
    functions: Registry | None = None
    """The functions of the run's environments, open for this question; None when the run has none."""

    @property
    def agent(self) -> AskInRun:
        """The run's agent. Raises BenchError when it has none."""
        if self.ask is None:
            raise BenchError("This system asks an agent and the run has none: name one with --agent.")
        return self.ask

    def search_for(self, system: str) -> Search:
        """Returns the run's search for the system of that name. Raises BenchError when the run has none."""
        if self.retrieve is None:
            raise BenchError(f"The system {system} searches and the run has no retriever: name one with --retriever.")
        return self.retrieve


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
    family: SystemFamily
    needs_agent: bool = False
    needs_retriever: bool = False
    needs_functions: bool = False
    """Works with the functions of environments; its setting `environment` names them, separated by commas."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    capability: Capability | None = None
    """What it needs of its agent besides words."""
    prompts: tuple[str, ...] = ()
    """Names of the prompts that it uses besides the task's own; part of a run's identity."""
    answer: Callable[[Question, Tools, Settings], Awaitable[Answer]]
    """The settings are complete and checked. Raises SystemFailed, AgentError."""
    build: Callable[[Sequence[Document], Tools, Settings], Awaitable[Settings]] | None = None
    """Once for a corpus, before its questions: reads it with the run's agent and returns the settings to answer with (see
    `open`). Its calls count as building costs, not as a question's. Raises BenchError, AgentError."""
    open: Callable[[Sequence[Question], Settings], Settings | Awaitable[Settings]] | None = None
    """Once before a run: reads a predictions file, starts a program; `answer` gets the settings that it returns. Sentences
    under their key "messages" are shown to the caller. Raises BenchError."""
    check_ready: Callable[[Sequence[Question], Tools, Settings], Awaitable[None]] | None = None
    """Once before the first question, after `open`: checks that the run's agent can do what the system needs. Raises
    BenchError when it cannot, AgentError."""
    close: Callable[[Settings], Awaitable[None] | None] | None = None
    """Once after a run, stopped ones included."""


def systems() -> Mapping[str, SystemAdapter]:
    """Returns every system by name."""
    return catalog("eval.systems", "SYSTEM", SystemAdapter)
