"""The desk's data, as pages and routes receive them. core/as_json.py converts them to the JSON of pages/components/types.d.ts,
whose names equal the field names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.label_questions import read_label_answers
from core.nouns import Decision, Item, Level, Review, ReviewKind, Span, Status
from core.quality import crag
from store.queue.leases import Lease
from store.reviews.unsent_edits import UnsentEdit


@dataclass(frozen=True, slots=True)
class LabelValue:
    """One value that a CRAG label can have."""

    value: str
    shown: str
    about: str
    """Meaning of the value."""


@dataclass(frozen=True, slots=True)
class TaxonomyRow:
    """One of CRAG's labels, or the domain, with its value and all possible values."""

    name: str
    title: str
    value: str | None
    values: Sequence[LabelValue]


@dataclass(frozen=True, slots=True)
class DeskItem:
    """An item as the desk shows it."""

    id: str
    revision: int
    status: Status
    task: str
    task_label: str
    level: Level
    definition: str
    """Definition of the task, in the item's language."""
    domain: str
    language: str
    question: str
    answers: Sequence[str]
    evidence: Sequence[Span]
    is_frame: bool
    """Whether the answer is a frame to fill in."""
    labels: Mapping[str, Any]
    taxonomy: Sequence[TaxonomyRow]


@dataclass(frozen=True, slots=True)
class FirstDraft:
    """The first revision of an item, and its origin."""

    question: str
    answers: Sequence[str]
    evidence: Sequence[Span]
    agent: str | None
    prompt: str | None
    origin: str


@dataclass(frozen=True, slots=True)
class DeskGuideline:
    """The guideline beside an item."""

    version: int
    text: str
    html: str
    is_newer: bool
    """Whether the guideline is newer than the version of the item's decision."""


@dataclass(frozen=True, slots=True)
class DeskDocument:
    """A document of the item, without its text."""

    id: str
    title: str
    characters: int
    has_pages: bool
    """Whether the document can be shown as pages of its PDF."""


@dataclass(frozen=True, slots=True)
class GateFinding:
    """The last verdict of one gate."""

    gate: str
    outcome: str
    why: str
    revision: int
    """Revision that the verdict is about."""
    asked: Sequence[str]
    """Prompts and replies of an LLM gate, one per line."""


@dataclass(frozen=True, slots=True)
class RagFigures:
    """The figures of the RAG check; None = not measured."""

    recall: float | None
    precision: float | None
    f1: float | None
    judge: float | None
    multi_choice: str | float | None
    answer: str | None
    stale: bool
    """Whether the checks are about another revision."""
    offline: bool
    """Whether the answering agent uses no model."""
    agent: str


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One result of a search while drafting."""

    is_kept: bool
    score: float | None
    title: str | None
    why: str


@dataclass(frozen=True, slots=True)
class BuildStep:
    """One step of the drafting, in words."""

    kind: str
    text: str
    found: str = ""
    """Numbers of kept and dropped results of a search, in words."""
    hits: Sequence[SearchHit] | None = None
    """Results of a search, in the provider's order, or None for other steps."""


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One claim of the answer and what it cites."""

    claim: str
    evidence: Sequence[Span]


@dataclass(frozen=True, slots=True)
class WrittenRewrite:
    """A rewrite of the question by a person."""

    text: str
    person: str
    revision: int
    status: Status


@dataclass(frozen=True, slots=True)
class UnsentWords:
    """Text that a person typed but did not send."""

    revision: int
    question: str
    answer: str
    evidence: Sequence[Span]
    seconds: float | None
    """Active seconds so far."""
    saved_at: str
    label_answers: Mapping[str, Any]

    @classmethod
    def from_edits(cls, edits: UnsentEdit | None) -> "UnsentWords | None":
        """Return the unsent edits in the form that the desk shows, or None for none."""
        if edits is None:
            return None
        words = (edits.revision, edits.question, edits.answer, edits.evidence)
        return cls(*words, edits.seconds, edits.at, dict(edits.label_answers))


@dataclass(frozen=True, slots=True)
class RevisionLine:
    """The author and time of a revision."""

    revision: int
    by: str
    at: str


@dataclass(frozen=True, slots=True)
class OpinionWords:
    """The words of one person's opinion."""

    question: str
    answers: Sequence[str]
    evidence: Sequence[Span]
    labels: Mapping[str, str | None]

    @classmethod
    def from_item(cls, item: Item) -> "OpinionWords":
        """Return the text and evidence of the item."""
        return cls(item.question, item.answers, item.evidence, label_values(item))


