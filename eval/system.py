"""Define systems under test: what they get (Question), what they may use (Tools), and what they return (Answer). The
instructions in a prompt about the kind of question come from the task, through the Question, and never from a system."""

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
from core.quality.conversations import Exchange
from core.quality.crag import find_query_time
from core.retrieval.embeddings import embedder
from eval.retriever import Embedders, Search
from eval.settings import Setting, Settings

SystemFamily = Literal[
    "floor", "long context", "compression", "standard", "enhanced", "global", "adaptive", "agent", "ceiling", "outside"
]


class Shot(NamedTuple):
    """A worked example for a system's prompt: an item that is not among the run's questions."""

    question: str
    evidence: tuple[str, ...]
    """Texts of the evidence that proves the example's answer."""
    answer: str


@dataclass(frozen=True, slots=True)
class Question:
    """One item (or variant) as a system gets it, with gold data that only the system oracle and metrics may read."""

    item: str
    text: str
    query: str
    """Search query for the question, made by the task."""
    language: str
    task: str
    prompt: Prompt | None
    """The task's answer prompt, with the input `context` and the inputs in `fills`; None = the question is only for systems
    without an agent."""
    max_tokens: int
    """Maximum number of tokens of the answer, suggested by the task."""
    level: int | str | None = None
    domain: str = "general"
    labels: Mapping[str, Any] = field(default_factory=dict)
    variant: str | None = None
    kind: str | None = None
    """Kind of the variant that is asked; None = the item's own question is asked."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    given: tuple[str, ...] = ()
    """Ids of the documents that belong to the question."""
    answers: tuple[str, ...] = ()
    """Gold answers, which only the system oracle and metrics may read."""
    evidence: tuple[Span, ...] = ()
    """Gold evidence, which only the system oracle and metrics may read."""
    sources: tuple[str, ...] = ()
    """Ids of the documents that the answer was written from and that retrieval excludes. Only the system oracle may read
    them."""
    overlap: float | None = None
    fills: Mapping[str, str] = field(default_factory=dict)
    """Inputs of the task's answer prompt besides the context; empty = only `question`, which is the question with its input
    texts."""
    now: str = ""
    """Time at which the question is asked, in CRAG's format ("02/28/2024, 08:35:24 PT"); "" = not known."""
    closed_prompt: Prompt | None = None
    """Prompt for the system closed_book, with only the input `question`."""
    before: tuple[Exchange, ...] = ()
    """Turns of the conversation before the question, oldest first, as the system gets them; `text` already contains them."""
    bare: str = ""
    """The question without the turns in `before`; "" if there are none."""
    shots: tuple[Shot, ...] = ()
    """Worked examples to show in the prompt, in addition to the prompt's fixed examples."""

    @property
    def moment(self) -> str | None:
        """Return the time of the question in ISO format, which functions over tables require; None if the time is unknown."""
        moment = find_query_time({"query_time": self.now})
        return moment.replace(tzinfo=None).isoformat() if moment else None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer that a system returns for one question, with its passages and costs."""

    text: str
    retrieved: tuple[Span, ...] | None = None
    """Passages on which the answer is based, best first; None = the system reports none."""
    steps: tuple[Step, ...] = ()
    tokens_in: int | None = None
    """Input tokens of models that the system called directly, without Tools.ask; the runner counts the calls through
    Tools.ask."""
    tokens_out: int | None = None
    calls: int | None = None
    seconds: float | None = None
    """Service time in seconds, if the system reports it; None = the runner measures the service time, without the time that
    calls waited."""
    waited: float = 0.0
    """Seconds that the system waited until it could process the question, which are not part of the service time."""
    stop: str = "answered"
    """Reason why the work ended, see Trace.stop. If the work ended without an answer, `text` is ""."""


def make_unknown_span(text: str, _first: Sequence[str] = ()) -> Span:
    """Return a span over a document that consists of exactly this text and is not in the release; its id is the hash of the
    text."""
    return Span(content_hash(text), 0, len(text))


Inputs = Mapping[str, object]
"""Inputs that fill a prompt, by name."""


class AskInRun(Protocol):
    """A function that calls the run's agent; the runner records every call as a step of the trace."""

    def __call__(self, prompt: Prompt, inputs: Inputs, sampling: Sampling) -> Awaitable[Completion]: ...


class AttentionProbe(Protocol):
    """A function that returns the attention of the run's agent within a text or within its own output. Raises BenchError if the
    agent cannot return its attention."""

    def __call__(self, read: str | Sequence[int], spaced: bool = True) -> Awaitable[ModelView]: ...


