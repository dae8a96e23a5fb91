"""Define Task, which describes one kind of question to the rest of the program. Also define the two arguments of a builder,
which drafts items: a Window of text, and a Kit of functions and settings. A builder does not use the store, the user interface
or the systems under test."""

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
    """A stretch of consecutive text in one domain and language, from which a question is drafted. A window may continue into
    the next document."""

    key: str
    """Identity of the window; a task is drafted from a window with the same key only once."""
    spans: tuple[Span, ...]
    """The spans of text that form the window, one span for each document, in order."""
    sentences: NumberedSentences
    """Sentences of the window's text, numbered from 1."""
    domain: str
    language: str
    tokens: int
    """Estimated number of tokens of the window's text."""
    source: Item | None = None
    """Stored item from which the question is drafted, e.g. the level 1 item for a level 2 draft; None = the question is drafted
    from text."""
    unfit: str = ""
    """Reason why no question can be drafted from the window, as the end of a phrase such as "1 document of fewer than 4
    sentences"; "" = the window is suitable."""
    start: Document | None = None
    """The whole document for which Task.gather finds related documents, or None for a window to which no documents are
    added."""
    room: int = 0
    """Maximum number of tokens of each further document that Task.gather adds to the window."""
    steps: tuple[Mapping[str, Any], ...] = ()
    """Drafting steps that record how the window's documents were found; the drafted item stores these steps."""

    @property
    def given_documents(self) -> tuple[str, ...]:
        """Return the ids of the documents whose text is in the window, in order."""
        return tuple(span.document for span in self.spans)


@dataclass(frozen=True, slots=True)
class WindowRule:
    """The rule by which windows of text are cut for a task."""

    tokens: int
    """Maximum number of tokens of a window; windows are shorter if the agent's context is smaller."""
    source_task: str | None = None
    """Name of the task whose stored items this task starts from; a window then contains all documents of one stored item. "" =
    the task starts from text."""
    whole_documents: bool = False
    """Whether each window is a whole document; a document of more than `tokens` tokens is unsuitable."""
    documents: int = 1
    """Number of whole documents in a window: the starting document, and the related documents that Task.gather finds."""
    min_sentences: int = 1
    """Least number of sentences of a whole document; a shorter document is unsuitable."""
    is_unanswered: bool = False
    """True = windows are made from stored items without an answer; False = from stored items with an answer."""
    adds_texts: bool = False
    """Whether windows that are cut from documents follow after the windows that are made from stored items."""


class DraftWithVerdicts(NamedTuple):
    """One draft, with the verdicts of the gates that have checked it."""

    item: Item
    verdicts: tuple[Verdict, ...]


