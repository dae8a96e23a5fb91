"""Show control items (copies of accepted items, most with an injected error) on the review page, and store decisions on them.
People review a control item, and undo their decision, as with an ordinary item; but a control item is not stored as an item.
During qualification, the person sees the injected error after deciding; in the normal queue, the error stays hidden."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from builders.drafting.rag_check import recall_and_precision
from builders.gate import GateContext, run_gates
from builders.injected_error import AcceptedCopy, InjectedCopy, injected_errors, is_right
from builders.task import tasks
from core.errors import BenchError
from core.label_questions import LABEL_ANSWERS
from core.nouns import Item, Review, Span, Verdict
from core.text.text import token_f1
from store.controls import control_items
from store.controls.control_items import ControlItem
from store.engine.database import Database
from store.format import Revision
from store.queue import leases
from store.reviews import control_answers, one_item
from store.reviews.control_answers import QUEUE, ControlAnswer
from store.reviews.reviews import STATUS, HeldByOther, ReviewConflict, explain_not_last
from store.reviews.unsent_edits import UnsentEdit
from workbench.annotate.desk.claims import ClaimChecker
from workbench.annotate.desk.decisions import (
    DecisionRequest,
    DecisionResult,
    apply_edit,
    check_acceptable,
    first_answer,
    frame_words,
    unsent_of,
)
from workbench.annotate.desk.desk import Facts, lay_out
from workbench.annotate.desk.desk_data import (
    DeskClaim,
    DeskData,
    OpinionWords,
    OwnDecision,
    QualificationFeedback,
    UndoTarget,
)
from workbench.annotate.desk.history import DecisionEvent, ItemHistory, RevisionEvent
from workbench.annotate.desk.reading import DocumentCache


@dataclass(frozen=True, slots=True)
class ControlState:
    """The state of a control item for one person, with the person's decisions on it."""

    control: ControlItem
    source: Item
    """The accepted item from which the control item was copied."""
    first: Item
    """The control item without this person's edits."""
    item: Item
    """The control item with this person's edits."""
    history: tuple[Revision, ...]
    reviews: tuple[Review, ...]
    """All decisions of this person on the control item, including undos."""
    answer: ControlAnswer | None
    """This person's decision on the control item that is in effect, or None if there is none."""
    round: int
    """Number of the qualification round that shows the control item, or QUEUE if the normal queue shows it."""
    wanted: int
    """Number of people who must review the control item according to the screen. If the number is above one, the screen calls
    each decision an opinion."""


