"""The nouns of every floor: frozen dataclasses with a docstring per field. READ FIRST.
Builders draft Items from Documents; people Review them; a Release freezes them; a Run asks a System; Traces get Scores."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from string import Template
from typing import Any, Literal
from unicodedata import normalize

from core.errors import BenchError
from core.ids import content_hash

Status = Literal["drafted", "refused", "accepted", "discarded"]
Outcome = Literal["pass", "flag", "refuse", "not run"]
"""Result of a gate; "not run" = the gate could not check: neither a pass nor a reason to look twice."""
Decision = Literal["accept", "discard", "undo"]
"""An undo reverts all earlier decisions on the item: it has again the status with which its revision was stored. The undo of an
opinion reverts that person's opinions on the item; an undo with a review id in `only` reverts that review alone."""
ReviewKind = Literal["", "opinion", "settled", "adjudicated"]
""""" = the decision; opinion = one of several; settled = the result of equal opinions; adjudicated = a choice between them."""
Level = int | str | None
"""1 to 4 (HawkBench), "KS", "KU", "KA" (R-Eval), or None."""


@dataclass(frozen=True, slots=True)
class Document:
    """A source text. Identity: the hash of its text."""

    id: str
    """content_hash(text)."""
    text: str
    """The whole text as read; spans point into it by code points."""
    title: str
    domain: str = "general"
    language: str = "en"
    """Code of a row of core/text/languages, or `und` for a text in none of them."""
    origin: str = ""
    """Source: a file name with its line, a URL, the name of a data set."""
    licence: str | None = None
    """SPDX id or a name; None = unknown: a release then needs a reason to include the document."""
    published: str | None = None
    """ISO date or date and time, when known."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Further information from the source; JSON values."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A piece of a document: chunk, evidence, retrieved passage. Its text is cut from the document and never stored twice."""

    document: str
    """Document id."""
    start: int
    """First code point."""
    end: int
    """One past the last code point."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result, best first in its list."""

    span: Span
    score: float
    """On the retriever's own scale; comparable only within one list."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with an agent."""

    role: Literal["system", "user", "assistant"]
    content: str


_CLOSING_TAG = re.compile(r"</[\s\u200b-\u200d\ufeff]*(\w+)")


@dataclass(frozen=True, slots=True)
class Prompt:
    """Messages for an agent, with placeholders. Identity: name@hash."""

    name: str
    """Path under prompts/ without the suffix, then the language: "draft/explicit_factoid.en"."""
    skill: str
    """draft, answer, judge, rewrite, extract or workflow."""
    messages: tuple[Message, ...]
    """Templates: $name stands for an input, $$ is a dollar sign."""
    inputs: tuple[str, ...]
    """Names of the required inputs."""
    schema: Mapping[str, Any] | None = None
    """JSON schema of the reply, an object; None = the reply is plain text."""
    language: str = "en"

    @property
    def hash(self) -> str:
        return content_hash([self.skill, [[m.role, m.content] for m in self.messages], self.schema])

    @property
    def identity(self) -> str:
        return f"{self.name}@{self.hash}"

    @property
    def fields(self) -> frozenset[str]:
        """Names of the reply's fields; empty for a plain text reply."""
        return frozenset(self.schema.get("properties", {})) if self.schema else frozenset()

    def fill(self, inputs: Mapping[str, object]) -> tuple[Message, ...]:
        """The messages to send, without inputs that the prompt does not name. Raises BenchError when an input is missing.

        An input cannot close a tag of the prompt: the text after it would read as ours."""
        if missing := [name for name in self.inputs if name not in inputs]:
            raise BenchError(f"Prompt {self.name} was not given {', '.join(missing)}: it needs {', '.join(self.inputs)}.")
        tags = {tag for message in self.messages for tag in _CLOSING_TAG.findall(message.content)}

        def break_tag(match: re.Match[str]) -> str:
            return match[0].replace("</", "< /") if normalize("NFKC", match[1]).lower() in tags else match[0]

        values = {name: _CLOSING_TAG.sub(break_tag, str(inputs[name])) for name in self.inputs}
        return tuple(Message(m.role, Template(m.content).substitute(values)) for m in self.messages)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Origin of an item's words."""

    agent: str | None = None
    """Agent name, such as "openai:gpt-x", "offline", "recorded"; None when the item is from a person or a file."""
    prompt: str | None = None
    """Prompt identity name@hash of the call that returned the question."""
    seed: int | None = None
    calls: tuple[str, ...] = ()
    """Ids of the ledger's calls, in order."""
    origin: Literal["drafted", "imported", "written"] = "drafted"


@dataclass(frozen=True, slots=True)
class Item:
    """A question with its answers and evidence. Identity: an opaque id; an edit makes a new revision."""

    id: str
    task: str
    """File name of the task under builders/tasks; "question_answering" for imported QA that names none."""
    question: str
    answers: tuple[str, ...]
    """Every acceptable answer; the first is shown."""
    evidence: tuple[Span, ...] = ()
    """Spans that prove the answer, in document order."""
    level: Level = None
    domain: str = "general"
    language: str = "en"
    revision: int = 1
    """1 for the first words; each edit adds one."""
    status: Status = "drafted"
    labels: Mapping[str, Any] = field(default_factory=dict)
    """Free labels: referent, frame, selections, selection_answers, ...; JSON values."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """Further texts for the system, by name."""
    given: tuple[str, ...] = ()
    """Ids of the documents that belong to the question, in order: those of its window, or the contexts of an imported item."""
    steps: tuple[Mapping[str, Any], ...] = ()
    """How it was drafted: JSON objects with a "kind", such as window, source_item, passages, chosen, claims."""
    overlap: float | None = None
    """Share of the question's content words that occur in its evidence, 0..1; None without evidence or content words."""
    provenance: Provenance = Provenance()


