"""The nouns that every floor speaks: frozen dataclasses, a docstring per field. READ FIRST.
Builders make Items from Documents; people Review them; a Release freezes them; a Run asks a System; Traces get Scores."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from string import Template
from typing import Any, Literal
from unicodedata import normalize

from core.errors import BenchError
from core.ids import content_hash

LANGUAGES = ("en", "zh")
Status = Literal["drafted", "refused", "accepted", "discarded"]
Outcome = Literal["pass", "flag", "refuse", "not run"]
"""What a gate says; "not run" = it could not look, and nobody knows: no pass, and no reason to look twice."""
Decision = Literal["accept", "discard", "undo"]
"""An undo takes back every decision on the item before it: the item is again what it was when its revision landed. The undo of
an opinion takes back that person's opinions on it; one that names a single review as `only` takes back that one alone."""
ReviewKind = Literal["", "opinion", "settled", "adjudicated"]
"""What a review is to its item: the decision; one of several opinions; what equal opinions came to; a choice between them."""
Level = int | str | None
"""1 to 4 (HawkBench), "KS", "KU", "KA" (R-Eval), or None."""


@dataclass(frozen=True, slots=True)
class Document:
    """A source text. Identity: the hash of its text."""

    id: str
    """content_hash(text)."""
    text: str
    """The whole text, as read; spans point into it by code points."""
    title: str
    domain: str = "general"
    language: str = "en"
    """en or zh."""
    origin: str = ""
    """Where it came from: a file name with its line, a URL, a data set's name."""
    licence: str | None = None
    """SPDX id or a name; None = unknown, which a release refuses unless told why not."""
    published: str | None = None
    """ISO date or date and time, when known."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """What else the source said; JSON values."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A piece of a document: chunk, evidence, retrieved passage. Its text is cut from the document, never stored twice."""

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
    """In the retriever's own scale; comparable only within one list."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with an agent."""

    role: Literal["system", "user", "assistant"]
    content: str


_CLOSING = re.compile(r"</[\s\u200b-\u200d\ufeff]*(\w+)")


def _kept_within(text: str, tags: set[str]) -> str:
    """The text, its closing tags of those names broken."""
    return _CLOSING.sub(
        lambda found: found[0].replace("</", "< /") if normalize("NFKC", found[1]).lower() in tags else found[0], text
    )


@dataclass(frozen=True, slots=True)
class Prompt:
    """Words for an agent, with places to fill. Identity: name@hash."""

    name: str
    """Path under prompts/ without the ending, then the language: "draft/explicit_factoid.en"."""
    skill: str
    """draft, answer, judge, rewrite, extract or workflow."""
    messages: tuple[Message, ...]
    """Templates: $name is filled from the inputs, $$ is a dollar sign."""
    inputs: tuple[str, ...]
    """The names that must be given."""
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
        """The names of the reply's fields; empty when the reply is plain text."""
        return frozenset(self.schema.get("properties", {})) if self.schema else frozenset()

    def fill(self, inputs: Mapping[str, object]) -> tuple[Message, ...]:
        """The messages to send; raises BenchError when an input is missing. Inputs it does not name are left out. None closes a
        tag of the prompt's words: what it says after that would be taken for ours."""
        missing = [name for name in self.inputs if name not in inputs]
        if missing:
            raise BenchError(f"Prompt {self.name} was not given {', '.join(missing)}: it needs {', '.join(self.inputs)}.")
        tags = {tag for message in self.messages for tag in _CLOSING.findall(message.content)}
        words = {name: _kept_within(str(inputs[name]), tags) for name in self.inputs}
        return tuple(Message(m.role, Template(m.content).substitute(words)) for m in self.messages)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where an item's words came from."""

    agent: str | None = None
    """Agent name, e.g. "openai:gpt-x", "offline", "recorded"; None when a person or a file gave the item."""
    prompt: str | None = None
    """Prompt identity name@hash of the call that gave the question."""
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
    """Where in the documents the answer stands, in document order."""
    level: Level = None
    domain: str = "general"
    language: str = "en"
    revision: int = 1
    """1 for the first words; each edit adds one."""
    status: Status = "drafted"
    labels: Mapping[str, Any] = field(default_factory=dict)
    """Free labels: referent, frame, selections, selection_answers, ...; JSON values."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """Further texts shown to a system, by name."""
    given: tuple[str, ...] = ()
    """Ids of the documents that belong to the question, in order: its window's, or an outside item's contexts."""
    steps: tuple[Mapping[str, Any], ...] = ()
    """How it was built: JSON objects with a "kind", e.g. window, source_item, passages, chosen, claims."""
    overlap: float | None = None
    """Share of the question's content words found in its evidence, 0..1; None without evidence or content words."""
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
    """What the gate looked at; JSON values."""
    calls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """An item's question in another form. Identity: an opaque id."""

    id: str
    item: str
    revision: int
    """The item's revision whose question was put in another form."""
    kind: str
    text: str
    status: Status = "drafted"
    generator: str = ""
    seed: int | None = None
    checks: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Review:
    """One person's decision on a revision of an item or variant; append-only. Identity: the button's idempotency key."""

    id: str
    item: str
    """Id of the item or variant."""
    revision: int
    """The revision decided on; an edit first makes the new revision, which is then accepted."""
    person: str
    decision: Decision
    reason: str = ""
    comment: str = ""
    seconds: float | None = None
    """Active seconds; None when nobody measured them."""
    at: str = ""
    """UTC, ISO format."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What else belongs to it: `claims` = marks on claims, `words` = what was typed and discarded, `guideline` = the version
    that stood beside it, `of` = ids of the opinions that a settled or adjudicated one is of, `taken` = the one whose words were
    taken, `bulk` = the bulk action that it is of, `only` = the one review that an undo takes back; JSON values."""
    role: ReviewKind = ""


