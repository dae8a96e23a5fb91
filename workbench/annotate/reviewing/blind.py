"""Hide the drafted answer of some of the waiting items until the reviewer has written an answer of their own. The hidden answer
stays on the server, and the reviewer cannot change their own answer later."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import blake2b

from core.errors import BenchError
from core.nouns import Item
from store.engine import settings
from store.engine.columns import current_time
from store.engine.database import Database
from store.queue import queue
from store.queue.queue import WAITING_STATUS
from store.reviews import opinions, own_answers, reviews, unsent_edits
from store.reviews.own_answers import EDIT_KIND, OwnAnswer
from store.reviews.unsent_edits import UnsentEdit
from workbench.annotate.desk import box
from workbench.annotate.desk.decisions import MAX_CHARACTERS, check_length
from workbench.annotate.desk.desk_data import DeskData, OwnWords, UnsentWords
from workbench.roles import explain_refusal, requires

SETTING = "blind_share"
WRITE_FIRST = "Write your own answer first: the draft's is shown after that."


@dataclass(frozen=True, slots=True)
class BlindRule:
    """The share of items whose answers are hidden at first, which a lead has set."""

    share: float
    """Share of the items whose answers are hidden at first, from 0 to 1."""
    seed: int = 0

    def includes(self, item: str) -> bool:
        """Return whether the item's answer is hidden at first; the same seed and share always select the same items."""
        drawn = int.from_bytes(blake2b(f"{self.seed}/{item}".encode(), digest_size=8).digest(), "big")
        return drawn < self.share * 2**64


class Blind:
    """Methods that hide drafted answers, and that store the answers that reviewers write before they see them."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def rule(self) -> BlindRule:
        """Return the share of items whose answers are hidden at first."""
        rule = settings.get(self._db, SETTING, {})
        return BlindRule(float(rule.get("share", 0.0)), int(rule.get("seed", 0)))

    @property
    def is_on(self) -> bool:
        """Return whether the answer of any item is hidden at first."""
        return self.rule().share > 0

    @requires("set the rules of the work", lambda arguments: f"a blind share of {arguments['share']}")
    def set_rule(self, share: float, seed: int, by: str) -> None:
        """Hide the drafted answers of this share of the items until reviewers have written their own answers. Raises BenchError
        if the share is not from 0 to 1, or if no name is given."""
        if not by.strip():
            raise BenchError("Changing the share of hidden answers is recorded with your name: give your name first.")
        if not 0 <= share <= 1:
            raise BenchError(f"The share of hidden answers must be from 0 to 100 per cent, not {share:.0%}.")
        settings.put(self._db, SETTING, {"share": share, "seed": seed, "by": by, "at": current_time()})

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
        drawn = [item for item in drafts if rule.includes(item)] if rule.share else []
        if drawn:
            disputed = opinions.find_disputed(self._db, drawn)  # they need no further answers
            drawn = [item for item in drawn if item not in disputed]
        if not person.strip() or not drawn:
            return set(drawn)
        seen = unsent_edits.find_edited(self._db, person, drawn)
        seen |= own_answers.find_answered(self._db, person, drawn)
        seen |= {review.item for review in reviews.load_reviews(self._db, drawn) if review.person == person}
        return set(drawn) - seen

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
        return replace(
            data,
            blind=True,
            item=replace(data.item, answers=(), evidence=(), labels={}, is_frame=False, taxonomy=()),
            machine=replace(data.machine, answers=(), evidence=()),
            verdicts=(),
            rag=None,
            steps=(),
            claims=(),
            scratch=unsent and replace(unsent, question=item.question, evidence=()),
            label_questions=(),
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
