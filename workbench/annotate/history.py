"""What became of an item: its revisions with who made them, and the decisions that a reader may know of. As long as the item
waits, these are the reader's own; once it is decided, also the one that it stands by."""

from collections.abc import Sequence
from typing import Any

from core.nouns import Review, Status
from store import items, one_item, reviews
from store.database import Database
from workbench.annotate.claims import places


def history(database: Database, item: str, person: str) -> dict[str, Any]:
    """{"revisions", "decisions"}, both oldest first. Raises BenchError when there is no such item."""
    now = items.get(database, item)
    made = one_item.lineage(database, item, now.revision)
    words = items.at_revisions(database.rows, [(item, one.revision, now.status) for one in made])
    return {
        "revisions": [
            {"revision": one.revision, "by": one.by, "at": one.at, "question": then.question, "answers": list(then.answers),
             "evidence": places(then.evidence)}
            for one, then in zip(made, words, strict=True)
        ],
        "decisions": [told(review) for review in known(reviews.every(database, [item]), person, now.status, now.revision)],
    }  # fmt: skip


def known(every: Sequence[Review], person: str, status: Status, revision: int) -> list[Review]:
    """What this person may see of the decisions on an item of that status and revision."""
    undone = max((place for place, review in enumerate(every) if review.decision == "undo"), default=-1)
    standing = [review for review in every[undone + 1 :] if review.revision == revision][-1:]
    open_ = {review.id for review in standing} if status in ("accepted", "discarded") else set()
    return [review for review in every if (person and review.person == person) or review.id in open_]


def told(review: Review) -> dict[str, Any]:
    """A decision as the screen knows it; `words` are those that were typed and discarded with it."""
    return {
        "revision": review.revision, "person": review.person, "decision": review.decision, "reason": review.reason,
        "comment": review.comment, "at": review.at, "guideline": review.details.get("guideline"),
        "words": review.details.get("words"),
    }  # fmt: skip