@dataclass(frozen=True, slots=True)
class Comment:
    """What one person said about one item. Identity: id."""

    id: str
    item: str
    person: str
    text: str
    at: str = ""
    """UTC, ISO format."""
    taken_back_at: str = ""
    """UTC, ISO format; "" = it stands."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing a system did on the way to its answer."""

    kind: Literal["thought", "action", "query", "retrieve", "call", "observation", "output"]
    """query = a search that the system asked for, carried out in the retrieve step after it unless it was refused; output =
    all that a model wrote, of which the answer is a part."""
    text: str = ""
    spans: tuple[Span, ...] = ()
    """What a retrieve step found, best first."""
    call: str | None = None
    """Id of the ledger's call."""
    seconds: float | None = None
    scores: tuple[float, ...] = ()
    """The retriever's scores of the spans, in its own scale; empty where they are not told."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """What else there is to tell of it, as JSON values: see eval/workflows/hops.py."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What came back for one question. Identity: run + item or variant."""

    run: str
    item: str
    variant: str | None = None
    answer: str | None = None
    """None = the system failed; "" is an answer."""
    retrieved: tuple[Span, ...] | None = None
    """The passages the answer was given, best first; None when the system tells none."""
    steps: tuple[Step, ...] = ()
    calls: int = 0
    """Calls the system made, those found in the ledger included."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None
    """Service time, without waiting for a free place."""
    stop: str = "answered"
    """answered; how a workflow ended: finished, max_steps, context, tool_error, parse_error; or the kind of failure: timeout,
    refused, unparsed, crashed, too_long, model_error, missing, ..."""
    error: str | None = None
    """One sentence when it failed."""
    queued: float | None = None
    """Seconds that it waited for a free place, no part of `seconds`; None where nobody measured it."""
    retrying: float | None = None
    """Seconds that failed attempts and the pauses after them took, no part of `seconds` either."""


@dataclass(frozen=True, slots=True)
class Score:
    """One metric on one trace. Identity: trace + metric + version."""

    run: str
    item: str
    variant: str | None
    metric: str
    """Stable name, with its part: "s_f1.precision", "evidence_recall@5"."""
    version: str
    value: float | None
    """None = not scored, and `why` says why; never 0 in its stead."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Grade:
    """One person's mark on a Trace, or on one verdict of a judge on it; append-only. A judge's own marks are Scores, its words
    stand beside them. Identity: an opaque id, the button's idempotency key."""

    id: str
    place: str
    """Key of the place of its batch: which trace, and which verdict on it."""
    person: str
    mark: str | None
    """A mark of the batch's scheme (core/quality/grading.py); None = this person takes theirs back."""
    role: Literal["", "resolves"] = ""
    """"" = one of those who grade blind to each other; resolves = the one who decides between them."""
    comment: str = ""
    seconds: float | None = None
    """Active seconds; None when nobody measured them."""
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
    """Everything that the identity is a hash of."""
    repetition: int = 0
    offline: tuple[str, ...] = ()
    """Which of draft, answer, judge were done by the offline agent."""


@dataclass(frozen=True, slots=True)
class Release:
    """A frozen, named list of item revisions and variants. Identity: the hash of its manifest, which never changes."""

    name: str
    hash: str
    manifest: Mapping[str, Any]
    created: str = ""
    """UTC, ISO format; no part of the hash."""
