"""The frozen dataclasses that the whole program shares, with a docstring per field. READ FIRST. Builders draft Items from
Documents; people's decisions on Items are Reviews; a Release freezes Items; a Run asks a System the questions of a release and
gives Traces, which get Scores."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from string import Template
from typing import Any, Literal, get_args
from unicodedata import normalize

from core.errors import BenchError
from core.ids import content_hash

Status = Literal["drafted", "refused", "accepted", "discarded"]
Outcome = Literal["pass", "flag", "refuse", "not run"]
"""Result of a gate for a draft; "not run" = the gate could not check the draft, so it counts neither as a pass nor as a
flag."""
Decision = Literal["accept", "discard", "undo"]
"""The decision of a person about an item. An undo reverts all earlier decisions on the item and restores the status that its
revision was stored with. The undo of an opinion reverts that person's opinions on the item. An undo with a review id in `only`
reverts that review alone."""
ReviewKind = Literal["", "opinion", "settled", "adjudicated"]
"""Role of a review: "" = the review is the decision on the item; opinion = one of several opinions; settled = the result of
equal opinions; adjudicated = the choice between different opinions."""
Importance = Literal["vital", "okay"]
"""How much a nugget matters: "vital" = a good answer must contain it; "okay" = it may."""
IMPORTANCES: tuple[Importance, ...] = get_args(Importance)
Level = int | str | None
"""Difficulty level of a question: 1 to 4 (HawkBench), "KS", "KU", "KA" (R-Eval), or None."""


@dataclass(frozen=True, slots=True)
class Document:
    """A source text, identified by the hash of the text."""

    id: str
    """Id of the document, which is content_hash(text)."""
    text: str
    """The whole text as read from its source; offsets of spans count code points of this text."""
    title: str
    domain: str = "general"
    language: str = "en"
    """Language of the text: the code of a language in core/text/languages, or `und` if unknown."""
    origin: str = ""
    """Where the document comes from: a file name with a line number, a URL, or the name of a data set."""
    licence: str | None = None
    """Licence of the document, as an SPDX id or a name; None = unknown, and then a release needs a reason to include the
    document."""
    published: str | None = None
    """When the document was published, as an ISO date or date and time; None = unknown."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Further information about the document from its source, as JSON values."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A part of a document, such as a chunk, evidence or a passage. The text of a span is read from the document and is not
    stored separately."""

    document: str
    """Id of the document that contains the span."""
    start: int
    """Position of the span's first code point in the document, counted from 0."""
    end: int
    """Position after the span's last code point in the document, counted from 0."""

    def overlaps(self, other: "Span") -> bool:
        """Return whether the two spans share a character of the same document."""
        return self.document == other.document and self.start < other.end and other.start < self.end

    @property
    def name(self) -> str:
        """The span as one word: document:start-end."""
        return f"{self.document}:{self.start}-{self.end}"

    @property
    def triple(self) -> list[Any]:
        """The span as JSON: [document, start, end]."""
        return [self.document, self.start, self.end]


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result: a span with its score. Lists of hits are sorted best first."""

    span: Span
    score: float
    """Score of the search result on the retriever's own scale, comparable only within one list."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with an agent, with its role (system, user, assistant)."""

    role: Literal["system", "user", "assistant"]
    content: str


_CLOSING_TAG = re.compile(r"</[\s\u200b-\u200d\ufeff]*(\w+)")