@dataclass(frozen=True, slots=True)
class OwnDecision:
    """The effective decision or opinion of the person at the desk."""

    decision: Decision
    reason: str
    comment: str
    at: str
    label_answers: Mapping[str, Any]
    words: OpinionWords | None = None
    """Text of an opinion, or None for a decision."""
    missing: int = 0
    """Number of further opinions that the item needs."""

    @classmethod
    def from_review(cls, review: Review) -> "OwnDecision":
        """Return the decision of that review."""
        return cls(review.decision, review.reason, review.comment, review.at, read_label_answers(review.details))


@dataclass(frozen=True, slots=True)
class UndoTarget:
    """The decision that an undo would take back."""

    item: str
    question: str


@dataclass(frozen=True, slots=True)
class DeskPosition:
    """The position of the item in the person's queue."""

    left: int | None = None
    """Number of waiting items; None = not shown."""
    has_back: bool = False
    undo: UndoTarget | None = None


@dataclass(frozen=True, slots=True)
class Holder:
    """Another person who holds an item, and the end of the hold."""

    by: str
    until: str
    """End of the hold: UTC, ISO format; "" = assigned without an end."""

    @classmethod
    def from_lease(cls, lease: Lease | None) -> "Holder | None":
        """Return the holder of that lease, or None for none."""
        return None if lease is None else cls(lease.person, lease.until)


@dataclass(frozen=True, slots=True)
class CommentLine:
    """A comment in the thread."""

    id: str
    person: str
    text: str
    at: str
    taken_back: bool


@dataclass(frozen=True, slots=True)
class CommentThread:
    """The comments on an item, oldest first, and the comment that the person has not sent."""

    thread: Sequence[CommentLine]
    scratch: UnsentWords | None


@dataclass(frozen=True, slots=True)
class OwnWords:
    """A person's own answer from before they saw the draft's answer."""

    text: str
    at: str


@dataclass(frozen=True, slots=True)
class QualificationFeedback:
    """The error in a control item, the person's decision, the expected decision, and the progress of their round."""

    is_right: bool
    flaw: str
    """Label of the injected error."""
    where: str
    """Part with the error: question, answer or evidence; "" = no error."""
    did: str
    expected: str
    why: str
    gone: str
    """The text before the error was injected."""
    put: str
    """The text after the error was injected."""
    done: int
    n: int
    right: int
    passing: int


@dataclass(frozen=True, slots=True)
class ShownOpinion:
    """One of the opinions to decide between."""

    letter: str
    decision: Decision
    reason: str
    comment: str
    seconds: float | None
    is_fast: bool
    question: str
    answers: Sequence[str]
    evidence: Sequence[Span]
    labels: Mapping[str, str | None]
    label_answers: Mapping[str, Any]
    person: str | None
    """Name of the person, or None while the item is disputed."""


@dataclass(frozen=True, slots=True)
class OpinionSheet:
    """The opinions that a person has to decide between, or has decided between."""

    is_open: bool
    """Whether a decision is still needed."""
    seen: str
    """Hash of these opinions."""
    why: UnsentWords | None
    """Unsent reason that the person has typed."""
    given: Sequence[ShownOpinion]


@dataclass(frozen=True, slots=True)
class DeskBar:
    """The line above the desk."""

    words: str
    """Progress of the person and the remaining number of items, in words."""
    control: str
    """Share of control items in words; "" = no item or every item is a control item."""
    disputed: int
    """Number of disputed items that this person may decide."""
    left: int | None
    """Number of items that wait for this person; None in qualification."""
    is_last_of_document: bool = False
    """Whether no other item of the item's document waits for this person."""


@dataclass(frozen=True, slots=True)
class DeskVisit:
    """The item that a browser tab shows on its desk, and the queue of the next item."""

    tab: str
    number: int
    """Number of the visit, which increases with each item of the tab."""
    kind: Mapping[str, Any]
    """Fields of the ItemKind."""


