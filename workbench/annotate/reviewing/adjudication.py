"""Adjudication: what people disagree on is decided by somebody else, who sees the opinions without the names, as A, B, C.
Nobody decides between opinions of which one is their own, unless a lead lets people, which is on record."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.errors import BenchError
from core.ids import derived_id
from core.label_questions import LABEL_ANSWERS, read_label_answers
from core.nouns import Item, Review, Span
from store.engine import settings
from store.engine.columns import current_time
from store.engine.database import Database
from store.items import items
from store.queue import leases, queue
from store.queue.kind import ANY_KIND, ItemKind
from store.reviews import opinions, reviews, undo, unsent_edits
from store.reviews.opinions import DisputedCount, Opinion
from store.reviews.unsent_edits import WHY_KIND, UnsentEdit
from workbench.annotate.desk import box
from workbench.annotate.desk.claims import places
from workbench.annotate.desk.history import is_decided
from workbench.annotate.desk.opinions import words_of
from workbench.annotate.desk.pressing import LONGEST, DecisionRequest, DecisionResult
from workbench.annotate.queue.holds import as_record
from workbench.annotate.reviewing.reviews import ReviewStage
from workbench.roles import requires

SETTING = "adjudicate_own"
AT_ONCE = 24
"""Items that one search finds; others may be quicker on the first ones."""
LETTERS = "ABCDEFGHI"
FAST = 5.0
"""Seconds of a decision that was made faster than most can read."""


class Switch(NamedTuple):
    """Whether people may decide between opinions of which one is theirs."""

    is_on: bool
    by: str
    """Who switched it last; "" = nobody ever did."""
    at: str
    """UTC, ISO format."""


class AdjudicationStage:
    """Verbs on what is disputed."""

    def __init__(self, database: Database, stage: ReviewStage, clock: Callable[[], str] = current_time) -> None:
        self._db, self._reviews, self._clock = database, stage, clock

    @requires("decide between people")
    def find_next(self, person: str, after: str | None = None, kind: ItemKind = ANY_KIND) -> str | None:
        """The item of the kind that this person decides between opinions on next, and theirs from now on: without `after` what
        they held last, else the first that nobody holds; with it the next one behind that item, which is let go. None when
        nothing (else) is free. Nobody in particular only looks."""
        at = self._clock()
        found = opinions.list_disputed(self._db, person, AT_ONCE, after, at=at, with_own=self.switch().is_on, kind=kind)[1]
        if not person.strip():
            return next(iter(found), None)
        if after is None:
            mine = [one.item for one in leases.list_held(self._db, at=at) if one.person == person]
            found.sort(key=lambda item: item not in mine)
        taken = next((one for one in found if self.hold(one, person) is None), None)
        if taken is not None and after is not None:
            self._reviews.holds.release(person, person, after)
        return taken

    @requires("decide between people", "item")
    def hold(self, item: str, person: str) -> dict[str, str] | None:
        """Take the item to decide between its opinions, or renew one's own hold. Who else holds it; None when nobody."""
        holds = self._reviews.holds
        if not person.strip():
            return holds.other(item, person)
        other = leases.hold(self._db, item, person, at=self._clock(), minutes=holds.minutes, between=True)
        return as_record(other)

    @requires("decide between people")
    def waiting(self, person: str, kind: ItemKind = ANY_KIND) -> DisputedCount:
        """How much of the kind there is to decide between for this person."""
        return opinions.count_disputed(self._db, person, self._clock(), self.switch().is_on, kind)

    @requires("decide between people", "item")
    def desk(self, item: str, person: str) -> dict[str, Any]:
        """The desk's data with `opinions` beside: as long as it is disputed without a name, afterwards with them. Raises
        BenchError when there is no such item, when nobody's opinions on it differ, or when this person is kept from it."""
        data = self._reviews.desk(item, person)
        draft = items.get(self._db, item)
        decided = self._decided(draft)
        found = opinions.load_decided_opinions(self._db.rows, decided) if decided else self._between(draft, person)
        last = undo.load_last_decision(self._db, person) if person.strip() else None
        way_back = data["position"]["undo"]
        if last is None or last.role != "adjudicated" or way_back is None or way_back["item"] != last.item:
            data["position"] |= {"undo": None}
        data["opinions"] = {
            "is_open": decided is None,
            "seen": _print(found),
            "why": self._typed_why(person, item),
            "given": [_told(letter, one, decided is not None) for letter, one in zip(LETTERS, _shuffled(found), strict=False)],
        }
        return data

    @requires("decide between people", lambda given: given["press"].item)
    def settle(self, press: DecisionRequest, seen: str) -> DecisionResult:
        """Store a decision between the opinions that were on the screen (`seen`, as the desk's data tells it). Raises as
        ReviewStage.settle does, and BenchError when an opinion was changed meanwhile."""
        stored = reviews.get(self._db, press.key)
        if stored is not None:
            return self._reviews.settle(press)
        found = self._between(items.get(self._db, press.item), press.person)
        if _print(found) != seen:
            raise BenchError("An opinion was changed since you opened the item: load the page again; what you typed is kept.")
        return self._reviews.settle(replace(press, between=tuple(one.review.id for one in found)))

    def keep_why(self, person: str, item: str, revision: int, text: str, *, tab: str = "", since: str | None = None) -> str:
        """Keep what a person types on why; returns when it was kept. Raises as box.keep, and BenchError on a text too long."""
        if len(text) > LONGEST["comment"]:
            raise BenchError(f"At most {LONGEST['comment']:,} characters can be stored: shorten it.")
        return box.keep(self._db, UnsentEdit(person, item, revision, text, "", on=WHY_KIND, tab=tab), since)

    @requires("decide between people")
    def find_previous(self, person: str, item: str | None) -> str | None:
        """The item that this person decided between opinions on before that one; None when there is none."""
        return queue.find_previous_decision(self._db, person, item, "adjudicated")

    def switch(self) -> Switch:
        """Whether people may decide between opinions of which one is theirs."""
        made = settings.get(self._db, SETTING, [])
        return Switch(*made[-1]) if made else Switch(False, "", "")

    @requires("set the rules of the work", lambda given: "who decides between people", notes=["is_on"])
    def let_own(self, is_on: bool, by: str) -> None:
        """Let people decide between opinions of which one is theirs, or do not; each switch stays on record. Raises BenchError
        without a name."""
        if not by.strip():
            raise BenchError("Whoever switches this is on record: give your name first.")
        if is_on != self.switch().is_on:
            settings.put(self._db, SETTING, [*settings.get(self._db, SETTING, []), [is_on, by, self._clock()]])

    def _decided(self, item: Item) -> Review | None:
        """The decision between opinions that the item stands by; None when it waits for one."""
        made = [
            one
            for one in reviews.load_effective(self._db, [item.id])
            if one.role != "opinion" and one.revision == item.revision
        ]
        last = made[-1] if made and is_decided(item.status) else None
        if is_decided(item.status) and (last is None or last.role != "adjudicated"):
            raise BenchError(f"{item.id} is {item.status} by no decision between opinions: go on with the next.")
        return last

    def _between(self, item: Item, person: str) -> list[Opinion]:
        """The opinions to decide between. Raises BenchError when there are none, or one is this person's and may not be."""
        if item.status != "drafted" or opinions.count_missing(self._db, item.id):
            raise BenchError(f"{item.id} has no opinions to decide between: go on with the next.")
        found = opinions.load_opinions_on(self._db.rows, item.id)
        if not self.switch().is_on and any(one.review.person == person for one in found):
            raise BenchError("One of the opinions on this item is yours: somebody else decides between them.")
        return found

    def _typed_why(self, person: str, item: str) -> dict[str, Any] | None:
        found = unsent_edits.get(self._db, person, item, WHY_KIND) if person.strip() else None
        return None if found is None else {"question": found.question, "revision": found.revision, "saved_at": found.at}


