"""List items for the command line, without importing the modules of the review page."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from core.errors import BenchError
from core.nouns import Item, Level, Review, Span, Status, Variant
from store.corpus import documents
from store.engine import settings
from store.engine.database import Database
from store.items import finding, items
from store.items.finding import ItemSearch
from store.queue.assistance import RULE_SETTING
from store.queue.effective_reviews import select_effective
from store.queue.kind import ItemKind
from store.reviews import reviews
from store.variants import variants
from workbench import actor
from workbench.roles import requires


class ListedReview(NamedTuple):
    """One review, and whether it is in effect."""

    review: Review
    is_effective: bool
    """Whether the review is in effect, which undos and decisions between opinions can change."""


class ItemList:
    """Methods that list items and reviews."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def items(
        self,
        *,
        task: str | None = None,
        domain: str | None = None,
        status: Status | None = None,
        text: str = "",
        level: Level = None,
        language: str | None = None,
        agent: str | None = None,
        flag: str | None = None,
        person: str = "",
    ) -> list[Item]:
        """Return the items that match all given filters and contain `text` in the question or an answer, oldest first. If an
        item's answer is hidden from the reader, only its question is searched, and all that may contain the answer is empty.
        The reader is the signed-in person, or else `person`; without either, no answer is hidden."""
        search = ItemSearch(ItemKind(task, level, domain, language, agent, flag), status, text, order="oldest")
        listed = self.load_items(finding.list_ids(self._db, search), person)
        return [item for item in listed if item.answers or not text or text.casefold() in item.question.casefold()]

    def load_items(self, ids: Iterable[str], person: str = "") -> list[Item]:
        """Load the items with these ids, in this order; missing items are left out. If an item's answer is hidden from the
        reader, who is the signed-in person, or else `person`, all that may contain the answer is left empty."""
        signed_in, loaded = actor.get_name(), items.load_items(self._db, ids)
        if signed_in is None and not person.strip():
            return loaded
        from workbench.annotate.reviewing.blind import Blind  # imports the desk, which the command line does not need

        hidden = Blind(self._db).find_withheld_items(loaded, person if signed_in is None else signed_in)
        bare: dict[str, Any] = {
            "answers": (),
            "evidence": (),
            "labels": {},
            "inputs": {},
            "given": (),
            "steps": (),
            "overlap": None,
        }
        return [replace(item, **bare) if item.id in hidden else item for item in loaded]

    def count_hidden(self, listed: Iterable[Item]) -> int:
        """Count the listed drafts whose answers a rule of the desk hides at first from the people who review them."""
        if not settings.get(self._db, RULE_SETTING, {}):
            return 0
        from workbench.annotate.reviewing.blind import Blind

        return len(Blind(self._db).find_hidden_items(listed, ""))

    def find_variant(self, id_: str) -> Variant | None:
        """Return the variant with this id, or None if there is none."""
        return next(iter(variants.load_variants(self._db, [id_])), None)

    @requires("see who did what")
    def list_reviews(self) -> list[ListedReview]:
        """Return all reviews, including undos, oldest first."""
        every = reviews.list_reviews(self._db)
        effective = {review.id for review in select_effective(every)}
        return [ListedReview(review, review.id in effective) for review in every]

    def load_evidence(self, of: Iterable[Item]) -> Callable[[Span], str]:
        """Return a function that returns the text of an evidence span of these items; it raises BenchError if the document is
        missing."""
        ids = dict.fromkeys(span.document for item in of for span in item.evidence)
        texts = {document.id: document.text for document in documents.load_documents(self._db, ids)}

        def cut(span: Span) -> str:
            if span.document not in texts:
                raise BenchError(
                    f"Document {span.document}, in which an item has evidence, is not in this workspace: add it again."
                )
            return texts[span.document][span.start : span.end]

        return cut
