"""Reviews: items are listed and decided on by people."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from builders.drafting import overlap_of
from builders.gate import GateContext, run_gates
from builders.known import KnownItems
from core.catalog import pick
from core.errors import BenchError
from core.ids import derived_id
from core.nouns import Decision, Document, Item, Review, Span, Status, Variant
from core.records import item_record, variant_record
from store import documents, items, reviews, variants
from store.database import Database
from workbench.drafts import tasks


class ReviewStage:
    """Verbs on reviews."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def items(
        self, *, task: str | None = None, domain: str | None = None, status: Status | None = None
    ) -> list[dict[str, Any]]:
        """Items as JSON records, in the order they came."""
        return self._records(items.listed(self._db, task=task, domain=domain, status=status))

    def decide(
        self, id_: str, decision: Decision, *, person: str, question: str | None = None, answer: str | None = None,
        reason: str = "",
    ) -> list[dict[str, Any]]:  # fmt: skip
        """Accept, with or without an edit, or discard. The same decision by the same person twice is one."""
        if not person.strip():
            raise BenchError("A decision needs a name: give it with --as NAME.")
        found = items.many(self._db, [id_])
        if not found:
            return [self._decide_variant(id_, decision, person, question, answer, reason)]
        item = found[0]
        edited = self._edited(item, question, answer)
        if decision == "discard" and edited is not None:
            raise BenchError("A discard keeps the words as they are: leave --question and --answer out.")
        if decision == "accept":
            check_acceptable(edited or item, item, answer)
        key = derived_id("review", item.id, item.revision, person, decision, question, answer, reason)
        review = Review(key, item.id, item.revision, person, decision, reason)
        done = reviews.decide(self._db, review, edited)
        if edited is not None and not done.is_repeat and isinstance(done.subject, Item):
            self._look_again(done.subject)
        return self._records([done.subject]) if isinstance(done.subject, Item) else []

    def _decide_variant(
        self, id_: str, decision: Decision, person: str, question: str | None, answer: str | None, reason: str
    ) -> dict[str, Any]:
        """A variant's words are not edited: a rewrite is a variant of its own."""
        found = variants.many(self._db, [id_])
        if not found:
            raise BenchError(f"No item or variant {id_} in this workspace: `cli.py items` lists the items.")
        if question is not None or answer is not None:
            raise BenchError(f"{id_} is a variant: it is accepted or discarded as it is, without --question or --answer.")
        key = derived_id("review", id_, found[0].revision, person, decision, reason)
        done = reviews.decide(self._db, Review(key, id_, found[0].revision, person, decision, reason))
        if not isinstance(done.subject, Variant):
            raise BenchError(f"{id_} is not a variant any more: list the items again.")
        return variant_record(done.subject)

    def _edited(self, item: Item, question: str | None, answer: str | None) -> Item | None:
        """The item with its new words; None when nothing changes. The first answer is the one that is edited."""
        for name, text in (("--question", question), ("--answer", answer)):
            if text is not None and not text.strip():
                raise BenchError(f"{name} is empty: give words, or leave it out.")
        question = item.question if question is None else question.strip()
        answers = item.answers if answer is None else (answer.strip(), *item.answers[1:])
        if (question, answers) == (item.question, item.answers):
            return None
        labels = {key: value for key, value in item.labels.items() if key != "frame" or answer is None}
        changed = replace(item, question=question, answers=answers, labels=labels)
        return replace(changed, overlap=overlap_of(changed, self._cutter([item])))

    def _look_again(self, item: Item) -> None:
        """Run the gates that cost nothing on an edited item. Their verdicts are for people to read: the decision stands."""
        text = self._cutter([item])
        known = KnownItems(other for other in items.listed(self._db) if other.id != item.id and other.status != "refused")
        verdicts = run_gates(item, pick(tasks(), item.task, "task").gates, GateContext(text_of=text, known=known))
        self._db.write(lambda cursor: items.insert_verdicts(cursor, verdicts))

    def _records(self, found: list[Item]) -> list[dict[str, Any]]:
        text = self._cutter(found)
        return [item_record(item, text) for item in found]

    def _cutter(self, found: list[Item]) -> Any:
        wanted = dict.fromkeys(span.document for item in found for span in item.evidence)
        texts: Mapping[str, Document] = {d.id: d for d in documents.many(self._db, wanted)}

        def cut(span: Span) -> str:
            if span.document not in texts:
                raise BenchError(f"No document {span.document} in this workspace, and an item's evidence stands in it.")
            return texts[span.document].text[span.start : span.end]

        return cut


def check_acceptable(item: Item, before: Item, answer: str | None) -> None:
    """Raises BenchError for an item that no release should hold: nothing asked, nothing answered, a frame left unfilled."""
    if not item.question.strip() or not item.answers or not item.answers[0].strip():
        raise BenchError(f"{item.id} has no question or no answer: accept it with --question and --answer, or discard it.")
    if before.labels.get("frame") and answer is None:
        raise BenchError(f"{item.id} is a frame to fill: accept it with --answer in your own words, or discard it.")
