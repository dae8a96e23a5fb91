"""Decide which items a person may open, and from whom an item's answer is still hidden."""

from core.errors import BenchError
from core.nouns import Item
from store.engine.database import Database
from store.reviews import control_answers, reviews, unsent_edits
from workbench.annotate.controls.control_desk import ControlDesk
from workbench.annotate.desk.history import is_decided
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.queue.holds import Holds
from workbench.annotate.reviewing.blind import WITHOUT_DRAFT, WRITE_FIRST, Blind
from workbench.roles import check_permission, explain_refusal


class ItemAccess:
    """Checks whether a person may open an item and see its answer."""

    def __init__(self, database: Database, reading: DocumentCache, controls: ControlDesk, holds: Holds, blind: Blind) -> None:
        self._db, self._reading, self._controls, self._holds, self._blind = database, reading, controls, holds, blind

    def check_open(
        self, item: str, person: str, permission: str = "open what is somebody else's", heeds_holds: bool = True
    ) -> None:
        """Raise NotAllowed if other people have reserved the item or decided on it, this person has done nothing on it, and
        this person lacks `permission`."""
        if explain_refusal(self._db, permission) is not None and self._is_only_of_others(item, person, heeds_holds):
            check_permission(self._db, permission, item)

    def may_open(self, item: str, person: str) -> bool:
        """Return whether `check_open` would let this person open the item; the log does not record a refusal."""
        return explain_refusal(self._db, "open what is somebody else's") is None or not self._is_only_of_others(
            item, person, True
        )

    def find_taker(self, item: str, person: str) -> str:
        """Return the name of another person who has reserved the item or made the last decision on it; "" if there is none."""
        if held := self._holds.find_other(item, person):
            return held.by
        try:
            is_open = not is_decided(self.load_subject(item, person).status)
        except BenchError:  # no item has this id
            return ""
        return "" if is_open else reviews.find_other_decider(self._db.rows, item, person)

    def check_shown(self, item: str, person: str) -> None:
        """Raise BenchError if the item's answer is still hidden from this person, who must first write an answer."""
        if self._blind.is_on and self.is_hidden(self.load_subject(item, person), person):
            raise BenchError(WITHOUT_DRAFT if self._blind.is_alone(item) else WRITE_FIRST)

    def is_alone(self, item: str, person: str) -> bool:
        """Return whether this person now answers the item without its draft."""
        return self._blind.is_alone(item) and self.is_hidden(self.load_subject(item, person), person)

    def is_hidden(self, subject: Item, person: str) -> bool:
        """Return whether the item's answer is hidden from this person; during qualification no answer is hidden."""
        return self._blind.is_hidden(subject, person) and not self.is_in_qualification(subject.id, person)

    def is_in_qualification(self, item: str, person: str) -> bool:
        """Return whether the item belongs to a qualification round of this person."""
        return control_answers.is_in_qualification(self._db, person, item)

    def load_subject(self, item: str, person: str) -> Item:
        """Load the item, or a control item in the form in which this person sees it. Raises BenchError if the item does not
        exist."""
        control = self._controls.find(item)
        return self._controls.load_state(control, person).item if control else self._reading.load_current(item)[0]

    def _is_only_of_others(self, item: str, person: str, heeds_holds: bool) -> bool:
        """Return whether other people have reserved the item or decided on it, and this person has done nothing on it."""
        is_held = heeds_holds and self._holds.find_other(item, person) is not None
        if not is_held and not is_decided(self.load_subject(item, person).status):
            return False
        if not person:
            return True
        has_decided = any(review.person == person for review in reviews.load_reviews(self._db, [item]))
        return not (
            has_decided or control_answers.load_answers(self._db, person, item) or unsent_edits.get(self._db, person, item)
        )
