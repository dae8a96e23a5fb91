"""Opinions as words: what is told to whoever gave one of several, and which of them a decision came to."""

from typing import Any

from core.nouns import Item, Review
from store.engine.database import Database
from store.reviews import opinions
from store.reviews.opinions import Opinion, edited_fields
from workbench.annotate.desk.claims import places
from workbench.annotate.desk.pressing import DecisionRequest
from workbench.annotate.desk.taxonomy import labels_of


def told(database: Database, review: Review, item: Item) -> str:
    """What became of the item by that opinion, once it is in; "" for a decision that is none. It tells nobody's words."""
    if review.role != "opinion":
        return ""
    if item.status != "drafted":
        return f"all agreed: {item.status}"
    missing = opinions.count_missing(database, item.id)
    return f"waits for {missing} more" if missing else "opinions differ: somebody decides between them"


def taken(database: Database, press: DecisionRequest, outcome: Item) -> str | None:
    """Of the opinions that the press decides between the id of one that comes to the same; None when it is another text."""
    found = [one for one in opinions.load_opinions_on(database.rows, press.item) if one.review.decision == press.decision]
    if press.decision == "accept":
        found = [one for one in found if _words(one.item) == _words(outcome)]
    found.sort(key=lambda one: one.review.reason != press.reason.strip())
    return found[0].review.id if found else None


def words_of(opinion: Opinion) -> dict[str, Any]:
    """Its words as the desk takes them."""
    item = opinion.item
    return {
        "question": item.question,
        "answers": list(item.answers),
        "evidence": places(item.evidence),
        "labels": labels_of(item),
    }


def _words(item: Item) -> tuple[Any, ...]:
    return edited_fields(item)[:2], frozenset(item.evidence), edited_fields(item)[3:]