@dataclass(frozen=True)
class Prompt:
    """The messages to an agent, with placeholders for inputs, identified by name@hash."""

    name: str
    """Name of the prompt: its path under prompts/ without the suffix, then the language, as in "draft/explicit_factoid.en"."""
    skill: str
    """Purpose of the prompt: draft, answer, judge, rewrite, extract or workflow."""
    messages: tuple[Message, ...]
    """Messages of the prompt as templates, in which $name stands for an input and $$ for a dollar sign."""
    inputs: tuple[str, ...]
    """Names of the inputs that the prompt needs."""
    schema: Mapping[str, Any] | None = None
    """JSON schema of the reply, which is an object; None = the reply is plain text."""
    language: str = "en"

    @cached_property
    def hash(self) -> str:
        return content_hash([self.skill, [[m.role, m.content] for m in self.messages], self.schema])

    @property
    def identity(self) -> str:
        return f"{self.name}@{self.hash}"

    @property
    def fields(self) -> frozenset[str]:
        """Names of the fields of the prompt's reply; empty if the reply is plain text."""
        return frozenset(self.schema.get("properties", {})) if self.schema else frozenset()

    def fill(self, inputs: Mapping[str, object]) -> tuple[Message, ...]:
        """Return the messages to send, with each placeholder replaced by its input. Raises BenchError if an input is missing.

        An input cannot close a tag of the prompt: "</" becomes "< /", so that the model does not mistake the text of an input
        for a part of the prompt."""
        if missing := [name for name in self.inputs if name not in inputs]:
            raise BenchError(f"Prompt {self.name} was not given {', '.join(missing)}: it needs {', '.join(self.inputs)}.")

        def break_tag(match: re.Match[str]) -> str:
            return match[0].replace("</", "< /") if normalize("NFKC", match[1]).lower() in self._tags else match[0]

        values = {name: _CLOSING_TAG.sub(break_tag, str(inputs[name])) for name in self.inputs}
        return tuple(Message(m.role, Template(m.content).substitute(values)) for m in self.messages)

    @cached_property
    def _tags(self) -> frozenset[str]:
        """Return the names of the XML-like tags that the prompt closes, such as "document" in </document>."""
        return frozenset(tag for message in self.messages for tag in _CLOSING_TAG.findall(message.content))


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of an item's text: the agent, the prompt, the seed and the ids of the agent calls."""

    agent: str | None = None
    """Name of the agent that drafted the item, such as "openai:gpt-x", "offline" or "recorded", or None for an item from a
    person or a file."""
    prompt: str | None = None
    """Identity (name@hash) of the prompt whose call returned the question."""
    seed: int | None = None
    calls: tuple[str, ...] = ()
    """Ids of the calls in the ledger by which the item was drafted, in order."""
    origin: Literal["drafted", "imported", "written"] = "drafted"


@dataclass(frozen=True, slots=True)
class Item:
    """A question with its answers and evidence, identified by a random id. An edit creates a new revision."""

    id: str
    task: str
    """Task that the question belongs to, as its file name under builders/tasks; "question_answering" for imported questions
    without a task."""
    question: str
    answers: tuple[str, ...]
    """All acceptable answers to the question; the first one is displayed."""
    evidence: tuple[Span, ...] = ()
    """Spans of documents that prove the answer, in the order of the documents."""
    level: Level = None
    domain: str = "general"
    language: str = "en"
    revision: int = 1
    """Number of this revision of the item, from 1; each edit adds one."""
    status: Status = "drafted"
    labels: Mapping[str, Any] = field(default_factory=dict)
    """Labels of the item as JSON values by name, such as referent, frame, selections or selection_answers."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """Dict from the name of a further input of the system, such as a text to continue, to its text."""
    given: tuple[str, ...] = ()
    """Ids of the documents that the question was drafted from, or of the contexts of an imported item, in order."""
    steps: tuple[Mapping[str, Any], ...] = ()
    """Steps in which the question was drafted: JSON objects with a "kind", such as window, source_item, passages, chosen or
    claims."""
    overlap: float | None = None
    """Share (0 to 1) of the question's content words that occur in the item's evidence, or None if the item has no evidence or
    the question no content words."""
    provenance: Provenance = Provenance()


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of one gate for one revision of an item, identified by item, revision, gate and version of the gate."""

    item: str
    revision: int
    gate: str
    """Name of the gate that gave the result: parse, evidence, figures, self_contained, duplicate, referent, rag_check, critic
    ..."""
    version: str
    outcome: Outcome
    why: str = ""
    """Reason for the gate's result in one sentence; empty for a pass without remarks."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Values that the gate found or compared, as JSON."""
    calls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """Another form of an item's question, such as a rewording, identified by a random id."""

    id: str
    item: str
    revision: int
    """Revision of the item whose question the variant is another form of."""
    kind: str
    text: str
    status: Status = "drafted"
    generator: str = ""
    seed: int | None = None
    checks: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Review:
    """One person's decision on a revision of an item or variant. Reviews are only added, never changed; each is identified by
    the idempotency key of the button press that made it."""

    id: str
    item: str
    """Id of the item or variant that the review is about."""
    revision: int
    """Revision that the review is about. If a person edits an item, a new revision is stored first, and the review accepts this
    new revision."""
    person: str
    decision: Decision
    reason: str = ""
    comment: str = ""
    seconds: float | None = None
    """Active time of the person on the item in seconds, or None if it was not measured."""
    at: str = ""
    """Time of the decision in UTC, in ISO format."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Further values of the review, as JSON: `claims` = marks on claims, `words` = typed and discarded text, `guideline` = the
    version of the guideline on the screen, `of` = ids of the opinions from which a settled or adjudicated review results,
    `taken` = id of the opinion whose words were used, `bulk` = id of the bulk action, `only` = id of the review that an undo
    reverts, `assistance` = what the person saw of the draft."""
    role: ReviewKind = ""


