"""Give people items to review, load the data that the review page (the desk) shows, and store people's decisions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from core.as_json import Json
from core.errors import BenchError
from core.installation import COMMAND
from core.label_questions import LABEL_ANSWERS, check_answers, check_required, question_record
from core.nouns import Document, Item, Review
from store.engine.columns import current_time
from store.engine.database import Cursor, Database
from store.items import items
from store.queue import queue
from store.queue.assistance import ASSISTANCE, NONE
from store.queue.kind import ANY_FLAG, NO_FLAG, ItemKind
from store.reviews import control_answers, own_answers, reviews, undo, unsent_edits
from store.reviews.comments import EDIT_KIND
from store.reviews.own_decisions import QueueProgress, load_progress
from store.reviews.reviews import HeldByOther, ReviewConflict
from store.reviews.unsent_edits import EditedElsewhere, UnsentEdit
from workbench import actor
from workbench.annotate.controls.control_desk import ControlDesk
from workbench.annotate.controls.control_sampling import ControlSampling, start_of_today
from workbench.annotate.controls.control_supply import ControlSupply
from workbench.annotate.controls.qualification import Qualification
from workbench.annotate.desk.background_gates import BackgroundGates
from workbench.annotate.desk.claims import ClaimChecker
from workbench.annotate.desk.decisions import (
    DecisionRequest,
    DecisionResult,
    apply_edit,
    check_acceptable,
    check_evidence,
    check_request,
    describe_outcome,
    find_taken_opinion,
    find_typed_words,
    first_answer,
    load_frame,
    unsent_of,
)
from workbench.annotate.desk.desk import load_desk
from workbench.annotate.desk.desk_data import DeskClaim, DeskData
from workbench.annotate.desk.guidelines import choose_version
from workbench.annotate.desk.history import ItemHistory, load_history
from workbench.annotate.desk.label_questions import list_task_questions
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.queue.holds import Holds
from workbench.annotate.queue.skips import Skips
from workbench.annotate.reviewing.blind import WITHOUT_DRAFT, WRITE_FIRST, Blind
from workbench.annotate.reviewing.comments import CommentStage
from workbench.annotate.reviewing.direct_decisions import DirectDecisions
from workbench.annotate.reviewing.item_access import ItemAccess
from workbench.annotate.reviewing.item_list import ItemList
from workbench.roles import explain_refusal, requires

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
]


class ReviewStage:
    """Methods that show items for review and store decisions on them."""

    def __init__(self, database: Database, clock: Callable[[], str] = current_time) -> None:
        self._db, self._clock = database, clock
        self.holds = Holds(database, clock)
        """Methods that reserve items for people who have them open on the review page."""
        self.skips = Skips(database, clock)
        """Methods that skip items, with a reason."""
        self._reading = DocumentCache(database)
        self._claims = ClaimChecker(self._reading)
        self._gates = BackgroundGates(database, self._reading)
        self._supply = ControlSupply(database, self._reading)
        self.qualification = Qualification(database, self._supply)
        """Methods for qualification, the test before a person's first real item."""
        self.control_sampling = ControlSampling(database, self._reading, self._supply, self.holds, clock)
        """Methods that insert control items into the queue."""
        self.blind = Blind(database)
        """Methods that hide answers until a person has written their own."""
        self.items = ItemList(database).items
        """Methods that list items by task, domain, status, text and other filters."""
        self._controls = ControlDesk(database, self._reading, self._claims, clock)
        self._access = ItemAccess(database, self._reading, self._controls, self.holds, self.blind)
        self.check_open, self.check_shown = self._access.check_open, self._access.check_shown
        self.may_open, self.find_taker = self._access.may_open, self._access.find_taker
        self.is_alone = self._access.is_alone
        self.is_in_qualification = self._access.is_in_qualification
        """Methods that check whether a person may open an item, and that find who else has it."""
        self._comments = CommentStage(database, self.check_open)
        self.decide = DirectDecisions(
            database, self._reading, self._controls, self._gates, self.settle, self._describe_assistance
        ).decide
        """Methods that decide on an item or variant by its id, without the review page."""

    def desk(self, item: str, person: str) -> DeskData:
        """Load the data that the desk (the review page) shows for the item. Raises BenchError if the item does not exist, and
        NotAllowed if the person may not open it."""
        self.check_open(item, person)
        control = self._controls.find(item)
        unsent = unsent_edits.load_kinds(self._db, person, item, ("", EDIT_KIND)) if person else {}
        if control:
            data = self._controls.load_desk(control, person, unsent)
        else:
            data = load_desk(self._db, self._reading, item, person, unsent)
        target = (self._controls.find_undo_target(person) if person else None) or data.position.undo
        data = replace(
            data,
            position=replace(data.position, undo=target),
            held=self.holds.find_other(item, person),
            keeps_from_taking=explain_refusal(self._db, "end what others hold"),
            comments=self._comments.load_beside(item, person, unsent.get(EDIT_KIND)),
            own_answer=self.blind.find_own_answer(item, person),
            skip_reasons=[] if self._access.is_in_qualification(item, person) else self.skips.reasons(),
            label_questions=[question_record(question) for question in list_task_questions(self._db, data.item.task)],
        )
        if self.blind.is_on and self._access.is_hidden(subject := self._access.load_subject(item, person), person):
            return self.blind.cover(data, subject, person)
        return data

    def claims(self, item: str, revision: int, person: str | None = None) -> list[DeskClaim]:
        """List the claims in the item's answer at `revision`, each with sentences that may support it, and with its numbers and
        dates that the evidence lacks.

        Raises BenchError if the revision does not exist or the item's answer is still hidden, and NotAllowed if the person
        (None = the current user) may not open the item."""
        reader = actor.get_name() or "" if person is None else person
        self.check_open(item, reader)
        self.check_shown(item, reader)
        control = self._controls.find(item)
        if control:
            return self._controls.check_claims(control, reader)
        return self._claims.check_claims(self._reading.words(item, revision).item)

    def history(self, item: str, person: str) -> ItemHistory:
        """Load the part of the item's history that this person is allowed to see. Raises the same errors as `claims`."""
        self.check_open(item, person)
        self.check_shown(item, person)
        control = self._controls.find(item)
        return self._controls.load_history(control, person) if control else load_history(self._db, self._reading, item, person)

    def keep_own(self, item: str, person: str, revision: int, text: str, seconds: float | None) -> str:
        """Store the answer that a person types before seeing the drafted answer; return the time of storing."""
        kept_at = self.blind.keep(self._access.load_subject(item, person), person, revision, text, seconds)
        self.holds.hold(item, person)
        return kept_at

    @requires("decide on items", "item")
    def reveal(self, item: str, person: str, text: str, seconds: float | None) -> DeskData:
        """Store the answer that the person wrote first; return the data of the review page, which now contain the drafted
        answer."""
        self.check_open(item, person)
        subject = self._access.load_subject(item, person)
        if self._access.is_hidden(subject, person):
            if self.blind.is_alone(item):
                raise BenchError(WITHOUT_DRAFT)
            self.blind.answer(subject, person, text, seconds)
        return self.desk(item, person)

    def load_item(self, item: str, person: str) -> Item:
        """Load the item, or a control item in the form in which this person sees it. Raises BenchError if the item does not
        exist or its answer is still hidden, and NotAllowed if the person may not open the item."""
        self.check_open(item, person)
        self.check_shown(item, person)
        return self._access.load_subject(item, person)

    def document(self, document: str) -> Document:
        """Return a document with its text. Raises BenchError if the document does not exist."""
        return self._reading.document(document)

    def sentences(self, document: str) -> Sequence[tuple[int, int]]:
        """Return (start, end) of each sentence of the document, in code points. Raises BenchError if the document does not
        exist."""
        return self._reading.sentences(document)

    def choices(self) -> Mapping[str, Sequence[int | str]]:
        """Return a dict from item field (task, level, domain, language, agent, flag) to the values that occur in items."""
        values = queue.list_choices(self._db)
        return {**values, "flag": [NO_FLAG, ANY_FLAG, *values["flag"]] if values["flag"] else []}

    @requires("decide on items")
    def find_next(self, kind: ItemKind, person: str, after: str | None = None) -> str | None:
        """Return the next item that matches `kind`, and reserve it for this person; return None if no other item is free.

        If `after` is None, return the item that was last reserved for the person, or else the first free item. If `after` is
        given, end the reservation of that item and return the next item after it; the search continues at the beginning when it
        reaches the end of the queue. Items of the person's qualification come first, and control items are inserted among the
        others. If the person has no name, no item is reserved."""
        control = self.qualification.find_next(person, after) or self.control_sampling.find_next(kind, person, after)
        if control is not None:
            return control
        item = self.holds.find_next(kind, person, self.control_sampling.find_anchor(person, after))
        if item is not None and after is not None and self._controls.find(after):
            self.holds.leave(after, person)
        return item

    def find_previous(self, person: str, item: str | None) -> str | None:
        """Return the item that this person decided on before `item`, or None if there is none."""
        return self.control_sampling.find_previous(person, item) if person.strip() else None

    def progress(self, kind: ItemKind, person: str, item: str | None = None) -> QueueProgress:
        """Count the free items that match `kind`, the items that the person decided on today, and the other free items on the
        document of `item`."""
        document = None if item is None else self._find_document(item, person)
        since = start_of_today()
        counted = load_progress(self._db, kind, person, at=self._clock(), since=since, document=document, item=item)
        return self.control_sampling.add_to_progress(counted, kind, person, since)

    def keep(self, edits: UnsentEdit, *, since: str | None = None, key: str = "") -> UnsentEdit:
        """Store unsent edits, and renew the person's reservation of the item unless another person has reserved it.

        `since` and `key` have the same meaning as in store/reviews/unsent_edits.py. Raises EditedElsewhere if another tab has
        stored a different text by this person in the meantime, and BenchError if the item does not exist or the person has no
        name."""
        if not edits.person.strip():
            raise BenchError("What you type is stored under your name: give your name first.")
        if self.blind.is_alone(edits.item) and self._access.is_alone(edits.item, edits.person):
            edits = replace(edits, on=own_answers.EDIT_KIND)  # text that was typed beside the draft is of another kind
        is_held = self.holds.is_fresh(edits.item, edits.person)
        if not is_held:  # reserve first, so that nothing is stored if this fails
            self.holds.hold(edits.item, edits.person)
        kept = unsent_edits.put(self._db, edits, since=since, key=key, is_there=is_held)
        if kept is None:
            raise BenchError(f"No item {edits.item} in this workspace: what you typed is only on the screen and is not stored.")
        return kept

    @requires("decide on items", lambda arguments: arguments["request"].item)
    def settle(self, request: DecisionRequest) -> DecisionResult:
        """Store a decision that the review page sent; if the request is repeated, store nothing. If the decision edits the
        item, gates (automatic checks) check the edit in the background.

        Raises ReviewConflict if the item has changed since the screen showed it, HeldByOther if another person has reserved it,
        and BenchError if the decision cannot be stored."""
        check_request(request)
        is_hidden, assistance = False, dict[str, Json]()
        if self.blind.is_on and not request.between:
            subject = self._access.load_subject(request.item, request.person)
            is_hidden = self._access.is_hidden(subject, request.person)
            assistance = self.blind.describe_assistance(subject, request.person, is_hidden)
        if is_hidden and assistance.get(ASSISTANCE) == NONE:
            request = _complete_own(request, subject)
        elif is_hidden:
            if request.decision == "accept":
                raise BenchError(WRITE_FIRST)
            answer, evidence = first_answer(subject), subject.evidence
            request = replace(request, question=subject.question, answer=answer, evidence=evidence, label_answers=None)
        request = self._with_label_answers(request)
        control = self._controls.find(request.item)
        try:
            result = self._controls.settle(control, request) if control else self._settle(request, assistance)
        except ReviewConflict as conflict:
            if not is_hidden:
                raise
            raise BenchError("Somebody changed this item since you opened it: load the page again.") from conflict
        return replace(result, item=replace(result.item, answers=(), evidence=())) if is_hidden else result

    def _settle(self, request: DecisionRequest, assistance: Mapping[str, Json]) -> DecisionResult:
        """Do the work of `settle` for an ordinary item, which is not a control item. `assistance` are the details of the review
        about what the person saw of the draft."""
        item = self._load_on_screen(request)
        is_accept, is_alone = request.decision == "accept", assistance.get(ASSISTANCE) == NONE
        if is_accept and is_alone and item.evidence:
            check_evidence(request.evidence, item, self._reading)
        # without a draft, nothing of the draft's answers and evidence stays, even where the person's are the same
        edit = (
            apply_edit(replace(item, answers=(), evidence=()) if is_alone else item, request, self._reading)
            if is_accept
            else None
        )
        if is_accept:
            check_acceptable(edit or item, load_frame(self._db, item))
        details = {
            "claims": [dict(claim) for claim in request.claims],
            "words": None if is_accept else find_typed_words(item, request),
            "guideline": choose_version(self._db, item.task, request.guideline),
            LABEL_ANSWERS: request.label_answers,
            "of": list(request.between),
            "taken": find_taken_opinion(self._db, request, edit or item) if request.between else None,
            "blind": self.blind.find_own_answer(item.id, request.person) is not None,
            **assistance,
        }
        review = Review(
            request.key,
            item.id,
            request.revision,
            request.person,
            request.decision,
            request.reason.strip(),
            request.comment.strip(),
            request.seconds,
            self._clock(),
            {name: value for name, value in details.items() if value},
            "adjudicated" if request.between else "",
        )
        claim, sent = self._plan_next(request), unsent_of(request)
        sent = replace(sent, on=own_answers.EDIT_KIND) if is_alone else sent
        stored = reviews.decide(self._db, review, edit, request.seen, heeds_leases=True, pressed=sent, read=item, claim=claim)
        subject = stored.subject
        if not isinstance(subject, Item):
            raise BenchError(f"{item.id} is not an item any more: load the page again.")
        if subject.revision != item.revision and not stored.is_repeat:
            self._gates.run_later(subject)
        told = describe_outcome(self._db, stored.review, subject)
        return DecisionResult(subject, stored.is_repeat, told, next_item=stored.next_item)

    def _describe_assistance(self, item: Item, person: str, decision: str) -> Mapping[str, Json]:
        """Return what a direct decision on the item stores about the assistance; {} for a discard of an item whose answer is
        still hidden. Raises BenchError if the decision accepts an answer that is hidden until the person has given an own
        one."""
        is_hidden = self.blind.is_on and self._access.is_hidden(item, person)
        told = self.blind.describe_assistance(item, person, is_hidden)
        if not is_hidden or told.get(ASSISTANCE) == NONE:
            return told
        if decision == "accept":
            raise BenchError(
                f"The drafted answer of {item.id} is hidden from {person} until they have given their own: give it with "
                f"`{COMMAND} desk reveal {item.id}`."
            )
        return {}

    def _plan_next(self, request: DecisionRequest) -> Callable[[Cursor], str | None] | None:
        """Return a function that reserves the person's next item within the transaction of the decision. Return None if the
        request wants no next item, or if the next item may be a control item."""
        is_mixed = self.qualification.rule().n or self.control_sampling.rule().every
        if request.onward is None or request.between or is_mixed:
            return None
        return self.holds.plan_next(request.onward, request.person, request.item)

    def _with_label_answers(self, request: DecisionRequest) -> DecisionRequest:
        """Return the request with its answers to label questions, checked and in the form in which they are stored.

        Raises BenchError if an answer is invalid, or if the item is accepted and a required answer is missing."""
        if not request.label_answers and not self._db.has_any("label_question"):
            return request
        questions = list_task_questions(self._db, self._access.load_subject(request.item, request.person).task)
        answers = check_answers(questions, request.label_answers)
        if request.decision == "accept":
            check_required(questions, answers)
        return replace(request, label_answers=answers)

    def _load_on_screen(self, request: DecisionRequest) -> Item:
        """Load the item at the revision that the screen shows. The store later checks whether that revision is the current one.

        Raises NotAllowed if other people decided on the item and this person may not decide again."""
        item = self._reading.words(request.item, request.revision).item
        if request.seen == "drafted":
            return replace(item, status="drafted")
        current, _ = self._reading.load_current(request.item)
        if request.seen == current.status:
            self.check_open(item.id, request.person, "decide again on what others decided", heeds_holds=False)
        return replace(item, status=current.status)

    @requires("decide on items", "item")
    def undo(self, person: str, key: str, item: str | None = None) -> str:
        """Undo a person's last decision; return the id of its item. Calling `undo` again with the same `key` changes nothing.

        Raises BenchError if the person has no decision to undo, or if later reviews depend on it."""
        if not person.strip() or not key.strip():
            raise BenchError("An undo without a name or a request key is not stored: enter your name, or load the page again.")
        if item is None and control_answers.find_answer(self._db, key) is None:
            target = self._controls.find_undo_target(person)
            item = target.item if target else None
        control = self._controls.find(item) if item else None
        return self._controls.undo(control, person, key) if control else undo.undo(self._db, person, key, item)

    def close(self) -> None:
        """Wait until the checks and the creation of control items in the background have ended."""
        self._gates.close()
        self._supply.close()

    def _find_document(self, item: str, person: str) -> str | None:
        try:
            return items.find_first_document(self._access.load_subject(item, person))
        except BenchError:
            return None


def _complete_own(request: DecisionRequest, subject: Item) -> DecisionRequest:
    """Return a decision on an item that is answered without its draft, with what the screen does not show: the question and the
    labels, and for a discard without any words also the answer and the evidence. Raises BenchError if an answer is missing."""
    request = replace(request, question=subject.question, labels=None)
    if request.answer.strip():
        return request
    if request.decision == "accept":
        raise BenchError(WITHOUT_DRAFT)
    return request if request.evidence else replace(request, answer=first_answer(subject), evidence=subject.evidence)
