"""Defines Task, which describes one kind of question to the rest of the program, and the inputs of a builder: a Window of text
and a Kit of tools. A builder does not know the store, the screen or the systems under test."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from core.agent import Completion, Sampling
from core.catalog import catalog
from core.errors import BenchError
from core.nouns import Document, Hit, Item, Level, Prompt, Span, Verdict
from core.text.numbered import NumberedSentences, Sentence


@dataclass(frozen=True, slots=True)
class Window:
    """A part of consecutive text of one domain and language, which may continue into the next documents."""

    key: str
    """Identity of the window; a task is drafted from a window only once."""
    spans: tuple[Span, ...]
    """Span of each document, in order."""
    sentences: NumberedSentences
    """Sentences of the window, numbered from 1."""
    domain: str
    language: str
    tokens: int
    """Estimated number of tokens of the window's text."""
    source: Item | None = None
    """Stored item that the draft starts from (the L1 item of an L2 draft)."""
    unfit: str = ""
    """Reason why the window is not drafted from, worded to follow "1 document": "of fewer than 4 sentences". Empty =
    suitable."""
    start: Document | None = None
    """Whole document that a group is searched around, or None for a window that is drafted as cut."""
    room: int = 0
    """Maximum number of tokens of each further document in the group."""
    steps: tuple[Mapping[str, Any], ...] = ()
    """Steps that record the search for the window's documents, as in an item."""

    @property
    def given_documents(self) -> tuple[str, ...]:
        """Return the ids of the documents of the window, in order."""
        return tuple(span.document for span in self.spans)


@dataclass(frozen=True, slots=True)
class WindowRule:
    """The rule for cutting windows of a task."""

    tokens: int
    """Maximum number of tokens of a window (fewer if the agent's context is smaller)."""
    source_task: str | None = None
    """Task of the stored items that windows start from; the window is then the whole document(s) of such an item."""
    whole_documents: bool = False
    """Whether each window is a whole document; documents longer than `tokens` are unsuitable."""
    documents: int = 1
    """Number of whole documents in a window: the starting document, and documents from Task.gather."""
    min_sentences: int = 1
    """Least number of sentences of a whole document; shorter documents are unsuitable."""
    is_unanswered: bool = False
    """Whether windows start from items without an answer; False = from items with an answer."""
    adds_texts: bool = False
    """Whether windows of texts follow after the last stored item."""


class DraftWithVerdicts(NamedTuple):
    """One draft with the verdicts on it so far."""

    item: Item
    verdicts: tuple[Verdict, ...]