@dataclass(frozen=True, slots=True)
class Comment:
    """One person's comment on one item, identified by its id."""

    id: str
    item: str
    person: str
    text: str
    at: str = ""
    """Time of the comment in UTC, in ISO format."""
    taken_back_at: str = ""
    """Time at which the comment was withdrawn, in UTC, in ISO format; "" = the comment is not withdrawn."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step that a RAG system takes on the way to its answer."""

    kind: Literal["thought", "action", "query", "retrieve", "call", "observation", "output"]
    """Kind of the step: retrieve = a search; query = a search that the system requests, and that the next retrieve step runs
    unless the search is refused; output = the whole reply of a model, which contains the answer."""
    text: str = ""
    spans: tuple[Span, ...] = ()
    """Passages that a retrieve step found, best first."""
    call: str | None = None
    """Id of the step's call in the ledger, or None for a step without a call."""
    seconds: float | None = None
    scores: tuple[float, ...] = ()
    """Scores that the retriever gave to `spans`, on its own scale; empty if it gives none."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """Further facts about the step, as JSON values; see eval/workflows/hops.py."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Record of one question of a run: what the system did, and what it answered. A trace is identified by the run and the item
    or variant."""

    run: str
    item: str
    variant: str | None = None
    answer: str | None = None
    """Answer of the system; None = the system failed; "" is a valid answer."""
    retrieved: tuple[Span, ...] | None = None
    """Passages on which the answer is based, best first, or None if the system reports no passages."""
    steps: tuple[Step, ...] = ()
    calls: int = 0
    """Number of calls that the system made, including calls answered from the ledger."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None
    """Seconds that the system took for the question, without waiting for permission to call the agent."""
    stop: str = "answered"
    """Why the system stopped: answered; for a workflow also finished, max_steps, context, tool_error or parse_error; for a
    failure timeout, refused, unparsed, crashed, too_long, model_error, engine, missing ..."""
    error: str | None = None
    """Reason why the system failed, in one sentence, or None if the system answered."""
    queued: float | None = None
    """Seconds that the question waited for permission to call the agent, or None if not measured; `seconds` does not include
    them."""
    retrying: float | None = None
    """Seconds that failed calls and the pauses after them took; `seconds` does not include them."""
    tokens_thinking: int | None = None
    """Number of the tokens in `tokens_out` that the agent spent on thinking, or None if an endpoint gives no count."""
    not_taken: tuple[str, ...] = ()
    """Requested settings that the agent's endpoint does not support, each as part of a sentence."""


@dataclass(frozen=True, slots=True)
class Score:
    """Value of one metric for one trace, identified by trace, metric and version of the metric."""

    run: str
    item: str
    variant: str | None
    metric: str
    """Name of the metric with its part, such as "s_f1.precision" or "evidence_recall@5"."""
    version: str
    value: float | None
    """Value of the metric; None = the trace could not be scored, for the reason in `why`; it is never replaced by 0."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Grade:
    """One person's mark for a trace, or for a judge's verdict about the trace. Grades are only added, never changed; each is
    identified by the idempotency key of the button press that made it. The marks of a judge are Scores."""

    id: str
    place: str
    """Key of the graded answer in its batch of answers: the trace and, if a judge's verdict was graded, this verdict."""
    person: str
    mark: str | None
    """Mark that the person gave, from the batch's grading scheme (core/quality/grading.py); None = the person withdraws the
    mark."""
    role: Literal["", "resolves"] = ""
    """Role in which the person graded: "" = without seeing other marks; resolves = deciding between different marks."""
    comment: str = ""
    seconds: float | None = None
    """Active time of the person in seconds, or None if it was not measured."""
    at: str = ""
    """Time of the mark in UTC, in ISO format."""


@dataclass(frozen=True, slots=True)
class System:
    """A RAG system under test, identified by the hash of its name and its settings."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def identity(self) -> str:
        return content_hash([self.name, dict(self.settings)])


@dataclass(frozen=True, slots=True)
class Run:
    """One execution of one system with one agent on one release, identified by the hash of the whole configuration and the
    repetition."""

    id: str
    """Id of the run: the first 16 hexadecimal digits of its identity."""
    identity: str
    system: System
    release: str
    """Name of the release whose questions are asked in the run."""
    release_hash: str
    agent: str | None
    config: Mapping[str, Any]
    """Configuration of the run: all values whose hash gives the run's id."""
    repetition: int = 0
    offline: tuple[str, ...] = ()
    """Kinds of work that the offline agent did for the run: some of draft, answer and judge, or none."""


@dataclass(frozen=True, slots=True)
class Release:
    """A frozen, named list of item revisions and variants, identified by the hash of its manifest. A manifest never changes."""

    name: str
    hash: str
    manifest: Mapping[str, Any]
    created: str = ""
    """Time at which the release was made, in UTC, in ISO format; not part of its hash."""
