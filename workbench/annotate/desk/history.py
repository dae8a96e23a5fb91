"""Loads the history of an item: its revisions with their authors, and the decisions that the reader may see. While the item
waits for review, people see only their own decisions. Once it is decided, they also see the decision that counts and the
opinions behind it."""

from collections.abc import Sequence

from core.nouns import Review, Status
from store.engine.database import Database
from store.format import Revision
from store.queue.effective_reviews import select_effective
from store.reviews import reviews
from workbench.annotate.desk.desk_data import DecisionEvent, ItemHistory, RevisionEvent, label_values
from workbench.annotate.desk.reading import DocumentCache


def load_history(database: Database, reading: DocumentCache, item: str, person: str) -> ItemHistory:
    """Load the part of the item's history that this person may see. Raises BenchError when the item does not exist."""
    current, _ = reading.load_current(item)
    revisions = select_visible_revisions(reading.lineage(item, current.revision), person, current.status)
    words = [reading.words(item, made.revision).item for made in revisions]
    visible = select_visible_reviews(reviews.load_reviews(database, [item]), person, current.status, current.revision)
    return ItemHistory(
        [
            RevisionEvent(made.revision, made.by, made.at, then.question, then.answers, then.evidence, label_values(then))
            for made, then in zip(revisions, words, strict=True)
        ],
        [DecisionEvent.from_review(review) for review in visible],
    )


def select_visible_reviews(every: Sequence[Review], person: str, status: Status, revision: int) -> list[Review]:
    """Select those reviews of an item that this person may see, given the item's status and current revision.

    The person always sees their own decisions; once the item is decided, also the effective decision with the opinions it is
    based on."""
    own = {review.id for review in every if person and review.person == person}
    deciding = [review for review in select_effective(every) if review.role != "opinion" and review.revision == revision][-1:]
    open_ids = {id_ for review in deciding for id_ in (review.id, *review.details.get("of", ()))}
    return [review for review in every if review.id in own or (is_decided(status) and review.id in open_ids)]


def select_visible_revisions(revisions: Sequence[Revision], person: str, status: Status) -> list[Revision]:
    """Select the revisions that this person may see; until the item is decided, edits by other people stay hidden."""
    return [made for made in revisions if made.base is None or made.by == person or is_decided(status)]


def is_decided(status: Status) -> bool:
    return status in ("accepted", "discarded")