class AskAgent(Protocol):
    """The function with which a builder calls the agent; the workbench adds caching, prices and the budget."""

    def __call__(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Awaitable[Completion]: ...


class FoundDocument(NamedTuple):
    """One document that a search provider found."""

    document: Document
    score: float
    """Score on the provider's own scale, comparable only within one list."""


RunLlmGates = Callable[[Item], Awaitable[tuple[Verdict, ...]]]
"""Returns the verdicts of LLM gates on a draft."""
FindDocuments = Callable[[str, int, frozenset[str]], Awaitable[list[FoundDocument]]]
"""Returns at most k documents, best first, for (query, k, ids of documents to exclude)."""
AddDocuments = Callable[[Sequence[Document]], Awaitable[None]]


async def run_no_gates(item: Item) -> tuple[Verdict, ...]:
    """Return no verdicts; used in place of a function that runs LLM gates."""
    return ()


async def refuse_search(query: str, k: int, without: frozenset[str]) -> list[FoundDocument]:
    """Raise BenchError, because this kit has no search provider."""
    raise BenchError("This task searches for documents, but it has no search provider.")


async def ignore_documents(documents: Sequence[Document]) -> None:
    """Do nothing with the documents; used for a provider that finds only documents of the corpus."""


class DocumentFrequencies(NamedTuple):
    """The document frequencies of some words."""

    documents: int
    """Number of documents in the corpus."""
    with_words: Mapping[str, int]
    """Number of documents with these words as written, by words."""


CountDocuments = Callable[[Sequence[str]], Awaitable[DocumentFrequencies]]


async def count_no_documents(names: Sequence[str]) -> DocumentFrequencies:
    """Return no document frequencies, for a kit without a corpus, so that every name counts as rare."""
    return DocumentFrequencies(0, dict.fromkeys(names, 0))


class SimilarityRule(Protocol):
    """The similarity of two texts by an embedding model, and the limit above which they are too similar."""

    @property
    def model(self) -> str: ...

    def limit(self, language: str) -> float | str:
        """Return the cosine that random pairs of the corpus rarely reach, or a sentence with the reason if the model is not
        used for the given language."""

    def cosines(self, source: str, others: Sequence[str], language: str) -> list[float]:
        """Return the cosine of each of the other texts with the source."""


@dataclass(frozen=True, slots=True)
class Kit:
    """The functions and settings that the workbench passes to a builder."""

    ask: AskAgent
    agent: str
    """Name of the agent behind `ask`, for provenance."""
    search: Callable[[tuple[str, ...], str, int], list[Hit]]
    """Returns passages of about 256 tokens for (document ids, query, k), from these documents, best first."""
    cut_sentences: Callable[[Span], tuple[Sentence, ...]]
    """Returns the sentences of a span."""
    is_offline: bool = False
    """Whether `ask` works without an LLM."""
    seed: int = 0
    reason: str = ""
    """Reason of a person for requesting another draft, which is part of the prompt; empty for a first draft."""
    previous: str = ""
    """The question that the person rejected."""
    earlier_questions: tuple[str, ...] = ()
    """Questions of earlier drafts on the window's text, which are part of the prompt, so that overlapping windows do not give
    the same draft twice."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    find_documents: FindDocuments = refuse_search
    """Search for whole documents, in the corpus or elsewhere."""
    provider: str = ""
    """Name of the search provider, for the steps of an item."""
    add_documents: AddDocuments = ignore_documents
    """Adds the documents that an item needs to the corpus, unless they are already there."""
    run_llm_gates: RunLlmGates = run_no_gates
    """Runs the gates that call an agent for every draft."""
    similarity: SimilarityRule | None = None
    """Similarity rule for near copies; None = near copies are recognised only by words."""
    count_documents: CountDocuments = count_no_documents
    """Returns the number of the corpus's documents that contain each of some names."""


TEXT_METRICS = (
    *("rouge_l_crud", "rouge_l", "bleu", "bleu_crud", "token_f1"),
    *("evidence_recall", "length", "seconds", "calls", "tokens"),
)
"""Default metrics of CRUD-RAG's tasks, whose answers are running text."""


def exclude_nothing(item: Item) -> tuple[str, ...]:
    """Return no documents, because most tasks exclude none from retrieval."""
    return ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """One task, that is, one kind of question, named after its file."""

    label: Mapping[str, str]
    """Label of the task for people, by language (en, zh)."""
    definition: Mapping[str, str]
    """Definition of the task for annotators, by language."""
    level: Level
    window: WindowRule
    draft: Callable[[Window, Kit], AsyncIterator[Item]]
    """Yields each item of a window; yields no item when the window gives no question. Raises Unreadable or AgentError."""
    prompt: str = ""
    """Name of the drafting prompt, without the language; empty for items without a prompt."""
    gather: Callable[[Window, Kit], Awaitable[Window]] | None = None
    """Extends a cut window with further documents, or returns the reason why the window is unsuitable. None = windows are
    drafted as cut. Raises SearchFailed."""
    gates: tuple[str, ...]
    """Names of the gates for every draft, in order."""
    llm_gates: tuple[str, ...] = ()
    """Names of the LLM gates for every draft, unless a setting says otherwise."""
    is_question: bool = True
    """Whether answers can be right or wrong; False for texts such as a summary."""
    answer_prompt: str
    """Name of the prompt for a system's answer, without the language: "answer/short"."""
    metrics: tuple[str, ...]
    """Names of a run's default metrics."""
    length_hint: int
    """Maximum number of tokens of an answer."""
    query: Callable[[Item], str] = lambda item: item.question
    """Returns the query for a retriever."""
    queries: Mapping[str, Callable[[Item], str]] = field(default_factory=dict)
    """Other functions that return a query, by the name in a run's setting `query`."""
    reference: Callable[[Item], tuple[str, ...]] = lambda item: item.answers
    """Returns the gold answers."""
    searches: bool = False
    """Whether drafting uses the search provider."""
    excluded_documents: Callable[[Item], tuple[str, ...]] = exclude_nothing
    """Returns ids of documents that retrieval must exclude, because they contain the answer."""
    fill: Callable[[Item], Mapping[str, str]] = lambda item: {"question": "\n\n".join([item.question, *item.inputs.values()])}
    """Returns the inputs of the answer prompt besides the context."""


def tasks() -> Any:
    """Return name -> task, for every task."""
    return catalog("builders.tasks", "TASK", Task)
