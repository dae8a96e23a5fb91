"""Define the data that the review page (the desk) shows, as pages and routes receive them. core/as_json.py converts them to
JSON; pages/components/types.d.ts declares the same field names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.label_questions import read_label_answers
from core.nouns import Decision, Item, Level, Review, Span, Status
from store.queue.leases import Lease
from store.reviews.unsent_edits import UnsentEdit
from workbench.annotate.desk.taxonomy import TaxonomyRow, label_values, list_taxonomy


@dataclass(frozen=True, slots=True)
class DeskItem:
    """The data of an item that the review page shows."""

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
    """Whether the answer is a frame, which is a text that the reviewer must replace with an answer."""
    labels: Mapping[str, Any]
    taxonomy: Sequence[TaxonomyRow]


@dataclass(frozen=True, slots=True)
class FirstDraft:
    """The first revision of an item, with the agent, prompt and origin of its text."""

    question: str
    answers: Sequence[str]
    evidence: Sequence[Span]
    agent: str | None
    prompt: str | None
    origin: str


@dataclass(frozen=True, slots=True)
class DeskGuideline:
    """The guideline for annotators that the review page shows beside an item."""

    version: int
    text: str
    html: str
    is_newer: bool
    """Whether the guideline has changed since somebody decided on the item."""


@dataclass(frozen=True, slots=True)
class DeskDocument:
    """One of the item's documents, without its text."""

    id: str
    title: str
    characters: int
    has_pages: bool
    """Whether the review page can show the document as the pages of its PDF."""


@dataclass(frozen=True, slots=True)
class GateFinding:
    """The last verdict of one gate (automatic check) on an item."""

    gate: str
    outcome: str
    why: str
    revision: int
    """Number of the revision that the gate checked."""
    asked: Sequence[str]
    """The prompts and replies of an LLM gate, one line for each; empty for other gates."""


@dataclass(frozen=True, slots=True)
class RagFigures:
    """The results of the RAG check of an item; a result that was not measured is None."""

    recall: float | None
    precision: float | None
    f1: float | None
    judge: float | None
    multi_choice: str | float | None
    answer: str | None
    stale: bool
    """Whether the RAG check concerned an earlier revision of the item."""
    offline: bool
    """Whether the agent that answered in the RAG check works without a model."""
    agent: str


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One result of a search during the drafting of an item."""

    is_kept: bool
    score: float | None
    title: str | None
    why: str


@dataclass(frozen=True, slots=True)
class BuildStep:
    """One step of the drafting of an item, in words."""

    kind: str
    text: str
    found: str = ""
    """How many results of a search were kept and how many were dropped, in words; "" if the step is no search."""
    hits: Sequence[SearchHit] | None = None
    """All results of a search in the provider's order, or None if the step is no search."""


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One claim of the answer, with the evidence that it cites."""

    claim: str
    evidence: Sequence[Span]


@dataclass(frozen=True, slots=True)
class WrittenRewrite:
    """A rewrite of the item's question that a person wrote."""

    text: str
    person: str
    revision: int
    status: Status


@dataclass(frozen=True, slots=True)
class UnsentWords:
    """Question, answer and evidence that a person has typed but not sent."""

    revision: int
    question: str
    answer: str
    evidence: Sequence[Span]
    seconds: float | None
    """Active seconds that the person has spent on the item so far."""
    saved_at: str
    label_answers: Mapping[str, Any]

    @classmethod
    def from_edits(cls, edits: UnsentEdit | None) -> "UnsentWords | None":
        """Return stored unsent edits in the form that the review page shows, or None if there are none."""
        if edits is None:
            return None
        words = (edits.revision, edits.question, edits.answer, edits.evidence)
        return cls(*words, edits.seconds, edits.at, dict(edits.label_answers))


@dataclass(frozen=True, slots=True)
class RevisionLine:
    """Number, author and time of one revision of an item."""

    revision: int
    by: str
    at: str


@dataclass(frozen=True, slots=True)
class OpinionWords:
    """Question, answers and evidence of an item as a person's opinion proposes them."""

    question: str
    answers: Sequence[str]
    evidence: Sequence[Span]
    labels: Mapping[str, str | None]

    @classmethod
    def from_item(cls, item: Item) -> "OpinionWords":
        """Return the question, answers, evidence and labels of `item`."""
        return cls(item.question, item.answers, item.evidence, label_values(item))


@dataclass(frozen=True, slots=True)
class OwnDecision:
    """The reviewer's decision or opinion on the item that is in effect."""

    decision: Decision
    reason: str
    comment: str
    at: str
    label_answers: Mapping[str, Any]
    words: OpinionWords | None = None
    """Question, answers and evidence of an opinion; None if it is a decision."""
    missing: int = 0
    """Number of opinions by further people that the item still needs."""

    @classmethod
    def from_review(cls, review: Review) -> "OwnDecision":
        """Return the decision that `review` stores, without the text of an opinion."""
        return cls(review.decision, review.reason, review.comment, review.at, read_label_answers(review.details))


@dataclass(frozen=True, slots=True)
class UndoTarget:
    """The item whose decision the button Undo would undo."""

    item: str
    question: str


@dataclass(frozen=True, slots=True)
class DeskPosition:
    """How many items wait for the person, and whether the person can go back from this item or undo the last decision."""

    left: int | None = None
    """Number of items that wait for the person, or None if the page does not show the number."""
    has_back: bool = False
    undo: UndoTarget | None = None