def _shuffled(found: Sequence[Opinion]) -> list[Opinion]:
    """In an order that says nothing of who gave which or when, and is the same whenever the item is opened."""
    return sorted(found, key=lambda one: derived_id("opinions", one.review.item, one.review.person))


def _told(letter: str, one: Opinion, with_name: bool) -> dict[str, Any]:
    review = one.review
    return {
        "letter": letter,
        "decision": review.decision,
        "reason": review.reason,
        "comment": review.comment,
        "seconds": review.seconds,
        "is_fast": review.seconds is not None and review.seconds < FAST,
        **_words(one),
        LABEL_ANSWERS: read_label_answers(review.details),
        "person": review.person if with_name else None,
    }


def _words(one: Opinion) -> dict[str, Any]:
    """Its words as the desk takes them; of a discard those that were typed with it, if there are any."""
    words, typed = words_of(one), one.review.details.get("words")
    if not typed:
        return words
    spans = [Span(*place) for place in typed["evidence"]]
    answers = [typed["answer"], *words["answers"][1:]]
    return words | {"question": typed["question"], "answers": answers, "evidence": places(spans)}


def _print(found: Sequence[Opinion]) -> str:
    """Another one as soon as an opinion changes; it tells no name."""
    return derived_id("seen", *sorted(one.review.id for one in found))
