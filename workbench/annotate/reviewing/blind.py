"""Hide the drafted answer of some of the waiting items until the reviewer has written an answer of their own (blind reveal),
and the draft of others until the reviewer has decided on the item (no assistance). The hidden text stays on the server. An own
answer to a blind reveal cannot be changed later. The turns of conversations are never hidden: people see and decide on a
conversation as a whole."""

from collections.abc import Iterable
from dataclasses import replace

from core.as_json import Json
from core.errors import BenchError
from core.nouns import Item
from core.quality.conversations import TASK as CONVERSATION
from store.controls import control_items
from store.engine import settings
from store.engine.columns import current_time
from store.engine.database import Database
from store.items import items as stored_items
from store.queue import queue
from store.queue.assistance import ASSISTANCE, DRAFT, NONE, REVEAL, RULE, RULE_SETTING, AssistanceRule
from store.queue.queue import WAITING_STATUS
from store.reviews import opinions, own_answers, reviews, unsent_edits
from store.reviews.own_answers import EDIT_KIND, OwnAnswer
from store.reviews.unsent_edits import UnsentEdit
from workbench.annotate.desk import box
from workbench.annotate.desk.decisions import MAX_CHARACTERS, check_length
from workbench.annotate.desk.desk_data import DeskData, OwnWords, UnsentWords
from workbench.roles import explain_refusal, requires

WRITE_FIRST = "Write your own answer first: the draft's is shown after that."
WITHOUT_DRAFT = "This item is answered without its draft: write your own answer and mark the evidence for it."