class ControlDesk:
    """Methods that show control items on the review page and store decisions on them; they are named as in ReviewStage."""

    def __init__(self, database: Database, reading: DocumentCache, claims: ClaimChecker, clock: Callable[[], str]) -> None:
        self._db, self._reading, self._claims, self._clock = database, reading, claims, clock

    def find(self, id_: str) -> ControlItem | None:
        """Return the control item with the given id, or None if there is none."""
        return control_items.get(self._db, id_)

    def load_desk(self, control: ControlItem, person: str, unsent: Mapping[str, UnsentEdit]) -> DeskData:
        """Load the data that the review page shows for the control item."""
        state = self.load_state(control, person)
        undone = max((n for n, review in enumerate(state.reviews) if review.decision == "undo"), default=-1)
        effective = state.reviews[undone + 1 :]
        facts = Facts(state.item, state.first, state.history, self._run_gates(state), effective, None, unsent, None)
        data = lay_out(self._db, self._reading, facts, person)
        if state.wanted > 1 and state.answer is not None:
            decision = data.decision or OwnDecision.from_review(state.reviews[-1])
            words = OpinionWords.from_item(_apply_answer(state.first, state.answer))
            data = replace(data, decision=replace(decision, words=words, missing=state.wanted - 1))
        return replace(data, feedback=self._load_feedback(state))

    def check_claims(self, control: ControlItem, person: str) -> list[DeskClaim]:
        """List the claims in the control item's answer, each with data that help to check it."""
        return self._claims.check_claims(self.load_state(control, person).item)

    def load_history(self, control: ControlItem, person: str) -> ItemHistory:
        """Load this person's edits of the control item and decisions on it."""
        state = self.load_state(control, person)
        answers = control_answers.load_answers(self._db, person, control.id)
        edits = [one for one in answers if one.round == state.round and _is_edit(one)]
        words = [state.first, *(_apply_answer(state.first, answer) for answer in edits)]
        return ItemHistory(
            list(map(RevisionEvent.from_revision, state.history, words)),
            [DecisionEvent.from_review(review) for review in state.reviews],
        )

    def settle(self, control: ControlItem, request: DecisionRequest) -> DecisionResult:
        """Store a decision on the control item. Raises the same errors as ReviewStage.settle. During qualification only the
        first decision on a control item counts."""
        before = control_answers.find_answer(self._db, request.key)
        if before is not None and (before.control, before.person) != (control.id, request.person):
            raise BenchError("This decision has the same key as another decision: load the page again.")
        state = self.load_state(control, request.person)
        if before is not None or (state.round != QUEUE and state.answer is not None):
            return self._describe_result(state, True)
        item, is_accept = state.item, request.decision == "accept"
        edit = apply_edit(item, request, self._reading) if is_accept else None
        if is_accept and request.revision == item.revision:
            check_acceptable(edit or item, frame_words(item))
        if request.revision != item.revision or request.seen not in (None, item.status):
            message = f"{control.id} was decided on since you opened it: nothing was stored, look at it and decide again."
            review = Review(request.key, control.id, request.revision, request.person, request.decision)
            raise ReviewConflict(message, review=review, yours=edit, theirs=item, by=request.person)
        at = self._clock()
        other = leases.find_blocking_lease(self._db, control.id, request.person, at)
        if other is not None:
            raise HeldByOther(f"{other.person} holds this item now: nothing was stored, and what you typed is kept.", other)
        self._store(state, request, edit, at)
        return self._describe_result(self.load_state(control, request.person), False)

    def _store(self, state: ControlState, request: DecisionRequest, edit: Item | None, at: str) -> None:
        control, final = state.control, edit or state.item
        copy = InjectedCopy(state.first, control.gone, control.put, control.why)
        accepted = AcceptedCopy(final.question, first_answer(final), final.evidence)
        right = is_right(control.injected_error, copy, state.source, request.decision, accepted)
        words: dict[str, Any] = {
            "question": final.question,
            "answers": list(final.answers),
            "evidence": [span.triple for span in final.evidence],
            "is_edited": edit is not None,
            "reason": request.reason.strip(),
            "comment": request.comment.strip(),
            "claims": [dict(claim) for claim in request.claims],
        }
        if request.label_answers:
            words[LABEL_ANSWERS] = dict(request.label_answers)
        key, person, decision = request.key, request.person, request.decision
        answer = ControlAnswer(key, control.id, person, state.round, decision, words, request.seconds, right, at)
        control_answers.add_answer(self._db, answer, unsent_of(request))

    def find_undo_target(self, person: str) -> UndoTarget | None:
        """Return this person's last decision on a control item of the queue, or None if the person has decided on another item
        since."""
        answers = [one for one in control_answers.load_effective_answers(self._db, person) if one.round == QUEUE]
        if not answers or answers[-1].at <= control_answers.load_last_decision_time(self._db, person):
            return None
        return UndoTarget(answers[-1].control, str(answers[-1].words["question"]))

    def undo(self, control: ControlItem, person: str, key: str) -> str:
        """Undo this person's last decision on the control item; return its id. Calling `undo` again with the same `key` changes
        nothing."""
        if control_answers.find_answer(self._db, key) is None:
            target = self.find_undo_target(person)
            if target is None or target.item != control.id:
                raise BenchError(explain_not_last(control.id))
            undo = ControlAnswer(key, control.id, person, QUEUE, "undo", {}, None, None, self._clock())
            control_answers.add_answer(self._db, undo)
        return control.id

    def load_state(self, control: ControlItem, person: str) -> ControlState:
        """Load the state of the control item for this person; a new qualification round does not count the decisions of earlier
        rounds."""
        source = control_items.load_source(self._db, control)
        first = item = control_items.build_item(control, source)
        rounds = [one.number for one in control_answers.load_rounds(self._db, person) if control.id in one.controls]
        round_ = max(rounds, default=QUEUE)
        answers = [one for one in control_answers.load_answers(self._db, person, control.id) if one.round == round_]
        origin = self._reading.words(control.source, 1).made
        shown = next((one for one in control_answers.list_shown(self._db, person) if one.control == control.id), None)
        made_at = shown.dated if shown else origin.at
        history, reviews = [Revision(control.id, 1, first.question, first.answers, origin.by, made_at)], []
        wanted = control_items.count_wanted_people(self._db, control) if round_ == QUEUE else 1
        for answer in answers:
            if wanted == 1 and _is_edit(answer):
                item = replace(_apply_answer(first, answer), revision=item.revision + 1)
                history.append(Revision(control.id, item.revision, item.question, item.answers, person, answer.at))
            item = replace(item, status="drafted" if wanted > 1 or answer.decision == "undo" else STATUS[answer.decision])
            reason, comment = answer.words.get("reason", ""), answer.words.get("comment", "")
            labels = {name: value for name, value in answer.words.items() if name == LABEL_ANSWERS}
            words = (person, answer.decision, reason, comment, answer.seconds, answer.at, labels)
            reviews.append(Review(answer.id, control.id, item.revision, *words))
        effective = answers[-1] if answers and answers[-1].decision != "undo" else None
        return ControlState(control, source, first, item, tuple(history), tuple(reviews), effective, round_, wanted)

    def _load_feedback(self, state: ControlState) -> QualificationFeedback | None:
        """Load the injected error, this person's decision and the right decision; None in the normal queue or before a
        decision."""
        control, answer = state.control, state.answer
        if state.round == QUEUE or answer is None:
            return None
        error = injected_errors()[control.injected_error]
        how = "with an edit" if answer.words["is_edited"] else "as it was"
        [begun] = [one for one in control_answers.load_rounds(self._db, answer.person) if one.number == state.round]
        every = control_answers.load_effective_answers(self._db, answer.person)
        results = [bool(one.is_right) for one in every if one.round == state.round]
        is_accept = answer.decision == "accept"
        return QualificationFeedback(
            is_right=bool(answer.is_right),
            flaw=error.label,
            where=error.where,
            did=f"You accepted it {how}." if is_accept else f"You discarded it: {answer.words['reason']}.",
            expected=error.expected,
            why=control.why,
            gone=control.gone,
            put=control.put,
            done=len(results),
            n=len(begun.controls),
            right=sum(results),
            passing=begun.passing,
        )

    def _describe_result(self, state: ControlState, is_repeat: bool) -> DecisionResult:
        opinion = f"waits for {state.wanted - 1} more" if state.wanted > 1 else ""
        return DecisionResult(state.item, is_repeat, opinion, self._load_feedback(state))

    def _run_gates(self, state: ControlState) -> list[Verdict]:
        """Return the verdicts of the gates (automatic checks) on the text of the control item. The verdict "refuse" is replaced
        by "pass". Refused drafts are never in the queue, so this verdict would show that the item is a control item."""
        task = tasks().get(state.item.task)
        if task is None or state.item.provenance.agent is None:
            return []
        verdicts = run_gates(state.item, task.gates, GateContext(text_of=self._reading.text))
        passed = [v if v.outcome != "refuse" else replace(v, outcome="pass", why="") for v in verdicts]
        checks = [v for v in one_item.load_verdicts(self._db, state.control.source) if v.gate == "rag_check"][-1:]
        return [Verdict(state.item.id, 1, "parse", "1", "pass"), *passed, *(_recheck(v, state.first) for v in checks)]


def _recheck(check: Verdict, first: Item) -> Verdict:
    """Convert `check`, the RAG check of the source item, into a RAG check of its copy `first`. Recall, precision and F1 are
    computed again for the evidence and answers of the copy."""
    details: Mapping[str, Any] = check.details
    retrieved = [Span(**place) if isinstance(place, Mapping) else Span(*place) for place in details.get("retrieved") or ()]
    recall, precision = recall_and_precision(first.evidence, retrieved) if retrieved else (None, None)
    answer = details.get("answer")
    f1 = None if answer is None else max(token_f1(answer, gold, first.language) for gold in first.answers)
    return replace(check, item=first.id, revision=1, details={**details, "recall": recall, "precision": precision, "f1": f1})


def _is_edit(answer: ControlAnswer) -> bool:
    return answer.decision == "accept" and bool(answer.words["is_edited"])


def _apply_answer(first: Item, answer: ControlAnswer) -> Item:
    words = answer.words
    evidence = tuple(Span(*place) for place in words["evidence"])
    return replace(first, question=words["question"], answers=tuple(words["answers"]), evidence=evidence)