@dataclass(frozen=True, slots=True)
class DeskData:
    """An item with all data that its reader needs."""

    person: str
    item: DeskItem
    machine: FirstDraft
    guideline: DeskGuideline | None
    documents: Sequence[DeskDocument]
    verdicts: Sequence[GateFinding]
    rag: RagFigures | None
    steps: Sequence[BuildStep]
    claims: Sequence[ClaimRow]
    rewrites: Sequence[WrittenRewrite]
    scratch: UnsentWords | None
    history: Sequence[RevisionLine]
    decision: OwnDecision | None
    reasons: Sequence[str]
    """Reasons for discarding items of this kind."""
    is_disputed: bool
    position: DeskPosition = DeskPosition()
    show_next: bool = True
    next_label: str | None = None
    held: Holder | None = None
    """Other person who holds the item; None = not held."""
    keeps_from_taking: str | None = None
    """Reason why this person may not take over the item; None = may take it over."""
    comments: CommentThread = CommentThread((), None)
    own_answer: OwnWords | None = None
    skip_reasons: Sequence[str] = ()
    """Reasons for skipping; empty = the item cannot be skipped with a reason."""
    label_questions: Sequence[Mapping[str, Any]] = field(default_factory=list)
    """Label questions as records of core.label_questions.question_record."""
    blind: bool = False
    """Whether the answer is hidden until the person has written an own answer."""
    feedback: QualificationFeedback | None = None
    opinions: OpinionSheet | None = None
    note: str = ""
    """Previous decisions on the item in words; "" = the item waits for this person."""
    leads_to_opinions: bool = False
    """Whether this person may decide between the opinions on the item."""
    bar: DeskBar | None = None
    visit: DeskVisit | None = None
    """The visit of the desk; None = the page, not the desk, leads from item to item."""


@dataclass(frozen=True, slots=True)
class RevisionEvent:
    """One revision with its words, in the history of an item."""

    revision: int
    by: str
    at: str
    question: str
    answers: Sequence[str]
    evidence: Sequence[Span]
    labels: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class DecisionEvent:
    """One decision in the history of an item."""

    revision: int
    person: str
    decision: Decision
    reason: str
    comment: str
    at: str
    guideline: int | None
    """Number of the guideline's version at the time of the decision."""
    words: Mapping[str, Any] | None
    """Text that was typed and discarded with the decision: question, answer, evidence."""
    role: ReviewKind
    label_answers: Mapping[str, Any]

    @classmethod
    def from_review(cls, review: Review) -> "DecisionEvent":
        """Return the decision of that review."""
        words = (review.revision, review.person, review.decision, review.reason, review.comment, review.at)
        details = review.details
        return cls(*words, details.get("guideline"), details.get("words"), review.role, read_label_answers(details))


@dataclass(frozen=True, slots=True)
class ItemHistory:
    """The revisions of an item and the decisions on it, both oldest first."""

    revisions: Sequence[RevisionEvent]
    decisions: Sequence[DecisionEvent]


@dataclass(frozen=True, slots=True)
class DeskClaim:
    """A claim with data that helps to verify it."""

    claim: str
    evidence: Sequence[Span]
    candidates: Sequence[Span]
    """Other sentences that may contain the claim."""
    figures_not_found: Sequence[str]
    """Figures of the claim that are missing in its evidence."""


def describe_item(item: Item) -> DeskItem:
    """Return the item in the form that the desk shows."""
    from builders.task import tasks

    task = tasks().get(item.task)
    return DeskItem(
        id=item.id,
        revision=item.revision,
        status=item.status,
        task=item.task,
        task_label=task.label["en"] if task else item.task.replace("_", " "),
        level=item.level,
        definition=(task.definition.get(item.language) or task.definition["en"]) if task else "",
        domain=item.domain,
        language=item.language,
        question=item.question,
        answers=item.answers,
        evidence=item.evidence,
        is_frame=bool(item.labels.get("frame")),
        labels={name: value for name, value in item.labels.items() if name != "crag"},
        taxonomy=list_taxonomy(item),
    )


def list_taxonomy(item: Item) -> list[TaxonomyRow]:
    """List CRAG's labels of an item that has such labels, with the domain if it is one of CRAG's domains."""
    if not crag.is_labelled(item.labels):
        return []
    lists = ({"domain": crag.DOMAINS} if item.domain in crag.DOMAINS else {}) | dict(crag.LABELS)
    current = {"popularity": "", **item.labels, "domain": item.domain}
    return [
        TaxonomyRow(
            name, crag.NAMES[name], current.get(name), [LabelValue(value, value or "web", about) for value, about in of.items()]
        )
        for name, of in lists.items()
    ]


def label_values(item: Item) -> dict[str, str | None]:
    """Return the values of CRAG's labels of an item, by name."""
    return {row.name: row.value for row in list_taxonomy(item)}
