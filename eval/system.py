"""Systems under test: their input (Question), their tools (Tools), and their output (Answer). Systems take all wording from the
task, through the Question; no system contains wording about questions."""

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
    """One worked example: an item outside the run's questions."""

    question: str
    evidence: tuple[str, ...]
    """Texts of the evidence for the answer."""
    answer: str


@dataclass(frozen=True, slots=True)
class Question:
    """One item (or variant) as a system receives it, with gold data that only oracle and metrics may read."""

    item: str
    text: str
    query: str
    """Search query, chosen by the task."""
    language: str
    task: str
    prompt: Prompt | None
    """The task's answer prompt, with the input `context` and the inputs in `fills`; None for systems without an agent."""
    max_tokens: int
    """Maximum reply tokens, suggested by the task."""
    level: int | str | None = None
    domain: str = "general"
    labels: Mapping[str, Any] = field(default_factory=dict)
    variant: str | None = None
    kind: str | None = None
    """Kind of the variant; None for the item itself."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    given: tuple[str, ...] = ()
    """Ids of the documents that belong to the question."""
    answers: tuple[str, ...] = ()
    """Gold answers."""
    evidence: tuple[Span, ...] = ()
    """Gold evidence."""
    overlap: float | None = None
    fills: Mapping[str, str] = field(default_factory=dict)
    """Inputs of the task's answer prompt besides the context; empty = only `question`, the question with its additional
    texts."""
    now: str = ""
    """Time of the question in CRAG's format ("02/28/2024, 08:35:24 PT"); "" = not known."""
    closed_prompt: Prompt | None = None
    """Prompt for closed_book, with the input `question` only."""
    shots: tuple[Shot, ...] = ()
    """Worked examples to show, in addition to the prompt's own."""

    @property
    def moment(self) -> str | None:
        """`now` in ISO format, as functions over tables expect it; None if unknown."""
        moment = find_query_time({"query_time": self.now})
        return moment.replace(tzinfo=None).isoformat() if moment else None


@dataclass(frozen=True, slots=True)
class Answer:
    """A system's result for one question."""

    text: str
    retrieved: tuple[Span, ...] | None = None
    """Passages on which the answer is based, best first; None if the system reports none."""
    steps: tuple[Step, ...] = ()
    tokens_in: int | None = None
    """Input tokens of outside models, set by systems that call them directly; the runner counts calls through Tools.ask."""
    tokens_out: int | None = None
    calls: int | None = None
    seconds: float | None = None
    """Service time in seconds, if reported by the system; None = the runner's clock minus the waiting time of the calls."""
    waited: float = 0.0
    """Seconds that the system waited for a free slot of its own; not part of the service time."""
    stop: str = "answered"
    """Reason why the work ended, see Trace.stop. An end without an answer has the text ""."""


def make_unknown_span(text: str, _first: Sequence[str] = ()) -> Span:
    """Return a span over a document that consists of exactly that text; the document's id is the hash of the text."""
    return Span(content_hash(text), 0, len(text))


Inputs = Mapping[str, object]
"""Inputs of a prompt, by name."""


class AskInRun(Protocol):
    """The run's agent; the runner records every call as a step of the trace."""

    def __call__(self, prompt: Prompt, inputs: Inputs, sampling: Sampling) -> Awaitable[Completion]: ...


class AttentionProbe(Protocol):
    """Function for the attention of the run's agent within a text or its own tokens. Raises BenchError if unsupported."""

    def __call__(self, read: str | Sequence[int], spaced: bool = True) -> Awaitable[ModelView]: ...


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools that the runner passes to a system for one question."""

    ask: AskInRun | None
    """The run's agent; None if the run has no agent."""
    retrieve: Search | None
    """(query, k) -> passages of the release's documents in the question's language, best first. Every call becomes a step. None
    if the run has no retriever."""
    text: Callable[[Span], str]
    """Returns the text of a span; "" for a document outside the release."""
    document: Callable[[str], Document | None]
    context: int | None = None
    """Context window of the agent, in tokens."""
    locate: Callable[[str, Sequence[str]], Span] = make_unknown_span
    """(passage text, document ids to search first) -> the span of its verbatim occurrence in the release's documents. Without
    an occurrence, a span of a document outside the release, so that ranks do not change."""
    embedder: Embedders = embedder
    """Loads embedding models."""
    note: Callable[[Step], None] = lambda step: None
    """Adds a step of the system to the trace, in order with the calls and retrievals."""
    report_progress: Callable[[str], None] = lambda message: None
    """Reports progress while building."""
    width: int = 1
    """Number of concurrent calls while building."""
    probe: AttentionProbe | None = None
    """Attention of the run's agent, if the agent is a local model; else None."""
    functions: Registry | None = None
    """Functions of the run's environments, opened for this question; None if the run has none."""

    @property
    def agent(self) -> AskInRun:
        """The run's agent. Raises BenchError if the run has none."""
        if self.ask is None:
            raise BenchError("This system asks an agent and the run has none: name one with --agent.")
        return self.ask

    def search_for(self, system: str) -> Search:
        """Return the run's search, for use by the named system. Raises BenchError if the run has no retriever."""
        if self.retrieve is None:
            raise BenchError(f"The system {system} searches and the run has no retriever: name one with --retriever.")
        return self.retrieve


class SystemFailed(Exception):
    """Raised when a system cannot answer a question; becomes a failed trace, never an answer."""

    def __init__(self, message: str, *, stop: str) -> None:
        super().__init__(message)
        self.stop = stop
        """Kind of failure, see Trace.stop."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SystemAdapter:
    """One system under test, named after its file."""

    label: str
    family: SystemFamily
    needs_agent: bool = False
    needs_retriever: bool = False
    needs_functions: bool = False
    """Whether the system calls functions of environments; its setting `environment` names them, separated by commas."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    capability: Capability | None = None
    """Capability that the agent must have besides text."""
    prompts: tuple[str, ...] = ()
    """Names of the prompts that the system uses besides the task's own; part of a run's identity."""
    answer: Callable[[Question, Tools, Settings], Awaitable[Answer]]
    """Answers one question. The settings are complete and checked. Raises SystemFailed, AgentError."""
    build: Callable[[Sequence[Document], Tools, Settings], Awaitable[Settings]] | None = None
    """Runs once per corpus, before its questions: reads the corpus with the run's agent and returns the settings for answering
    (see `open`). Its calls count as building costs, not as costs of a question. Raises BenchError, AgentError."""
    check: Callable[[Settings], None] | None = None
    """Checks the complete settings before a run is stored: what `open` would refuse, as far as it costs nothing. Raises
    BenchError."""
    open: Callable[[Sequence[Question], Settings], Settings | Awaitable[Settings]] | None = None
    """Runs once before a run, for example to read a predictions file or start a program; `answer` receives the returned
    settings. Sentences under their key "messages" are shown to the caller. Raises BenchError."""
    check_ready: Callable[[Sequence[Question], Tools, Settings], Awaitable[None]] | None = None
    """Runs once before the first question, after `open`: checks that the run's agent has the abilities that the system needs.
    Raises BenchError if not, AgentError."""
    close: Callable[[Settings], Awaitable[None] | None] | None = None
    """Runs once after a run, including a stopped run."""


def systems() -> Mapping[str, SystemAdapter]:
    """Return all systems by name."""
    return catalog("eval.systems", "SYSTEM", SystemAdapter)