class Blind:
    """Methods that hide drafted answers, and that store the answers that reviewers write before they see them."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def rule(self) -> AssistanceRule:
        """Return the shares of items whose drafted answers are hidden."""
        rule = settings.get(self._db, RULE_SETTING, {})
        return AssistanceRule(float(rule.get("share", 0.0)), int(rule.get("seed", 0)), float(rule.get("alone", 0.0)))

    @property
    def is_on(self) -> bool:
        """Return whether the answer of any item is hidden."""
        rule = self.rule()
        return rule.share > 0 or rule.alone > 0

    @requires("set the rules of the work", lambda arguments: f"a blind share of {arguments['share']}")
    def set_rule(self, share: float, seed: int, by: str, alone: float | None = None) -> None:
        """Hide the drafted answers of the share `share` of the items until reviewers have written their own answers, and those
        of the share `alone` until reviewers have decided (None = as before). Raises BenchError if a share is not from 0 to 1,
        if both together are more than 1, or if no name is given."""
        if not by.strip():
            raise BenchError("Changing the share of hidden answers is recorded with your name: give your name first.")
        alone = self.rule().alone if alone is None else alone
        for one in (share, alone):
            if not 0 <= one <= 1:
                raise BenchError(f"The share of hidden answers must be from 0 to 100 per cent, not {one:.0%}.")
        if share + alone > 1 + 1e-9:  # 0.7 + 0.3 may be rounded up
            raise BenchError(
                f"{share:.0%} of the items with a blind reveal and {alone:.0%} without a draft are more than all items: lower "
                "one of the two shares."
            )
        settings.put(self._db, RULE_SETTING, {"share": share, "seed": seed, "alone": alone, "by": by, "at": current_time()})

    def describe_assistance(self, item: Item, person: str, is_hidden: bool) -> dict[str, Json]:
        """Return what a review of the item stores about the assistance that this person has, as part of its details; {} if no
        rule is on, if the item is a turn of a conversation, or if it does not wait for a decision. `is_hidden`: whether the
        answer is hidden from the person."""
        if item.status != WAITING_STATUS or item.task == CONVERSATION or not self.is_on:
            return {}
        rule = self.rule()
        shown = REVEAL if own_answers.get(self._db, person, item.id) else DRAFT
        return {ASSISTANCE: rule.draw(item.id) if is_hidden else shown, RULE: rule.record()}

    def is_hidden(self, item: Item, person: str) -> bool:
        """Return whether the item's answer is still hidden from this person.

        An answer is hidden if the item belongs to the selected share and waits for opinions, and if this person has not yet
        answered the question, typed something for the item or decided on it."""
        return bool(self.find_hidden_items([item], person))

    def find_hidden_items(self, items: Iterable[Item], person: str) -> set[str]:
        """Return the ids of those items for which `is_hidden` is true; the number of queries does not depend on the number of
        items."""
        return self.find_hidden((item.id for item in items if item.status == "drafted"), person)

    def find_hidden(self, drafts: Iterable[str], person: str) -> set[str]:
        """Return the ids of those drafts whose answers are still hidden from this person."""
        rule = self.rule()
        drawn = [item for item in drafts if self._is_drawn(rule, item)] if self.is_on else []
        if drawn:
            disputed = opinions.find_disputed(self._db, drawn)  # they need no further answers
            disputed |= stored_items.find_of_task(self._db, drawn, CONVERSATION)
            drawn = [item for item in drawn if item not in disputed]
        if not person.strip() or not drawn:
            return set(drawn)
        seen = unsent_edits.find_edited(self._db, person, drawn)
        seen |= own_answers.find_answered(self._db, person, drawn)
        seen |= {review.item for review in reviews.load_reviews(self._db, drawn) if review.person == person}
        return set(drawn) - seen

    def is_alone(self, item: str) -> bool:
        """Return whether people decide on this item without ever seeing its draft."""
        rule = self.rule()
        if rule.alone <= 0 or rule.draw(item) != NONE or control_items.is_control_item(self._db, item):
            return False
        return not stored_items.find_of_task(self._db, [item], CONVERSATION)

    def _is_drawn(self, rule: AssistanceRule, item: str) -> bool:
        """Return whether the item's answer is hidden at first. The draft of a control item is always shown in the end, because
        the reviewer is to find the error in it."""
        drawn = rule.draw(item)
        return drawn == REVEAL or (drawn == NONE and not control_items.is_control_item(self._db, item))

    @property
    def is_any_withheld(self) -> bool:
        """Return whether lists hide the answer of any item from the current user."""
        return self.is_on or bool(self._list_withheld_in_phases())

    def find_withheld_items(self, items: Iterable[Item], person: str) -> set[str]:
        """Return the ids of those items whose answers no list may show to `person`."""
        return self.find_withheld((item.id for item in items if item.status == WAITING_STATUS), person)

    def find_withheld(self, drafts: Iterable[str], person: str) -> set[str]:
        """Return the ids of those drafts whose answers no list may show to `person`. Hidden are the answers that are hidden at
        first and, unless the person may decide between people, the answers of web questions that wait for the review in two
        phases."""
        listed = list(drafts)
        return self._list_withheld_in_phases().intersection(listed) | self.find_hidden(listed, person)

    def _list_withheld_in_phases(self) -> set[str]:
        return set(queue.list_waiting_in_phases(self._db)) if explain_refusal(self._db, "decide between people") else set()

    def find_own_answer(self, item: str, person: str) -> OwnWords | None:
        """Return the answer that this person wrote before seeing the drafted answer, or None if there is none."""
        own = own_answers.get(self._db, person, item) if person.strip() else None
        return OwnWords(own.text, own.at) if own else None

    def cover(self, data: DeskData, item: Item, person: str) -> DeskData:
        """Remove the drafted answer, and everything that would reveal it, from the data for the review page."""
        typed = unsent_edits.get(self._db, person, item.id, EDIT_KIND) if person.strip() else None
        unsent = UnsentWords.from_edits(typed)
        is_alone = self.is_alone(item.id)
        evidence = unsent.evidence if unsent and is_alone else ()
        return replace(
            data,
            blind=not is_alone,
            alone=is_alone,
            item=replace(data.item, answers=(), evidence=(), labels={}, is_frame=False, taxonomy=()),
            machine=replace(data.machine, answers=(), evidence=()),
            verdicts=(),
            rag=None,
            steps=(),
            claims=(),
            scratch=unsent and replace(unsent, question=item.question, evidence=evidence),
            label_questions=data.label_questions if is_alone else (),
            comments=replace(data.comments, thread=()),
        )

    def keep(self, item: Item, person: str, revision: int, text: str, seconds: float | None) -> str:
        """Store the person's own answer while the person types it; return the time of storing. Raises BenchError if no name is
        given."""
        return box.keep_edits(self._db, UnsentEdit(person, item.id, revision, item.question, text, (), seconds, on=EDIT_KIND))

    def answer(self, item: Item, person: str, text: str, seconds: float | None) -> OwnAnswer:
        """Store the answer that this person wrote before seeing the drafted answer. Raises BenchError if the answer is empty or
        too long, or if the person has no name."""
        if not person.strip():
            raise BenchError("An answer is stored under your name: give your name first.")
        if not text.strip():
            raise BenchError("There is no answer yet: write one, or discard the item.")
        check_length("answer", text, MAX_CHARACTERS["answer"])
        return own_answers.put(self._db, OwnAnswer(person, item.id, item.revision, text.strip(), seconds, current_time()))
