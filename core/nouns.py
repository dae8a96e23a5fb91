"""The nouns of the whole product: frozen dataclasses with a docstring per field. READ FIRST. Builders draft Items from
Documents; people Review the Items; a Release freezes them; a Run asks a System; Traces get Scores."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from string import Template
from typing import Any, Literal
from unicodedata import normalize

from core.errors import BenchError
from core.ids import content_hash

Status = Literal["drafted", "refused", "accepted", "discarded"]
Outcome = Literal["pass", "flag", "refuse", "not run"]
"""Result of a gate; "not run" = the gate could not check the draft, so the result counts as neither a pass nor a flag."""
Decision = Literal["accept", "discard", "undo"]
"""An undo reverts all earlier decisions on the item and restores the status that its revision was stored with. The undo of an
opinion reverts that person's opinions on the item. An undo with a review id in `only` reverts that review alone."""
ReviewKind = Literal["", "opinion", "settled", "adjudicated"]
""""" = the decision; opinion = one of several; settled = the result of equal opinions; adjudicated = a choice between them."""
Level = int | str | None
"""1 to 4 (HawkBench), "KS", "KU", "KA" (R-Eval), or None."""


@dataclass(frozen=True, slots=True)
class Document:
    """A source text, identified by the hash of the text."""

    id: str
    """content_hash(text)."""
    text: str
    """The whole text as read; the offsets of spans are code points of this text."""
    title: str
    domain: str = "general"
    language: str = "en"
    """Code of a language in core/text/languages, or `und` for an unknown language."""
    origin: str = ""
    """Source: a file name with a line number, a URL, or the name of a data set."""
    licence: str | None = None
    """SPDX id or a name; None = unknown, in which case a release needs a reason to include the document."""
    published: str | None = None
    """ISO date, or date and time; None = unknown."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Further information from the source, as JSON values."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A part of a document: a chunk, evidence or a passage. The text of a span is cut from the document and is not stored
    separately."""

    document: str
    """Id of the document."""
    start: int
    """Offset of the first code point."""
    end: int
    """Offset after the last code point."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result. Lists of hits are sorted best first."""

    span: Span
    score: float
    """Score on the retriever's own scale, comparable only within one list."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with an agent."""

    role: Literal["system", "user", "assistant"]
    content: str


_CLOSING_TAG = re.compile(r"</[\s\u200b-\u200d\ufeff]*(\w+)")


@dataclass(frozen=True)
class Prompt:
    """The messages to an agent, with placeholders, identified by name@hash."""

    name: str
    """Path under prompts/ without the suffix, then the language: "draft/explicit_factoid.en"."""
    skill: str
    """Purpose of the prompt: draft, answer, judge, rewrite, extract or workflow."""
    messages: tuple[Message, ...]
    """Messages as templates: $name stands for an input, $$ is a dollar sign."""
    inputs: tuple[str, ...]
    """Names of the required inputs."""
    schema: Mapping[str, Any] | None = None
    """JSON schema of the reply, an object; None = the reply is plain text."""
    language: str = "en"

    @cached_property
    def hash(self) -> str:
        return content_hash([self.skill, [[m.role, m.content] for m in self.messages], self.schema])

    @property
    def identity(self) -> str:
        return f"{self.name}@{self.hash}"

    @property
    def fields(self) -> frozenset[str]:
        """Return the names of the fields of the reply; empty for a reply in plain text."""
        return frozenset(self.schema.get("properties", {})) if self.schema else frozenset()

    def fill(self, inputs: Mapping[str, object]) -> tuple[Message, ...]:
        """Return the messages to send, with the placeholders replaced by the inputs. Raises BenchError if an input is missing.

        An input cannot close a tag of the prompt: "</" becomes "< /", so that the model does not take the following text for a
        part of the prompt."""
        if missing := [name for name in self.inputs if name not in inputs]:
            raise BenchError(f"Prompt {self.name} was not given {', '.join(missing)}: it needs {', '.join(self.inputs)}.")

        def break_tag(match: re.Match[str]) -> str:
            return match[0].replace("</", "< /") if normalize("NFKC", match[1]).lower() in self._tags else match[0]

        values = {name: _CLOSING_TAG.sub(break_tag, str(inputs[name])) for name in self.inputs}
        return tuple(Message(m.role, Template(m.content).substitute(values)) for m in self.messages)

    @cached_property
    def _tags(self) -> frozenset[str]:
        """Return the tags that the prompt closes."""
        return frozenset(tag for message in self.messages for tag in _CLOSING_TAG.findall(message.content))


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of an item's text."""

    agent: str | None = None
    """Name of the agent, such as "openai:gpt-x", "offline" or "recorded", or None for an item from a person or a file."""
    prompt: str | None = None
    """Identity (name@hash) of the prompt in the call that returned the question."""
    seed: int | None = None
    calls: tuple[str, ...] = ()
    """Ids of the ledger's calls, in order."""
    origin: Literal["drafted", "imported", "written"] = "drafted"


