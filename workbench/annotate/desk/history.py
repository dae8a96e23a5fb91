"""What became of an item: its revisions with who made them, and the decisions that a reader may know of. As long as the item
waits, these are the reader's own; once it is decided, also the one that it stands by, and the opinions that this one is of."""

from collections.abc import Sequence
from typing import Any

from core.label_questions import LABEL_ANSWERS, read_label_answers
from core.nouns import Review, Status
from store.engine.database import Database
from store.format import Revision
from store.queue.effective_reviews import select_effective
from store.reviews import reviews
from workbench.annotate.desk.claims import places
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.desk.taxonomy import labels_of


def history(database: Database, reading: DocumentCache, item: str, person: str) -> dict[str, Any]:
    """{"revisions", "decisions"}, both oldest first. Raises BenchError when there is no such item."""
    now, _ = reading.load_current(item)
    made = open_to(reading.lineage(item, now.revision), person, now.status)
    words = [reading.words(item, one.revision).item for one in made]
    return {
        "revisions": [
            {
                "revision": one.revision,
                "by": one.by,
                "at": one.at,
                "question": then.question,
                "answers": list(then.answers),
                "evidence": places(then.evidence),
                "labels": labels_of(then),
            }
            for one, then in zip(made, words, strict=True)
        ],
        "decisions": [
            told(review) for review in known(reviews.load_reviews(database, [item]), person, now.status, now.revision)
        ],
    }


def known(every: Sequence[Review], person: str, status: Status, revision: int) -> list[Review]:
    """What this person may see of the decisions on an item of that status and revision: their own, and once it is decided the
    one that it stands by, with the opinions that this one is of."""
    own = {review.id for review in every if person and review.person == person}
    deciding = [review for review in select_effective(every) if review.role != "opinion" and review.revision == revision][-1:]
    open_ = {id_ for review in deciding for id_ in (review.id, *review.details.get("of", ()))}
    return [review for review in every if review.id in own or (is_decided(status) and review.id in open_)]


def open_to(made: Sequence[Revision], person: str, status: Status) -> list[Revision]:
    """The revisions that this person may see: nobody else's opinion as long as the item waits."""
    return [one for one in made if one.base is None or one.by == person or is_decided(status)]


def is_decided(status: Status) -> bool:
    return status in ("accepted", "discarded")


def told(review: Review) -> dict[str, Any]:
    """A decision as the screen knows it; `words` are those that were typed and discarded with it."""
    return {
        "revision": review.revision,
        "person": review.person,
        "decision": review.decision,
        "reason": review.reason,
        "comment": review.comment,
        "at": review.at,
        "guideline": review.details.get("guideline"),
        "words": review.details.get("words"),
        "role": review.role,
        LABEL_ANSWERS: read_label_answers(review.details),
    }