@dataclass(frozen=True, slots=True)
class Verdict:
    """One gate's finding on one revision. Identity: item + revision + gate + version."""

    item: str
    revision: int
    gate: str
    """parse, evidence, figures, self_contained, duplicate, referent, rag_check, critic, ..."""
    version: str
    outcome: Outcome
    why: str = ""
    """One sentence; empty on a plain pass."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What the gate checked; JSON values."""
    calls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """An item's question in another form. Identity: an opaque id."""

    id: str
    item: str
    revision: int
    """Revision of the item whose question it varies."""
    kind: str
    text: str
    status: Status = "drafted"
    generator: str = ""
    seed: int | None = None
    checks: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Review:
    """One person's decision on a revision of an item or variant; append-only. Identity: the idempotency key of the button."""

    id: str
    item: str
    """Id of the item or variant."""
    revision: int
    """The revision decided on; an edit first stores the new revision, which is then accepted."""
    person: str
    decision: Decision
    reason: str = ""
    comment: str = ""
    seconds: float | None = None
    """Active seconds; None when they were not measured."""
    at: str = ""
    """UTC, ISO format."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """JSON values: `claims` = marks on claims, `words` = text that was typed and discarded, `guideline` = the version on the
    screen, `of` = ids of the opinions that a settled or adjudicated review rests on, `taken` = id of the opinion whose words
    were taken, `bulk` = id of its bulk action, `only` = id of the review that an undo reverts."""
    role: ReviewKind = ""


@dataclass(frozen=True, slots=True)
class Comment:
    """One person's comment on one item. Identity: id."""

    id: str
    item: str
    person: str
    text: str
    at: str = ""
    """UTC, ISO format."""
    taken_back_at: str = ""
    """UTC, ISO format; "" = it is not taken back."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a system on the way to its answer."""

    kind: Literal["thought", "action", "query", "retrieve", "call", "observation", "output"]
    """query = a search that the system asked for; the next retrieve step performs it unless it was refused. output = all that
    a model wrote, of which the answer is a part."""
    text: str = ""
    spans: tuple[Span, ...] = ()
    """Passages of a retrieve step, best first."""
    call: str | None = None
    """Id of the ledger's call."""
    seconds: float | None = None
    scores: tuple[float, ...] = ()
    """The retriever's scores of the spans, on its own scale; empty when it returns none."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """Further JSON values about the step: see eval/workflows/hops.py."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A system's result for one question. Identity: run + item or variant."""

    run: str
    item: str
    variant: str | None = None
    answer: str | None = None
    """None = the system failed; "" is an answer."""
    retrieved: tuple[Span, ...] | None = None
    """Passages that the answer is based on, best first; None when the system reports none."""
    steps: tuple[Step, ...] = ()
    calls: int = 0
    """Calls of the system, including those answered from the ledger."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None
    """Service time, without the wait for a free place."""
    stop: str = "answered"
    """answered; the end of a workflow: finished, max_steps, context, tool_error, parse_error; or the kind of failure: timeout,
    refused, unparsed, crashed, too_long, model_error, missing, ..."""
    error: str | None = None
    """One sentence when it failed."""
    queued: float | None = None
    """Seconds of waiting for a free place, not part of `seconds`; None when they were not measured."""
    retrying: float | None = None
    """Seconds of failed attempts and the pauses after them, not part of `seconds` either."""
    tokens_thinking: int | None = None
    """Part of `tokens_out` that was spent on thinking; None when an endpoint did not say."""
    not_taken: tuple[str, ...] = ()
    """What was asked of its agent and the endpoint does not take, as half sentences."""


@dataclass(frozen=True, slots=True)
class Score:
    """One metric on one trace. Identity: trace + metric + version."""

    run: str
    item: str
    variant: str | None
    metric: str
    """Stable name with its part: "s_f1.precision", "evidence_recall@5"."""
    version: str
    value: float | None
    """None = not scored, for the reason in `why`; never 0 instead."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Grade:
    """One person's mark on a Trace, or on a judge's verdict about it; append-only. A judge's own marks are Scores. Identity: an
    opaque id, the idempotency key of the button."""

    id: str
    place: str
    """Key of its place in the batch: which trace, and which verdict on it."""
    person: str
    mark: str | None
    """A mark of the batch's scheme (core/quality/grading.py); None = the person takes the mark back."""
    role: Literal["", "resolves"] = ""
    """"" = the person grades without seeing other marks; resolves = the person decides between marks that differ."""
    comment: str = ""
    seconds: float | None = None
    """Active seconds; None when they were not measured."""
    at: str = ""
    """UTC, ISO format."""


@dataclass(frozen=True, slots=True)
class System:
    """A RAG system under test. Identity: the hash of both fields."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def identity(self) -> str:
        return content_hash([self.name, dict(self.settings)])


@dataclass(frozen=True, slots=True)
class Run:
    """One system with one agent over one release. Identity: the hash of the whole configuration and the repetition."""

    id: str
    """The first 16 hexadecimal digits of the identity."""
    identity: str
    system: System
    release: str
    """Release name."""
    release_hash: str
    agent: str | None
    config: Mapping[str, Any]
    """All values that the identity is a hash of."""
    repetition: int = 0
    offline: tuple[str, ...] = ()
    """Which of draft, answer, judge the offline agent did."""


@dataclass(frozen=True, slots=True)
class Release:
    """A frozen, named list of item revisions and variants. Identity: the hash of its manifest; a manifest never changes."""

    name: str
    hash: str
    manifest: Mapping[str, Any]
    created: str = ""
    """UTC, ISO format; not part of the hash."""