@dataclass(frozen=True, slots=True)
class Item:
    """A question with its answers and evidence, identified by an opaque id. An edit creates a new revision."""

    id: str
    task: str
    """File name of the task under builders/tasks; "question_answering" for imported QA without a task."""
    question: str
    answers: tuple[str, ...]
    """All acceptable answers; the first one is displayed."""
    evidence: tuple[Span, ...] = ()
    """Spans that prove the answer, in document order."""
    level: Level = None
    domain: str = "general"
    language: str = "en"
    revision: int = 1
    """Number of the revision, from 1; each edit adds one."""
    status: Status = "drafted"
    labels: Mapping[str, Any] = field(default_factory=dict)
    """Free labels as JSON values: referent, frame, selections, selection_answers, ..."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """Further texts for the system, by name."""
    given: tuple[str, ...] = ()
    """Ids of the question's documents, in order: the documents of the window, or the contexts of an imported item."""
    steps: tuple[Mapping[str, Any], ...] = ()
    """Drafting steps: JSON objects with a "kind", such as window, source_item, passages, chosen or claims."""
    overlap: float | None = None
    """Share of the question's content words that occur in its evidence, 0..1, or None without evidence or content words."""
    provenance: Provenance = Provenance()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of one gate for one revision, identified by item, revision, gate and version."""

    item: str
    revision: int
    gate: str
    """Name of the gate: parse, evidence, figures, self_contained, duplicate, referent, rag_check, critic, ..."""
    version: str
    outcome: Outcome
    why: str = ""
    """Reason in one sentence; empty for a pass without remarks."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Values that the gate checked, as JSON values."""
    calls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """Another form of an item's question, identified by an opaque id."""

    id: str
    item: str
    revision: int
    """Revision of the item whose question the variant rewords."""
    kind: str
    text: str
    status: Status = "drafted"
    generator: str = ""
    seed: int | None = None
    checks: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Review:
    """One person's decision on a revision of an item or variant. Reviews are only added, never changed; each is identified by
    the idempotency key of the clicked button."""

    id: str
    item: str
    """Id of the item or variant."""
    revision: int
    """Revision that the decision is about. An edit first stores a new revision, which the review then accepts."""
    person: str
    decision: Decision
    reason: str = ""
    comment: str = ""
    seconds: float | None = None
    """Active time in seconds, or None when the time was not measured."""
    at: str = ""
    """Time of the decision: UTC, ISO format."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """JSON values: `claims` = marks on claims, `words` = typed and discarded text, `guideline` = the version on the screen,
    `of` = ids of the opinions behind a settled or adjudicated review, `taken` = id of the opinion whose words were used, `bulk`
    = id of the bulk action, `only` = id of the review that an undo reverts."""
    role: ReviewKind = ""


@dataclass(frozen=True, slots=True)
class Comment:
    """One person's comment on one item, identified by its id."""

    id: str
    item: str
    person: str
    text: str
    at: str = ""
    """Time of the comment: UTC, ISO format."""
    taken_back_at: str = ""
    """Time of withdrawal: UTC, ISO format; "" = the comment is not withdrawn."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a system on the way to its answer."""

    kind: Literal["thought", "action", "query", "retrieve", "call", "observation", "output"]
    """query = a search that the system requests; the next retrieve step runs it unless the search is refused. output = the
    whole reply of a model, which contains the answer."""
    text: str = ""
    spans: tuple[Span, ...] = ()
    """Passages of a retrieve step, best first."""
    call: str | None = None
    """Id of the ledger's call, or None for a step without a call."""
    seconds: float | None = None
    scores: tuple[float, ...] = ()
    """Retriever's scores of the spans, on the retriever's own scale; empty when the retriever returns no scores."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """Further JSON values about the step; see eval/workflows/hops.py."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The result of a system for one question, identified by the run and the item or variant."""

    run: str
    item: str
    variant: str | None = None
    answer: str | None = None
    """The system's answer; None = the system failed, "" is a valid answer."""
    retrieved: tuple[Span, ...] | None = None
    """Passages that the answer is based on, best first, or None when the system reports no passages."""
    steps: tuple[Step, ...] = ()
    calls: int = 0
    """Number of calls by the system, including calls answered from the ledger."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None
    """Time in seconds without the wait for a free place."""
    stop: str = "answered"
    """Reason for the end: answered; for a workflow finished, max_steps, context, tool_error or parse_error; for a failure
    timeout, refused, unparsed, crashed, too_long, model_error, engine, missing, ..."""
    error: str | None = None
    """Reason of the failure in one sentence, or None after a success."""
    queued: float | None = None
    """Seconds of waiting for a free place, which `seconds` excludes, or None when the wait was not measured."""
    retrying: float | None = None
    """Seconds of failed attempts and the pauses after them, which `seconds` also excludes."""
    tokens_thinking: int | None = None
    """Part of `tokens_out` that the agent spent on thinking, or None when an endpoint gives no count."""
    not_taken: tuple[str, ...] = ()
    """Requested settings that the agent's endpoint does not support, as half sentences."""