@dataclass(frozen=True, slots=True)
class Holder:
    """The other person for whom an item is reserved, and the time at which the reservation ends."""

    by: str
    until: str
    """Time at which the reservation ends, in UTC and ISO format; "" if it does not end, because the item was assigned to the
    person."""

    @classmethod
    def from_lease(cls, lease: Lease | None) -> "Holder | None":
        """Return the person and the end of `lease`, or None if there is no lease."""
        return None if lease is None else cls(lease.person, lease.until)


@dataclass(frozen=True, slots=True)
class CommentLine:
    """One comment on an item, as one line of the list."""

    id: str
    person: str
    text: str
    at: str
    taken_back: bool


@dataclass(frozen=True, slots=True)
class CommentThread:
    """The comments on an item, oldest first, and the comment that the reviewer is typing."""

    thread: Sequence[CommentLine]
    scratch: UnsentWords | None


@dataclass(frozen=True, slots=True)
class OwnWords:
    """The answer that a person wrote before seeing the drafted answer."""

    text: str
    at: str


@dataclass(frozen=True, slots=True)
class QualificationFeedback:
    """What a person sees after a decision in qualification: the injected error, the person's decision, the right decision, and
    the progress of the round."""

    is_right: bool
    flaw: str
    """Label of the injected error (the single error in a control item)."""
    where: str
    """Part of the item with the error: question, answer or evidence; "" if there is no error."""
    did: str
    expected: str
    why: str
    gone: str
    """The text that the injected error replaced."""
    put: str
    """The text with the error, which replaced the right text."""
    done: int
    n: int
    right: int
    passing: int


@dataclass(frozen=True, slots=True)
class ShownOpinion:
    """One of the opinions between which a person decides; a letter such as A takes the place of its author's name."""

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
    """Name of the opinion's author; None while the item is disputed, so that names do not influence the decision."""


@dataclass(frozen=True, slots=True)
class OpinionSheet:
    """The opinions on an item that differ, for the person who decides or has decided between them."""

    is_open: bool
    """Whether a decision between the opinions is still needed."""
    seen: str
    """Hash of the opinions on the screen; if the opinions have changed, a decision with this hash is refused."""
    why: UnsentWords | None
    """The reason for the decision that the person has typed but not sent."""
    given: Sequence[ShownOpinion]


@dataclass(frozen=True, slots=True)
class DeskBar:
    """The line above the item on the review page, with the person's progress."""

    words: str
    """The person's progress and the number of items left, in words."""
    control: str
    """How often control items appear, in words; "" if no item is shown or every item is a control item."""
    disputed: int
    """Number of disputed items on which this person may decide."""
    left: int | None
    """Number of items that wait for this person, or None during qualification."""
    is_last_of_document: bool = False
    """Whether no other item of the same document waits for this person."""


@dataclass(frozen=True, slots=True)
class DeskVisit:
    """Identifies the item that a browser tab shows for review, and the queue from which the next item comes."""

    tab: str
    number: int
    """Number of the visit in the tab; it grows with each item that the tab shows."""
    kind: Mapping[str, Any]
    """The filter (task, level, domain and so on) that selects the items of the tab's queue."""


@dataclass(frozen=True, slots=True)
class DeskData:
    """An item with everything that the review page shows to the reviewer."""

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
    """Reasons for discarding items of this task, from which the reviewer can choose."""
    is_disputed: bool
    position: DeskPosition = DeskPosition()
    show_next: bool = True
    next_label: str | None = None
    held: Holder | None = None
    """The other person for whom the item is reserved, or None if there is none."""
    keeps_from_taking: str | None = None
    """Reason why this person may not take over the item from the other person, or None if this person may."""
    comments: CommentThread = CommentThread((), None)
    own_answer: OwnWords | None = None
    skip_reasons: Sequence[str] = ()
    """Reasons for skipping the item, from which the reviewer can choose; empty if the item cannot be skipped with a reason."""
    label_questions: Sequence[Mapping[str, Any]] = field(default_factory=list)
    """The label questions, which this project asks every reviewer, as records made by core.label_questions.question_record."""
    blind: bool = False
    """Whether the drafted answer is hidden until the person has written an answer."""
    alone: bool = False
    """Whether the person answers without the draft, which stays hidden until the person has decided."""
    feedback: QualificationFeedback | None = None
    opinions: OpinionSheet | None = None
    note: str = ""
    """Sentence about earlier decisions on the item; "" if the item waits for this person."""
    leads_to_opinions: bool = False
    """Whether the page has a link to the page on which this person may decide between the opinions on the item."""
    bar: DeskBar | None = None
    visit: DeskVisit | None = None
    """The place of the browser tab in the queue, or None if the page's script opens the next item."""


@dataclass(frozen=True, slots=True)
class DeskClaim:
    """A claim of the answer, with its evidence, other sentences that may support it, and its numbers and dates that the
    evidence lacks."""

    claim: str
    evidence: Sequence[Span]
    candidates: Sequence[Span]
    """Sentences that the claim does not cite and that may support it."""
    figures_not_found: Sequence[str]
    """Numbers and dates of the claim that its evidence does not contain."""


def describe_item(item: Item) -> DeskItem:
    """Return the item in the form that the review page shows."""
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
