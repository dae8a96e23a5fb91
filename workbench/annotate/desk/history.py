"""Load the history of an item: its revisions with their authors, and the decisions that the reader is allowed to see. While the
item waits for review, people see only their own decisions. After the item is decided, they also see the decision that is in
effect, and the opinions on which it is based."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.label_questions import read_label_answers
from core.nouns import Decision, Item, Review, ReviewKind, Span, Status
from store.engine.database import Database
from store.format import Revision
from store.queue.assistance import ASSISTANCE
from store.queue.effective_reviews import select_effective
from store.reviews import reviews
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.desk.taxonomy import label_values


@dataclass(frozen=True, slots=True)
class RevisionEvent:
    """One revision of an item with its text, as an entry of the item's history."""

    revision: int
    by: str
    at: str
    question: str
    answers: Sequence[str]
    evidence: Sequence[Span]
    labels: Mapping[str, str | None]

    @classmethod
    def from_revision(cls, made: Revision, item: Item) -> "RevisionEvent":
        """Return the history entry for the revision `made`; the text is that of `item`."""
        return cls(made.revision, made.by, made.at, item.question, item.answers, item.evidence, label_values(item))


@dataclass(frozen=True, slots=True)
class DecisionEvent:
    """One decision on an item, as an entry of the item's history."""

    revision: int
    person: str
    decision: Decision
    reason: str
    comment: str
    at: str
    guideline: int | None
    """Version of the guideline that the review page showed for the decision."""
    words: Mapping[str, Any] | None
    """The edited question, answer and evidence, which were not used because the person discarded the item; None if there was no
    edit."""
    role: ReviewKind
    label_answers: Mapping[str, Any]
    assistance: str = ""
    """What the person saw of the draft before deciding: draft, blind reveal, or none; "" if no rule hid any draft."""

    @classmethod
    def from_review(cls, review: Review) -> "DecisionEvent":
        """Return the history entry for the decision that `review` stores."""
        words = (review.revision, review.person, review.decision, review.reason, review.comment, review.at)
        details = review.details
        return cls(
            *words,
            details.get("guideline"),
            details.get("words"),
            review.role,
            read_label_answers(details),
            details.get(ASSISTANCE, ""),
        )


@dataclass(frozen=True, slots=True)
class ItemHistory:
    """The revisions of an item and the decisions on it, both oldest first."""

    revisions: Sequence[RevisionEvent]
    decisions: Sequence[DecisionEvent]


def load_history(database: Database, reading: DocumentCache, item: str, person: str) -> ItemHistory:
    """Load the part of the item's history that this person is allowed to see. Raises BenchError if the item does not exist."""
    current, _ = reading.load_current(item)
    revisions = select_visible_revisions(reading.lineage(item, current.revision), person, current.status)
    words = [reading.words(item, made.revision).item for made in revisions]
    visible = select_visible_reviews(reviews.load_reviews(database, [item]), person, current.status, current.revision)
    return ItemHistory(
        list(map(RevisionEvent.from_revision, revisions, words)),
        [DecisionEvent.from_review(review) for review in visible],
    )


def select_visible_reviews(every: Sequence[Review], person: str, status: Status, revision: int) -> list[Review]:
    """Return those reviews of an item that this person is allowed to see, given the item's status and current revision.

    People always see their own decisions. After the item is decided, they also see the decision that is in effect and the
    opinions on which it is based."""
    own = {review.id for review in every if person and review.person == person}
    deciding = [review for review in select_effective(every) if review.role != "opinion" and review.revision == revision][-1:]
    open_ids = {id_ for review in deciding for id_ in (review.id, *review.details.get("of", ()))}
    return [review for review in every if review.id in own or (is_decided(status) and review.id in open_ids)]


def select_visible_revisions(revisions: Sequence[Revision], person: str, status: Status) -> list[Revision]:
    """Return the revisions that this person is allowed to see; before the item is decided, edits by other people are hidden."""
    return [made for made in revisions if made.base is None or made.by == person or is_decided(status)]


def is_decided(status: Status) -> bool:
    return status in ("accepted", "discarded")
