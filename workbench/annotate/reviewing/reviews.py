"""Reviews: items are listed, queued, shown and decided on by people."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal

from core.errors import BenchError
from core.ids import derived_id
from core.label_questions import LABEL_ANSWERS, LabelQuestion, check_answers, check_required, question_record, select_for_task
from core.nouns import Decision, Item, Review, Variant
from core.person_name import is_same_person
from core.records import variant_record
from store.engine.columns import current_time
from store.engine.database import Database
from store.items import frames, items
from store.queue import queue
from store.queue.kind import ANY_FLAG, NO_FLAG, ItemKind
from store.queue.queue import QueueProgress
from store.reviews import control_answers, label_questions, reviews, undo, unsent_edits
from store.reviews.comments import EDIT_KIND
from store.reviews.reviews import HeldByOther, ReviewConflict
from store.reviews.unsent_edits import EditedElsewhere, UnsentEdit
from store.variants import variants
from workbench import actor
from workbench.annotate.controls.control_desk import ControlDesk
from workbench.annotate.controls.control_sampling import ControlSampling, start_of_today
from workbench.annotate.controls.control_supply import ControlSupply
from workbench.annotate.controls.qualification import Qualification
from workbench.annotate.desk.claims import ClaimView
from workbench.annotate.desk.desk import desk, shown
from workbench.annotate.desk.guidelines import under
from workbench.annotate.desk.history import history
from workbench.annotate.desk.opinions import taken, told
from workbench.annotate.desk.pressing import (
    DecisionRequest,
    DecisionResult,
    check,
    check_acceptable,
    edited,
    first_answer,
    frame_words,
    reworded,
    typed,
    with_overlap,
)
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.desk.second_look import SecondLook
from workbench.annotate.queue.holds import Holds
from workbench.annotate.queue.skips import Skips
from workbench.annotate.reviewing.blind import FIRST, Blind
from workbench.annotate.reviewing.comments import CommentStage
from workbench.annotate.reviewing.item_list import ItemList, item_records
from workbench.roles import check_permission, explain_refusal, requires

__all__ = [
    "ANY_FLAG",
    "NO_FLAG",
    "DecisionRequest",
    "DecisionResult",
    "EditedElsewhere",
    "HeldByOther",
    "ItemKind",
    "QueueProgress",
    "ReviewConflict",
    "ReviewStage",
    "UnsentEdit",
    "shown",
]


class ReviewStage:
    """Verbs on reviews."""

    def __init__(self, database: Database, clock: Callable[[], str] = current_time) -> None:
        self._db = database
        self._clock = clock
        self.holds = Holds(database, clock)
        """Who holds which item: the desk's leases."""
        self.skips = Skips(database, clock)
        """What people passed over, and why."""
        self.items = ItemList(database).items
        """Items as JSON records."""
        self._reading = DocumentCache(database)
        self._comments = CommentStage(database, self.check_open)
        self._claims = ClaimView(self._reading)
        self._look = SecondLook(database, self._reading)
        self._supply = ControlSupply(database, self._reading)
        self.qualification = Qualification(database, self._supply)
        """What a person does before the first real item."""
        self.control_sampling = ControlSampling(database, self._reading, self._supply, self.holds, clock)
        """Control items among the items of the queue."""
        self.blind = Blind(database)
        """Items whose answer is hidden until a person has written one."""
        self._controls = ControlDesk(database, self._reading, self._claims, clock)

    def desk(self, item: str, person: str) -> dict[str, Any]:
        """What the desk shows of the item; `held` is who else holds it, `keeps_from_taking` why this person may not take it
        over. Raises BenchError when there is no such item, Refused when it is not this person's to open."""
        self.check_open(item, person)
        control = self._controls.find(item)
        left = unsent_edits.load_kinds(self._db, person, item, ("", EDIT_KIND)) if person else {}
        data = self._controls.desk(control, person, left) if control else desk(self._db, self._reading, item, person, left)
        data["position"]["undo"] = (self._controls.undoable(person) if person else None) or data["position"]["undo"]
        data |= {
            "held": self.holds.other(item, person),
            "keeps_from_taking": explain_refusal(self._db, "end what others hold"),
            "comments": self._comments.beside(item, person, left.get(EDIT_KIND)),
            "own_answer": self.blind.own(item, person),
            "skip_reasons": [] if self.is_in_qualification(item, person) else self.skips.reasons(),
            "label_questions": [question_record(one) for one in self._asked(data["item"]["task"])],
        }
        if self.blind.is_on and self._hides(subject := self._subject(item, person), person):
            return self.blind.covered(data, subject, person)
        return data

    def claims(self, item: str, revision: int, person: str | None = None) -> list[dict[str, Any]]:
        """The claims of that revision's answer, with candidates and figures. Raises BenchError when there is none, and while
        the answer is hidden from whoever asks, Refused when the item is not open to them."""
        asks = actor.get_name() or "" if person is None else person
        self.check_open(item, asks)
        self._refuse_hidden(item, asks)
        control = self._controls.find(item)
        return self._controls.claims(control, asks) if control else self._claims.rows(self._reading.words(item, revision).item)

    def history(self, item: str, person: str) -> dict[str, Any]:
        """What became of the item so far, as far as this person may know. Raises BenchError when there is no such item, and
        while its answer is hidden from this person, Refused when it is not this person's to open."""
        self.check_open(item, person)
        self._refuse_hidden(item, person)
        control = self._controls.find(item)
        return self._controls.history(control, person) if control else history(self._db, self._reading, item, person)

    def is_in_qualification(self, item: str, person: str) -> bool:
        """Whether the item belongs to a qualification round of this person."""
        return control_answers.is_in_qualification(self._db, person, item)

    def keep_own(self, item: str, person: str, revision: int, text: str, seconds: float | None) -> str:
        """Keep what a person types before the draft's answer is shown; returns when it was kept."""
        kept = self.blind.keep(self._subject(item, person), person, revision, text, seconds)
        self.holds.hold(item, person)
        return kept

    @requires("decide on items", "item")
    def reveal(self, item: str, person: str, text: str, seconds: float | None) -> dict[str, Any]:
        """Store the person's own answer, the first alone, and show the desk as it is from then on."""
        self.check_open(item, person)
        subject = self._subject(item, person)
        if self._hides(subject, person):
            self.blind.answer(subject, person, text, seconds)
        return self.desk(item, person)

    def document(self, document: str) -> dict[str, Any]:
        """A document with its text. Raises BenchError when there is none."""
        found = self._reading.document(document)
        return {"id": found.id, "title": found.title, "language": found.language, "domain": found.domain, "text": found.text}

    def sentences(self, document: str) -> dict[str, Any]:
        """{"sentences": [start, end] of each, as code points}. Raises BenchError when there is no such document."""
        return {"sentences": self._reading.sentences(document)}

    def choices(self) -> Mapping[str, list[Any]]:
        """The tasks, levels, domains, languages, agents and flags that there are items of."""
        found = queue.list_choices(self._db)
        return {**found, "flag": [NO_FLAG, ANY_FLAG, *found["flag"]] if found["flag"] else []}

    @requires("decide on items")
    def find_next(self, kind: ItemKind, person: str, after: str | None = None) -> str | None:
        """The item of the kind that is this person's next, and theirs from now on: without `after` what they held last, else
        the first that nobody else holds; with it the next one behind that item, which is let go, round again at the end. None
        when nothing (else) is free. Nobody in particular only looks. Qualification comes first, control items come between."""
        control = self.qualification.find_next(person, after) or self.control_sampling.find_next(kind, person, after)
        if control is not None:
            return control
        found = self.holds.find_next(kind, person, self.control_sampling.find_anchor(person, after))
        if found is not None and after is not None and self._controls.find(after):
            self.holds.leave(after, person)
        return found

    def find_previous(self, person: str, item: str | None) -> str | None:
        """The item that this person decided on before that one; None when there is none."""
        return self.control_sampling.find_previous(person, item) if person.strip() else None

    def progress(self, kind: ItemKind, person: str) -> QueueProgress:
        """How much of the kind is free for this person, and how many items they have decided on today."""
        since = start_of_today()
        return self.control_sampling.add_to_progress(
            queue.load_progress(self._db, kind, person, since, self.holds.taken(person)), kind, person, since
        )

    def of_document(self, item: str, person: str) -> int:
        """How many more items of its document are free for this person; 0 when there is no such item."""
        try:
            document = items.find_first_document(self._subject(item, person))
        except BenchError:
            return 0
        return queue.count_free_in_document(self._db, document, person, item, self.holds.taken(person)) if document else 0

    def keep(self, words: UnsentEdit, *, since: str | None = None, key: str = "") -> UnsentEdit:
        """Keep what a person has typed and not submitted; their lease is renewed, unless somebody else holds the item. `since`
        and `key` as in store/reviews/unsent_edits.py. Raises EditedElsewhere when the person typed other words in another tab,
        BenchError when there is no such item, or no name."""
        if not words.person.strip():
            raise BenchError("What you type is kept under your name: give it first.")
        is_held = self.holds.is_fresh(words.item, words.person)
        if not is_held:  # before the words: whoever is told that a write failed has nothing stored
            self.holds.hold(words.item, words.person)
        kept = unsent_edits.put(self._db, words, since=since, key=key, is_there=is_held)
        if kept is None:
            raise BenchError(f"No item {words.item} in this workspace: what you typed stays on the screen alone.")
        return kept

    @requires("decide on items", lambda given: given["press"].item)
    def settle(self, press: DecisionRequest) -> DecisionResult:
        """Store a decision from the screen; the same press again is the same decision. Gates look at an edit afterwards. Raises
        ReviewConflict when the item is not any more what was on the screen, Held when somebody else holds it, BenchError on
        what cannot be stored."""
        check(press)
        is_hidden = False
        if self.blind.is_on and not press.between:
            subject = self._subject(press.item, press.person)
            is_hidden = self._hides(subject, press.person)
        if is_hidden:
            if press.decision == "accept":
                raise BenchError(FIRST)
            press = replace(
                press, question=subject.question, answer=first_answer(subject), evidence=subject.evidence, label_answers=None
            )
        press = self._with_label_answers(press)
        control = self._controls.find(press.item)
        try:
            settled = self._controls.settle(control, press) if control else self._settle(press)
        except ReviewConflict as conflict:
            if not is_hidden:
                raise
            raise BenchError("Somebody changed this item since you opened it: load the page again.") from conflict
        return settled._replace(item=replace(settled.item, answers=(), evidence=())) if is_hidden else settled

    def _settle(self, press: DecisionRequest) -> DecisionResult:
        """On an item."""
        item = self._on_screen(press)
        new = edited(item, press, self._reading) if press.decision == "accept" else None
        words = typed(item, press) if press.decision == "discard" else None
        if press.decision == "accept":
            check_acceptable(new or item, self._frame(item))
        guideline = under(self._db, item.task, press.guideline)
        came_to = taken(self._db, press, new or item) if press.between else None
        details = {
            "claims": [dict(claim) for claim in press.claims],
            "words": words,
            "guideline": guideline,
            LABEL_ANSWERS: press.label_answers,
            "of": list(press.between),
            "taken": came_to,
            "blind": self.blind.own(item.id, press.person) is not None,
        }
        review = Review(
            press.key,
            item.id,
            press.revision,
            press.person,
            press.decision,
            press.reason.strip(),
            press.comment.strip(),
            press.seconds,
            self._clock(),
            {k: v for k, v in details.items() if v},
            "adjudicated" if press.between else "",
        )
        on_screen = UnsentEdit(
            press.person,
            item.id,
            press.revision,
            press.question,
            press.answer,
            press.evidence,
            tab=press.tab,
            label_answers=press.label_answers or {},
        )
        done = reviews.decide(self._db, review, new, press.seen, heeds_leases=True, pressed=on_screen, read=item)
        if not isinstance(done.subject, Item):
            raise BenchError(f"{item.id} is not an item any more: load the page again.")
        if done.subject.revision != item.revision and not done.is_repeat:
            self._look.soon(done.subject)
        return DecisionResult(done.subject, done.is_repeat, told(self._db, done.review, done.subject))

    def _with_label_answers(self, press: DecisionRequest) -> DecisionRequest:
        """The press with its answers to label questions as they are stored. Raises BenchError on what is no answer, and on an
        accept that lacks a required one."""
        if not press.label_answers and not self._db.has_any("label_question"):
            return press
        questions = self._asked(self._subject(press.item, press.person).task)
        answers = check_answers(questions, press.label_answers)
        if press.decision == "accept":
            check_required(questions, answers)
        return replace(press, label_answers=answers)

    def _asked(self, task: str) -> list[LabelQuestion]:
        """The label questions that reviewers of its items answer."""
        return select_for_task(label_questions.list_questions(self._db), task)

    def _on_screen(self, press: DecisionRequest) -> Item:
        """The item as it was on the screen; the store tells whether it still is, and whether the press came before. Raises
        Refused when others decided on it and this person may not decide again."""
        item = self._reading.words(press.item, press.revision).item
        if press.seen == "drafted":
            return replace(item, status="drafted")
        now, _ = self._reading.load_current(press.item)
        if press.seen == now.status:
            self.check_open(item.id, press.person, "decide again on what others decided", heeds_holds=False)
        return replace(item, status=now.status)

    @requires("decide on items", "item")
    def undo(self, person: str, key: str, item: str | None = None) -> str:
        """Take back a person's last decision; returns its item. The same key again is the same undo. Raises BenchError when
        there is none, or others built on it since."""
        if not person.strip() or not key.strip():
            raise BenchError("An undo needs a name and a key of its own: give your name first.")
        control = self._controls.find(item) if item else None
        return self._controls.undo(control, person, key) if control else undo.undo(self._db, person, key, item)

    @requires("decide on items", "id_")
    def decide(
        self,
        id_: str,
        decision: Literal["accept", "discard"],
        *,
        person: str,
        question: str | None = None,
        answer: str | None = None,
        reason: str = "",
        seconds: float | None = None,
        label_answers: Mapping[str, Any] | None = None,
    ) -> list[dict[str, Any]]:
        """Accept, with or without an edit, or discard; `seconds` of active time, None = not measured; `label_answers` to label
        questions, by name. The same decision by the same person under the same guideline twice is one."""
        if not person.strip():
            raise BenchError("A decision needs a name: give it with --as NAME.")
        found = items.load_items(self._db, [id_])
        if not found:
            if label_answers:
                raise BenchError(f"{id_} is no item, and label questions are asked of items alone: leave --label out.")
            return [self._decide_variant(id_, decision, person, question, answer, reason)]
        item = found[0]
        new = reworded(item, question, answer)
        new = new and with_overlap(new, self._reading)
        if decision == "discard" and new is not None:
            raise BenchError("A discard keeps the words as they are: leave --question and --answer out.")
        if decision == "accept":
            check_acceptable(new or item, self._frame(item))
        guideline = under(self._db, item.task, None)
        questions = self._asked(item.task)
        answers = check_answers(questions, label_answers)
        if decision == "accept":
            check_required(questions, answers)
        details: dict[str, Any] = {"guideline": guideline} if guideline else {}
        details |= {LABEL_ANSWERS: answers} if answers else {}
        said = ("review", item.id, item.revision, person, decision, question, answer, reason, *details.values())
        before = [r.id for r in reviews.load_reviews(self._db, [id_]) if r.person == person or r.role in ("", "adjudicated")]
        is_said_again = before and before[-1] == derived_id(*said, *before[-2:-1])
        key = before[-1] if is_said_again else derived_id(*said, *before[-1:])
        done = reviews.decide(
            self._db, Review(key, item.id, item.revision, person, decision, reason, "", seconds, details=details), new
        )
        if isinstance(done.subject, Item) and done.subject.revision != item.revision and not done.is_repeat:
            self._look.now(done.subject)
        return item_records(self._db, [done.subject]) if isinstance(done.subject, Item) else []

    def check_open(self, item: str, person: str, what: str = "open what is somebody else's", heeds_holds: bool = True) -> None:
        """Raises Refused when others hold the item or decided on it, this person left no word there, and may not do that."""
        if explain_refusal(self._db, what) is not None and self._is_only_of_others(item, person, heeds_holds):
            check_permission(self._db, what, item)

    def may_open(self, item: str, person: str) -> bool:
        """Whether `check_open` would let this person open it; a refusal is not put on record."""
        return explain_refusal(self._db, "open what is somebody else's") is None or not self._is_only_of_others(
            item, person, True
        )

    def close(self) -> None:
        """Finish the looks that wait."""
        self._look.close()
        self._supply.close()

    def _is_only_of_others(self, item: str, person: str, heeds_holds: bool) -> bool:
        """Whether others hold the item or decided on it, and this person left no word there."""
        is_held = heeds_holds and self.holds.other(item, person) is not None
        if not is_held and self._subject(item, person).status not in ("accepted", "discarded"):
            return False
        if not person:
            return True
        has_said = any(review.person == person for review in reviews.load_reviews(self._db, [item]))
        return not (
            has_said or control_answers.load_answers(self._db, person, item) or unsent_edits.get(self._db, person, item)
        )

    def _subject(self, item: str, person: str) -> Item:
        control = self._controls.find(item)
        return self._controls.now(control, person).item if control else self._reading.load_current(item)[0]

    def _frame(self, item: Item) -> str:
        """The words of the frame that the item began as, also where somebody filled it since; "" when it began as none."""
        if frame_words(item) or item.revision == 1:
            return frame_words(item)
        found = frames.fetch_frames(self._db.rows, [item.id])
        return found[item.id].answer if found else ""

    def _hides(self, subject: Item, person: str) -> bool:
        """Whether its answer is hidden from this person; never in practice."""
        return self.blind.hides(subject, person) and not control_answers.is_in_qualification(self._db, person, subject.id)

    def _refuse_hidden(self, item: str, person: str) -> None:
        if self.blind.is_on and self._hides(self._subject(item, person), person):
            raise BenchError(FIRST)

    def _decide_variant(
        self, id_: str, decision: Decision, person: str, question: str | None, answer: str | None, reason: str
    ) -> dict[str, Any]:
        """A variant's words are not edited: a rewrite is a variant of its own."""
        found = variants.load_variants(self._db, [id_])
        if not found:
            raise BenchError(f"No item or variant {id_} in this workspace: `cli.py items` lists the items.")
        if question is not None or answer is not None:
            raise BenchError(f"{id_} is a variant: it is accepted or discarded as it is, without --question or --answer.")
        is_own = found[0].kind == "human" and is_same_person(found[0].generator, person)
        if is_own and decision == "accept" and (found[0].status == "drafted" or "near" in found[0].checks):
            raise BenchError(f"{id_} is {person}'s own rewrite: somebody else decides whether it is accepted.")
        before = [review.id for review in reviews.load_reviews(self._db, [id_])]
        said = ("review", id_, found[0].revision, person, decision, reason)
        is_said_again = before and before[-1] == derived_id(*said, *before[-2:-1])
        key = before[-1] if is_said_again else derived_id(*said, *before[-1:])
        done = reviews.decide(self._db, Review(key, id_, found[0].revision, person, decision, reason))
        if not isinstance(done.subject, Variant):
            raise BenchError(f"{id_} is not a variant any more: list the items again.")
        return variant_record(done.subject)