@dataclass(frozen=True, slots=True)
class Score:
    """The value of one metric for one trace, identified by trace, metric and version."""

    run: str
    item: str
    variant: str | None
    metric: str
    """Stable name of the metric with its part, such as "s_f1.precision" or "evidence_recall@5"."""
    version: str
    value: float | None
    """The score; None = not scored, for the reason in `why`, and never replaced by 0."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Grade:
    """One person's mark for a Trace, or for a judge's verdict about the trace. Grades are only added, never changed; each is
    identified by an opaque id, the idempotency key of the button. The marks of a judge are Scores."""

    id: str
    place: str
    """Key of the grade's place in the batch: the trace and, if any, the verdict on it."""
    person: str
    mark: str | None
    """Mark from the batch's scheme (core/quality/grading.py); None = the person withdraws the mark."""
    role: Literal["", "resolves"] = ""
    """"" = the person grades without seeing other marks; resolves = the person decides between different marks."""
    comment: str = ""
    seconds: float | None = None
    """Active time in seconds, or None when the time was not measured."""
    at: str = ""
    """Time of the mark: UTC, ISO format."""


@dataclass(frozen=True, slots=True)
class System:
    """A RAG system under test, identified by the hash of both fields."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def identity(self) -> str:
        return content_hash([self.name, dict(self.settings)])


@dataclass(frozen=True, slots=True)
class Run:
    """One system with one agent over one release, identified by the hash of the whole configuration and the repetition."""

    id: str
    """The first 16 hexadecimal digits of the identity."""
    identity: str
    system: System
    release: str
    """Name of the release."""
    release_hash: str
    agent: str | None
    config: Mapping[str, Any]
    """All values behind the identity's hash."""
    repetition: int = 0
    offline: tuple[str, ...] = ()
    """Parts of the work by the offline agent: any of draft, answer, judge."""


@dataclass(frozen=True, slots=True)
class Release:
    """A frozen, named list of item revisions and variants, identified by the hash of its manifest. A manifest never changes."""

    name: str
    hash: str
    manifest: Mapping[str, Any]
    created: str = ""
    """Time of creation: UTC, ISO format; not part of the hash."""