class AskAgent(Protocol):
    """The type of the function with which a builder calls the agent; the workbench's function also handles caching, prices and
    the budget."""

    def __call__(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Awaitable[Completion]: ...


class FoundDocument(NamedTuple):
    """One document that a search provider returned, with its score."""

    document: Document
    score: float
    """Score on the provider's own scale, comparable only within one list of results."""


RunLlmGates = Callable[[Item], Awaitable[tuple[Verdict, ...]]]
"""A function that runs LLM gates on a draft and returns their verdicts."""
FindDocuments = Callable[[str, int, frozenset[str]], Awaitable[list[FoundDocument]]]
"""A function that returns at most k documents, best first, for (query, k, ids of documents to exclude)."""
AddDocuments = Callable[[Sequence[Document]], Awaitable[None]]


async def run_no_gates(item: Item) -> tuple[Verdict, ...]:
    """Return no verdicts; this function is used by a kit in which no LLM gates run."""
    return ()


async def refuse_search(query: str, k: int, without: frozenset[str]) -> list[FoundDocument]:
    """Raise BenchError; this is the search function of a kit without a search provider."""
    raise BenchError("This task searches for documents, but it has no search provider.")


async def ignore_documents(documents: Sequence[Document]) -> None:
    """Do nothing with the documents; a kit uses this function if its search finds only documents that are already in the
    corpus."""


class DocumentFrequencies(NamedTuple):
    """The number of documents in the corpus and, for each of some words, the number of documents in which the word occurs."""

    documents: int
    """Number of documents in the corpus."""
    with_words: Mapping[str, int]
    """A dict from each word, in its original spelling, to the number of documents that contain the word."""


CountDocuments = Callable[[Sequence[str]], Awaitable[DocumentFrequencies]]


async def count_no_documents(names: Sequence[str]) -> DocumentFrequencies:
    """Return frequencies of 0, so that every name counts as rare; this function is used by a kit without a corpus."""
    return DocumentFrequencies(0, dict.fromkeys(names, 0))


class SimilarityRule(Protocol):
    """Measures the similarity of two texts by an embedding model, and returns the limit above which two texts count as too
    similar."""

    @property
    def model(self) -> str: ...

    def limit(self, language: str) -> float | str:
        """Return a limit for the cosine similarity, which random pairs of documents rarely exceed. Return a sentence with the
        reason if the model is not used for this language."""

    def cosines(self, source: str, others: Sequence[str], language: str) -> list[float]:
        """Return the cosine between the text `source` and each text in `others`."""


@dataclass(frozen=True, slots=True)
class Kit:
    """The functions and settings with which a builder drafts items; the workbench passes a Kit to the builder."""

    ask: AskAgent
    agent: str
    """Name of the agent that `ask` calls, stored in an item's provenance."""
    search: Callable[[tuple[str, ...], str, int], list[Hit]]
    """Returns the passages (of about 256 tokens) that match best, for (document ids, query, number of passages)."""
    cut_sentences: Callable[[Span], tuple[Sentence, ...]]
    """Returns the sentences of a span of text."""
    is_offline: bool = False
    """Whether the agent that `ask` calls works without an LLM."""
    seed: int = 0
    reason: str = ""
    """Reason why a reviewer wants another draft, which becomes part of the prompt; "" for a first draft."""
    previous: str = ""
    """The question that the reviewer rejected; "" for a first draft."""
    earlier_questions: tuple[str, ...] = ()
    """Questions already drafted on the window's text, which the prompt lists so that overlapping windows do not give the same
    question twice."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    find_documents: FindDocuments = refuse_search
    """Searches for whole documents, in the corpus or elsewhere, by the search provider."""
    provider: str = ""
    """Name of the search provider, which the steps of an item record."""
    add_documents: AddDocuments = ignore_documents
    """Adds documents that an item needs to the corpus, unless the corpus contains them already."""
    run_llm_gates: RunLlmGates = run_no_gates
    """Runs the gates that call an agent on a draft."""
    similarity: SimilarityRule | None = None
    """Measures similarity in meaning, to find near copies; None = near copies are found only by their words."""
    count_documents: CountDocuments = count_no_documents
    """Returns in how many documents of the corpus each of some names occurs."""


TEXT_METRICS = (
    *("rouge_l_crud", "rouge_l", "bleu", "bleu_crud", "token_f1"),
    *("evidence_recall", "length", "seconds", "calls", "tokens"),
)
"""Default metrics of those CRUD-RAG tasks whose answers are running text."""
FACTOID_METRICS = (
    *("exact_match", "token_f1", "rouge_l", "rouge_l_hawkbench"),
    *("evidence_recall", "length", "seconds", "calls", "tokens"),
)
"""Default metrics of levels 1 and 2, whose answers are short spans."""
RATIONALE_METRICS = ("rouge_l", "rouge_l_hawkbench", "s_f1", "evidence_recall", "length", "seconds", "calls", "tokens")
"""Default metrics of levels 3 and 4, whose answers are a few sentences."""


def refuse_drafts(why: str) -> Callable[[Window, Kit], AsyncIterator[Item]]:
    """Return the draft function of a task whose items are not drafted from documents; it raises BenchError."""

    async def draft(window: Window, kit: Kit) -> AsyncIterator[Item]:
        raise BenchError(why)
        yield  # makes this function a generator, like every draft

    return draft


def exclude_nothing(item: Item) -> tuple[str, ...]:
    """Return no documents; this is the default for a task that excludes no documents from retrieval."""
    return ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """One task, which is one kind of question; its name is the name of its file."""

    label: Mapping[str, str]
    """A dict from language (en, zh) to the task's label for people."""
    definition: Mapping[str, str]
    """A dict from language (en, zh) to the task's definition for annotators."""
    level: Level
    window: WindowRule
    draft: Callable[[Window, Kit], AsyncIterator[Item]]
    """Yields the items drafted from a window, or none if the window gives no question. Raises Unreadable or AgentError if the
    agent fails."""
    prompt: str = ""
    """Name of the task's drafting prompt, without the language; "" for a task without one."""
    gather: Callable[[Window, Kit], Awaitable[Window]] | None = None
    """Adds related documents to a window, or marks it as unsuitable with the reason; raises SearchFailed. None = nothing is
    added to windows."""
    gates: tuple[str, ...]
    """Names of the gates that check every draft of the task, in order."""
    llm_gates: tuple[str, ...] = ()
    """Names of the LLM gates that check every draft of the task, unless a setting names others."""
    is_question: bool = True
    """Whether an answer can be right or wrong; False for texts such as a summary."""
    answer_prompt: str
    """Name of the prompt with which a system answers the task, without the language: "answer/short"."""
    metrics: tuple[str, ...]
    """Names of the metrics that a run computes for this task by default."""
    length_hint: int
    """Maximum number of tokens of an answer to the task."""
    query: Callable[[Item], str] = lambda item: item.question
    """Returns the query that a retriever gets for an item."""
    queries: Mapping[str, Callable[[Item], str]] = field(default_factory=dict)
    """A dict from a name for the run's setting `query` to another function that returns a retriever's query."""
    reference: Callable[[Item], tuple[str, ...]] = lambda item: item.answers
    """Returns the gold answers of an item."""
    searches: bool = False
    """Whether drafting the task uses the search provider."""
    excluded_documents: Callable[[Item], tuple[str, ...]] = exclude_nothing
    """Returns the ids of documents that retrieval must exclude for an item, because they contain its answer."""
    fill: Callable[[Item], Mapping[str, str]] = lambda item: {"question": "\n\n".join([item.question, *item.inputs.values()])}
    """Returns the inputs of the answer prompt for an item, except the context."""


def tasks() -> Any:
    """Return all tasks as a dict from name to Task."""
    return catalog("builders.tasks", "TASK", Task)