@dataclass(frozen=True, slots=True)
class Tools:
    """What a system may use to answer one question: agent, search, texts, models and functions."""

    ask: AskInRun | None
    """Calls the run's agent; None = the run has no agent."""
    retrieve: Search | None
    """Returns passages of the release's documents in the question's language, best first, for (query, k). Every call becomes a
    step of the trace. None = the run has no retriever."""
    text: Callable[[Span], str]
    """Returns the text of a span; "" if its document is not in the release."""
    document: Callable[[str], Document | None]
    context: int | None = None
    """Size of the agent's context window in tokens; None = unknown."""
    locate: Callable[[str, Sequence[str]], Span] = make_unknown_span
    """Returns the span where a passage's text occurs verbatim in the release's documents, for (text, document ids to search
    first). If the text does not occur there, the span is of a document outside the release, so that the ranks of passages do
    not change."""
    embedder: Embedders = embedder
    """Loads an embedding model."""
    note: Callable[[Step], None] = lambda step: None
    """Adds a step to the trace, after the calls and retrievals made so far."""
    report_progress: Callable[[str], None] = lambda message: None
    """Reports progress while the system builds."""
    width: int = 1
    """Number of calls that may be in progress at the same time while the system builds."""
    probe: AttentionProbe | None = None
    """Returns the attention of the run's agent; None if the agent is not a local model."""
    functions: Registry | None = None
    """Functions of the run's environments, opened for this question; None = the run has none."""

    @property
    def agent(self) -> AskInRun:
        """Return the function that calls the run's agent. Raises BenchError if the run has no agent."""
        if self.ask is None:
            raise BenchError("This system calls an agent, but the run has none: name one with --agent.")
        return self.ask

    def search_for(self, system: str) -> Search:
        """Return the run's search function; `system` is the name of the system, for the error message. Raises BenchError if the
        run has no retriever."""
        if self.retrieve is None:
            raise BenchError(f"The system {system} searches, but the run has no retriever: name one with --retriever.")
        return self.retrieve


class SystemFailed(Exception):
    """Raised if a system cannot answer a question; the result is a failed trace, never an answer."""

    def __init__(self, message: str, *, stop: str) -> None:
        super().__init__(message)
        self.stop = stop
        """Kind of the failure, see Trace.stop."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SystemAdapter:
    """One system under test; its name is its file's name."""

    label: str
    family: SystemFamily
    needs_agent: bool = False
    needs_retriever: bool = False
    needs_functions: bool = False
    """Whether the system calls functions of environments, which its setting `environment` names, separated by commas."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    capability: Capability | None = None
    """Kinds of output besides text that the system requires from its agent, e.g. attention."""
    prompts: tuple[str, ...] = ()
    """Names of the prompts that the system uses besides the task's own; they are part of a run's identity."""
    answer: Callable[[Question, Tools, Settings], Awaitable[Answer]]
    """Answers one question, with settings that are complete and checked. Raises SystemFailed or AgentError if the question
    cannot be answered."""
    build: Callable[[Sequence[Document], Tools, Settings], Awaitable[Settings]] | None = None
    """Reads the corpus with the run's agent, once before its questions, and returns the settings for answering (see `open`).
    The calls of this function count as costs of building, not as costs of a question. Raises BenchError or AgentError if the
    build fails."""
    check: Callable[[Settings], None] | None = None
    """Checks the complete settings before a run is stored; makes only checks that cost nothing. Raises BenchError if `open`
    would refuse them."""
    open: Callable[[Sequence[Question], Settings], Settings | Awaitable[Settings]] | None = None
    """Prepares a run, e.g. reads a predictions file or starts a program, and returns the settings for `answer`. Sentences under
    their key "messages" are shown to the user. Raises BenchError if the preparation fails."""
    check_ready: Callable[[Sequence[Question], Tools, Settings], Awaitable[None]] | None = None
    """Checks, after `open` and before the first question, that the run's agent can do what the system needs. Raises BenchError
    if the agent cannot do this, AgentError if the call fails."""
    close: Callable[[Settings], Awaitable[None] | None] | None = None
    """Cleans up after a run, even if the run was stopped."""


def systems() -> Mapping[str, SystemAdapter]:
    """Return a dict from system name to SystemAdapter, of all systems."""
    return catalog("eval.systems", "SYSTEM", SystemAdapter)
