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
    """A stretch of consecutive text of one domain and language; it may run on into the next documents."""

    key: str
    """Identity of the window; a task is drafted from a window only once."""
    spans: tuple[Span, ...]
    """Span of each document, in order."""
    sentences: NumberedSentences
    """Sentences of the window, numbered from 1."""
    domain: str
    language: str
    tokens: int
    """Estimated tokens of its text."""
    source: Item | None = None
    """The stored item that this draft starts from (the L1 item of an L2 draft)."""
    unfit: str = ""
    """The reason why nothing is drafted from it, worded to follow "1 document": "of fewer than 4 sentences". Empty = it
    fits."""
    start: Document | None = None
    """The whole document that a group is to be found around; None where the window is drafted as it is."""
    room: int = 0
    """Tokens that each further document of that group may have."""
    steps: tuple[Mapping[str, Any], ...] = ()
    """Steps that record how its documents were found, as in an item."""

    @property
    def given_documents(self) -> tuple[str, ...]:
        """Ids of its documents, in order."""
        return tuple(span.document for span in self.spans)


@dataclass(frozen=True, slots=True)
class WindowRule:
    """How windows of a task are cut."""

    tokens: int
    """Maximum tokens of a window (fewer if the agent's context is smaller)."""
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
    """One draft with the verdicts found on the way."""

    item: Item
    verdicts: tuple[Verdict, ...]


class AskAgent(Protocol):
    """The agent, wrapped by the workbench: cached, priced, budgeted."""

    def __call__(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Awaitable[Completion]: ...


class FoundDocument(NamedTuple):
    """One document that a search provider found."""

    document: Document
    score: float
    """In the provider's own scale; comparable only within one list."""


RunLlmGates = Callable[[Item], Awaitable[tuple[Verdict, ...]]]
"""Returns the verdicts of LLM gates on a draft."""
FindDocuments = Callable[[str, int, frozenset[str]], Awaitable[list[FoundDocument]]]
"""(query, k, ids of documents to leave out) -> at most k documents, best first."""
AddDocuments = Callable[[Sequence[Document]], Awaitable[None]]


async def run_no_gates(item: Item) -> tuple[Verdict, ...]:
    """Runs no LLM gate on a draft."""
    return ()


async def refuse_search(query: str, k: int, without: frozenset[str]) -> list[FoundDocument]:
    """Raises BenchError: this kit has no search provider."""
    raise BenchError("This task searches for documents, but it has no search provider.")


async def ignore_documents(documents: Sequence[Document]) -> None:
    """For a provider that finds only what the corpus holds."""


class DocumentFrequencies(NamedTuple):
    """Document frequencies of some words."""

    documents: int
    """Number of documents in the corpus."""
    with_words: Mapping[str, int]
    """Words -> number of documents that contain them as written."""


CountDocuments = Callable[[Sequence[str]], Awaitable[DocumentFrequencies]]


async def count_no_documents(names: Sequence[str]) -> DocumentFrequencies:
    """For a kit without a corpus: every name is rare."""
    return DocumentFrequencies(0, dict.fromkeys(names, 0))


class SimilarityRule(Protocol):
    """The similarity of two texts by an embedding model, and the limit above which they are too similar."""

    @property
    def model(self) -> str: ...

    def limit(self, language: str) -> float | str:
        """The cosine that random pairs of the corpus hardly reach; a sentence where the model is not used on that language."""

    def cosines(self, source: str, others: Sequence[str], language: str) -> list[float]:
        """Of each of the others with the source."""


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
    """A person's reason for wanting another draft, which goes into the prompt; empty for a first draft."""
    previous: str = ""
    """The question that the person rejected for that reason."""
    earlier_questions: tuple[str, ...] = ()
    """Questions that earlier drafts ask already on the window's text: they go into the prompt, so that windows that overlap
    do not give the same draft twice."""
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
    """Counts the documents of the corpus that contain each of some names."""


def exclude_nothing(item: Item) -> tuple[str, ...]:
    """Returns no documents: most tasks exclude none from retrieval."""
    return ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """One kind of question. Its name is its file's name."""

    label: Mapping[str, str]
    """The task's name for people, by language (en, zh)."""
    definition: Mapping[str, str]
    """The definition shown to annotators, by language."""
    level: Level
    window: WindowRule
    draft: Callable[[Window, Kit], AsyncIterator[Item]]
    """Yields each item as it is made; nothing when the window holds none worth asking. Raises Unreadable, AgentError."""
    prompt: str = ""
    """The prompt that a draft is asked for with, without the language; empty where an item is made without one."""
    gather: Callable[[Window, Kit], Awaitable[Window]] | None = None
    """Extends the window that was cut: finds the documents that belong to it, or gives the reason why it is unfit. None = the
    window is drafted as it was cut. Raises SearchFailed."""
    gates: tuple[str, ...]
    """Gates that run on every draft, by name, in order."""
    llm_gates: tuple[str, ...] = ()
    """Gates that ask an agent and run on every draft unless a setting says otherwise, by name."""
    is_question: bool = True
    """An answer to its items can be right or wrong; not so where a text is to be written."""
    answer_prompt: str
    """Prompt that a system answers with, without the language: "answer/short"."""
    metrics: tuple[str, ...]
    """Default metrics of a run."""
    length_hint: int
    """Tokens that an answer may have."""
    query: Callable[[Item], str] = lambda item: item.question
    """Returns the query for a retriever."""
    queries: Mapping[str, Callable[[Item], str]] = field(default_factory=dict)
    """Other choices of it, by the name that a run's setting `query` gives."""
    reference: Callable[[Item], tuple[str, ...]] = lambda item: item.answers
    """The gold answers."""
    searches: bool = False
    """Whether its drafting asks the search provider."""
    excluded_documents: Callable[[Item], tuple[str, ...]] = exclude_nothing
    """Ids of the documents that retrieval must not see, because the answer was taken from them."""
    fill: Callable[[Item], Mapping[str, str]] = lambda item: {"question": "\n\n".join([item.question, *item.inputs.values()])}
    """Inputs of the answer prompt besides the context."""


def tasks() -> Any:
    """Every task by name."""
    return catalog("builders.tasks", "TASK", Task)
