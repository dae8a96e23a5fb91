"""Let a person decide between opinions on an item that differ (adjudication). The screen shows the opinions without names, as
A, B, C. Nobody may decide on an item after giving an opinion on it, unless a lead allows this; the lead's choice is
recorded."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.errors import BenchError
from core.ids import derived_id
from core.label_questions import read_label_answers
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
from workbench.annotate.desk.decisions import MAX_CHARACTERS, DecisionRequest, DecisionResult
from workbench.annotate.desk.desk_data import DeskData, Holder, OpinionSheet, OpinionWords, ShownOpinion, UnsentWords
from workbench.annotate.desk.history import is_decided
from workbench.annotate.reviewing.reviews import ReviewStage
from workbench.roles import requires

SETTING = "adjudicate_own"
MAX_SEARCHED_ITEMS = 24
"""Maximum number of disputed items that are searched for a free one, because the first items may be reserved for other
people."""
MAX_LISTED_ITEMS = 200
LETTERS = "ABCDEFGHI"
FAST_SECONDS = 5.0
"""A decision that takes less than this number of seconds was probably made without reading."""


@dataclass(frozen=True, slots=True)
class OwnOpinionRule:
    """Whether people may decide between opinions if one of them is their own, and who set this rule."""

    is_on: bool
    by: str
    """Name of the person who last changed the rule; "" if nobody has."""
    at: str
    """Time at which the rule was last changed, in UTC and ISO format."""


class AdjudicationStage:
    """Methods that find, show and decide disputed items (items on which people's opinions differ)."""

    def __init__(self, database: Database, stage: ReviewStage, clock: Callable[[], str] = current_time) -> None:
        self._db, self._reviews, self._clock = database, stage, clock

    @requires("decide between people")
    def find_next(self, person: str, after: str | None = None, kind: ItemKind = ANY_KIND) -> str | None:
        """Return the next disputed item that matches `kind`, and reserve it for this person; return None if no other item is
        free.

        If `after` is None, return the item that is already reserved for the person, or else the first free item. If `after` is
        given, end the reservation of that item and return the next item after it. If the person has no name, no item is
        reserved."""
        at = self._clock()
        with_own = self.rule().is_on
        _, ids = opinions.list_disputed(self._db, person, MAX_SEARCHED_ITEMS, after, at=at, with_own=with_own, kind=kind)
        if not person.strip():
            return next(iter(ids), None)
        if after is None:
            held = [lease.item for lease in leases.list_held(self._db, at=at) if lease.person == person]
            ids.sort(key=lambda item: item not in held)
        free = next((item for item in ids if self.hold(item, person) is None), None)
        if free is not None and after is not None:
            self._reviews.holds.release(person, person, after)
        return free

    @requires("decide between people", "item")
    def hold(self, item: str, person: str) -> Holder | None:
        """Reserve the disputed item for this person, or renew the reservation. If the item is reserved for another person,
        return that person; otherwise return None."""
        holds = self._reviews.holds
        if not person.strip():
            return holds.find_other(item, person)
        other = leases.hold(self._db, item, person, at=self._clock(), minutes=holds.minutes, between=True)
        return Holder.from_lease(other)

    @requires("decide between people")
    def count_disputed(self, person: str, kind: ItemKind = ANY_KIND) -> DisputedCount:
        """Count the disputed items that match `kind`: those that this person may decide now, and those that this person may not
        decide."""
        return opinions.count_disputed(self._db, person, self._clock(), self.rule().is_on, kind)

    @requires("decide between people")
    def list_disputed(self, person: str) -> list[Item]:
        """List at most MAX_LISTED_ITEMS disputed items that this person may decide, in the order of the queue."""
        at, with_own = self._clock(), self.rule().is_on
        _, ids = opinions.list_disputed(self._db, person, MAX_LISTED_ITEMS, at=at, with_own=with_own)
        return items.load_items(self._db, ids)

    @requires("decide between people", "item")
    def desk(self, item: str, person: str) -> DeskData:
        """Load the data that the review page shows for a disputed item, with the opinions on it. The names of the opinions'
        authors are hidden until the item is decided.

        Raises BenchError if the item does not exist, if the opinions on it do not differ, or if this person may not decide."""
        data = self._reviews.desk(item, person)
        draft = items.get(self._db, item)
        decision = self._find_decision(draft)
        every = opinions.load_decided_opinions(self._db.rows, decision) if decision else self._load_between(draft, person)
        last = undo.load_last_decision(self._db, person) if person.strip() else None
        target = data.position.undo
        if last is None or last.role != "adjudicated" or target is None or target.item != last.item:
            target = None
        why = unsent_edits.get(self._db, person, item, WHY_KIND) if person.strip() else None
        shown = [_show(letter, one, decision is not None) for letter, one in zip(LETTERS, _shuffle(every), strict=False)]
        sheet = OpinionSheet(decision is None, _identify(every), UnsentWords.from_edits(why), shown)
        return replace(data, position=replace(data.position, undo=target), opinions=sheet)

    @requires("decide between people", lambda arguments: arguments["request"].item)
    def settle(self, request: DecisionRequest, seen: str) -> DecisionResult:
        """Store a decision between the opinions on an item; `seen` is the hash of the opinions on the screen.

        Raises the same errors as ReviewStage.settle, and BenchError if an opinion was changed in the meantime."""
        if reviews.get(self._db, request.key) is not None:
            return self._reviews.settle(request)
        every = self._load_between(items.get(self._db, request.item), request.person)
        if _identify(every) != seen:
            raise BenchError("An opinion was changed since you opened the item: load the page again; what you typed is kept.")
        return self._reviews.settle(replace(request, between=tuple(one.review.id for one in every)))

    def keep_why(self, person: str, item: str, revision: int, text: str, *, tab: str = "", since: str | None = None) -> str:
        """Store the person's reason while the person types it; return the time of storing. Raises the same errors as
        box.keep_edits, and BenchError if the reason is too long."""
        if len(text) > MAX_CHARACTERS["comment"]:
            raise BenchError(f"The reason is too long: shorten it to at most {MAX_CHARACTERS['comment']:,} characters.")
        return box.keep_edits(self._db, UnsentEdit(person, item, revision, text, "", on=WHY_KIND, tab=tab), since)

    @requires("decide between people")
    def find_previous(self, person: str, item: str | None) -> str | None:
        """Return the disputed item that this person decided before `item`, or None if there is none."""
        return queue.find_previous_decision(self._db, person, item, "adjudicated")

    def rule(self) -> OwnOpinionRule:
        """Return the rule that says whether people may decide between opinions if one of them is their own."""
        changes = settings.get(self._db, SETTING, [])
        return OwnOpinionRule(*changes[-1]) if changes else OwnOpinionRule(False, "", "")

    @requires("set the rules of the work", lambda arguments: "who decides between people", notes=["is_on"])
    def set_rule(self, is_on: bool, by: str) -> None:
        """Set whether people may decide between opinions if one of them is their own. The log records each change.

        Raises BenchError if no name is given."""
        if not by.strip():
            raise BenchError("Changing who decides between opinions is recorded with your name: give your name first.")
        if is_on != self.rule().is_on:
            settings.put(self._db, SETTING, [*settings.get(self._db, SETTING, []), [is_on, by, self._clock()]])

    def _find_decision(self, item: Item) -> Review | None:
        """Return the decision between the item's opinions that is in effect, or None if there is none yet."""
        if not is_decided(item.status):
            return None
        every = reviews.load_effective(self._db, [item.id])
        own = [review for review in every if review.role != "opinion" and review.revision == item.revision]
        if not own or own[-1].role != "adjudicated":
            raise BenchError(f"{item.id} is {item.status}, but not by a decision between opinions: go on with the next item.")
        return own[-1]

    def _load_between(self, item: Item, person: str) -> list[Opinion]:
        """Load the opinions on the item between which a person must decide. Raises BenchError if opinions are missing, or if
        one is this person's own and the rule forbids that."""
        if item.status != "drafted" or opinions.count_missing(self._db, item.id):
            raise BenchError(f"{item.id} has no opinions to decide between: go on with the next item.")
        every = opinions.load_opinions_on(self._db.rows, item.id)
        if not self.rule().is_on and any(one.review.person == person for one in every):
            raise BenchError("One of the opinions on this item is yours: somebody else decides between them.")
        return every


def _shuffle(every: Sequence[Opinion]) -> list[Opinion]:
    """Return the opinions in an order that reveals neither authors nor times, and that is the same each time the item is
    opened."""
    return sorted(every, key=lambda one: derived_id("opinions", one.review.item, one.review.person))


def _show(letter: str, opinion: Opinion, with_name: bool) -> ShownOpinion:
    review, words = opinion.review, OpinionWords.from_item(opinion.item)
    if typed := review.details.get("words"):  # a discard stores the typed text in its details
        evidence = [Span(*place) for place in typed["evidence"]]
        words = replace(words, question=typed["question"], answers=[typed["answer"], *words.answers[1:]], evidence=evidence)
    return ShownOpinion(
        letter=letter,
        decision=review.decision,
        reason=review.reason,
        comment=review.comment,
        seconds=review.seconds,
        is_fast=review.seconds is not None and review.seconds < FAST_SECONDS,
        question=words.question,
        answers=words.answers,
        evidence=words.evidence,
        labels=words.labels,
        label_answers=read_label_answers(review.details),
        person=review.person if with_name else None,
    )


def _identify(every: Sequence[Opinion]) -> str:
    """Return a hash of the opinions. The hash changes with each opinion and reveals no name."""
    return derived_id("seen", *sorted(one.review.id for one in every))
