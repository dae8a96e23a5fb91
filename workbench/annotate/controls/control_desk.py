"""A plant on the desk: shown, kept, decided on and taken back as an item is, without being one. Whoever practises is told after
the decision what was planted; whoever met it in the queue is not."""

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
from store.reviews.reviews import STATUS, HeldByOther, ReviewConflict
from store.reviews.unsent_edits import UnsentEdit
from workbench.annotate.desk.claims import ClaimView, places
from workbench.annotate.desk.desk import Facts, laid_out
from workbench.annotate.desk.history import told
from workbench.annotate.desk.pressing import DecisionRequest, DecisionResult, check_acceptable, edited, frame_words
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.desk.taxonomy import labels_of


@dataclass(frozen=True, slots=True)
class Now:
    """A plant as one person has it."""

    control: ControlItem
    source: Item
    """The item that it is a copy of."""
    first: Item
    """As it came."""
    item: Item
    """With what this person made of it."""
    history: tuple[Revision, ...]
    reviews: tuple[Review, ...]
    """Every decision of theirs on it, undos included."""
    standing: ControlAnswer | None
    round: int
    """Of practice; QUEUE = it came out of the queue."""
    wanted: int
    """People who seem to be wanted on it: with several, what one makes of it is an opinion, and the item stays as it is."""


class ControlDesk:
    """Verbs on plants, as ReviewStage has them on items."""

    def __init__(self, database: Database, reading: DocumentCache, claims: ClaimView, clock: Callable[[], str]) -> None:
        self._db, self._reading, self._claims, self._clock = database, reading, claims, clock

    def find(self, id_: str) -> ControlItem | None:
        """The plant of that id; None when it is an item's, or nobody's."""
        return control_items.get(self._db, id_)

    def desk(self, control: ControlItem, person: str, left: Mapping[str, UnsentEdit]) -> dict[str, Any]:
        """What the desk shows of it, and of what this person left on it."""
        now = self.now(control, person)
        verdicts = self._verdicts(now)
        stand = [review for review in now.reviews if self._stands(now, review)]
        facts = Facts(now.item, now.first, now.history, verdicts, stand, None, left, None)
        shown = laid_out(self._db, self._reading, facts, person)
        if now.wanted > 1 and now.standing is not None:
            mine = self._changed(now.first, now.standing)
            words = {"question": mine.question, "answers": list(mine.answers), "evidence": places(mine.evidence)}
            shown["decision"] = (shown["decision"] or {}) | {"words": words}
        return shown | ({"feedback": self.feedback(now)} if now.round != QUEUE and now.standing else {})

    def claims(self, control: ControlItem, person: str) -> list[dict[str, Any]]:
        """The claims of its answer."""
        return self._claims.rows(self.now(control, person).item)

    def history(self, control: ControlItem, person: str) -> dict[str, Any]:
        """What became of it in this person's hands."""
        now = self.now(control, person)
        words = [now.first, *(self._changed(now.first, one) for one in self._edits(control, person, now.round))]
        return {
            "revisions": [
                {
                    "revision": one.revision,
                    "by": one.by,
                    "at": one.at,
                    "question": then.question,
                    "answers": list(then.answers),
                    "evidence": places(then.evidence),
                    "labels": labels_of(then),
                }
                for one, then in zip(now.history, words, strict=False)
            ],
            "decisions": [told(review) for review in now.reviews],
        }

    def settle(self, control: ControlItem, press: DecisionRequest) -> DecisionResult:
        """Store a decision on it; errors as ReviewStage.settle's. In practice the first decision is the one."""
        before = control_answers.find_answer(self._db, press.key)
        if before is not None and (before.control, before.person) != (control.id, press.person):
            raise BenchError("This decision has the key of another one: load the page again.")
        now = self.now(control, press.person)
        if before is not None or (now.round != QUEUE and now.standing is not None):
            return self._settled(now, True)
        new = edited(now.item, press, self._reading) if press.decision == "accept" else None
        if press.decision == "accept" and press.revision == now.item.revision:
            check_acceptable(new or now.item, frame_words(now.item))
        if press.revision != now.item.revision or press.seen not in (None, now.item.status):
            message = f"{control.id} was decided on since you opened it: nothing was stored, look at it and decide again."
            review = Review(press.key, control.id, press.revision, press.person, press.decision)
            raise ReviewConflict(message, review=review, yours=new, theirs=now.item, by=press.person)
        at = self._clock()
        other = leases.find_blocking_lease(self._db.rows, control.id, press.person, at)
        if other is not None:
            raise HeldByOther(f"{other.person} holds this item now: nothing was stored, and what you typed is kept.", other)
        final = new or now.item
        answered = AcceptedCopy(final.question, final.answers[0] if final.answers else "", final.evidence)
        right = is_right(control.injected_error, planted(control, now.first), now.source, press.decision, answered)
        words = {
            "question": final.question,
            "answers": list(final.answers),
            "evidence": [[*_triple(s)] for s in final.evidence],
            "is_edited": new is not None,
            "reason": press.reason.strip(),
            "comment": press.comment.strip(),
            "claims": [dict(one) for one in press.claims],
            **({LABEL_ANSWERS: dict(press.label_answers)} if press.label_answers else {}),
        }
        on_screen = UnsentEdit(
            press.person,
            control.id,
            press.revision,
            press.question,
            press.answer,
            press.evidence,
            tab=press.tab,
            label_answers=press.label_answers or {},
        )
        made = ControlAnswer(press.key, control.id, press.person, now.round, press.decision, words, press.seconds, right, at)
        control_answers.add_answer(self._db, made, on_screen)
        return self._settled(self.now(control, press.person), False)

    def undoable(self, person: str) -> dict[str, str] | None:
        """This person's last decision on a plant of the queue, when they decided on no item since; None when there is none."""
        last = next(
            (one for one in reversed(control_answers.load_effective_answers(self._db, person)) if one.round == QUEUE), None
        )
        if last is None or last.at <= control_answers.load_last_decision_time(self._db, person):
            return None
        return {"item": last.control, "question": str(last.words["question"])}

    def undo(self, control: ControlItem, person: str, key: str) -> str:
        """Take back this person's last decision on it; the same key again does nothing more."""
        if control_answers.find_answer(self._db, key) is None:
            last = self.undoable(person)
            if last is None or last["item"] != control.id:
                raise BenchError("Your last decision has changed, in another tab or browser: look at it before you undo it.")
            control_answers.add_answer(
                self._db, ControlAnswer(key, control.id, person, QUEUE, "undo", {}, None, None, self._clock())
            )
        return control.id

    def feedback(self, now: Now) -> dict[str, Any]:
        """What was planted, what this person did, and what was expected."""
        control, answer, flaw = now.control, now.standing, injected_errors()[now.control.injected_error]
        if answer is None:
            return {}
        how = "with an edit" if answer.words["is_edited"] else "as it was"
        did = f"You accepted it {how}." if answer.decision == "accept" else f"You discarded it: {answer.words['reason']}."
        return {
            "is_right": bool(answer.is_right),
            "flaw": flaw.label,
            "where": flaw.where,
            "did": did,
            "expected": flaw.expected,
            "why": control.why,
            "gone": control.gone,
            "put": control.put,
        } | self._so_far(now, answer.person)

    def now(self, control: ControlItem, person: str) -> Now:
        """The plant in this person's hands: in practice each round begins anew."""
        source = control_items.load_source(self._db, control)
        first = control_items.build_item(control, source)
        round_ = max(
            (one.number for one in control_answers.load_rounds(self._db, person) if control.id in one.controls), default=QUEUE
        )
        made = [one for one in control_answers.load_answers(self._db, person, control.id) if one.round == round_]
        origin = self._reading.words(control.source, 1).made
        given = next((one for one in control_answers.list_shown(self._db, person) if one.control == control.id), None)
        item, history, reviews = (
            first,
            [Revision(control.id, 1, first.question, first.answers, origin.by, given.dated if given else origin.at)],
            [],
        )
        wanted = control_items.count_wanted_people(self._db, control) if round_ == QUEUE else 1
        for one in made:
            if wanted == 1 and one.decision == "accept" and one.words["is_edited"]:
                item = replace(self._changed(first, one), revision=item.revision + 1)
                history.append(Revision(control.id, item.revision, item.question, item.answers, person, one.at))
            item = replace(item, status="drafted" if wanted > 1 or one.decision == "undo" else STATUS[one.decision])
            reviews.append(
                Review(
                    one.id,
                    control.id,
                    item.revision,
                    person,
                    one.decision,
                    one.words.get("reason", ""),
                    one.words.get("comment", ""),
                    one.seconds,
                    one.at,
                    {k: v for k, v in one.words.items() if k == LABEL_ANSWERS},
                )
            )
        standing = made[-1] if made and made[-1].decision != "undo" else None
        return Now(control, source, first, item, tuple(history), tuple(reviews), standing, round_, wanted)

    def _so_far(self, now: Now, person: str) -> dict[str, int]:
        """How far that round is."""
        [begun] = [one for one in control_answers.load_rounds(self._db, person) if one.number == now.round]
        made = [one for one in control_answers.load_effective_answers(self._db, person) if one.round == now.round]
        right = sum(bool(one.is_right) for one in made)
        return {"done": len(made), "n": len(begun.controls), "right": right, "passing": begun.passing}

    def _settled(self, now: Now, is_repeat: bool) -> DecisionResult:
        opinion = f"waits for {now.wanted - 1} more" if now.wanted > 1 else ""
        return DecisionResult(now.item, is_repeat, opinion, None if now.round == QUEUE else self.feedback(now))

    def _stands(self, now: Now, review: Review) -> bool:
        undone = max((n for n, one in enumerate(now.reviews) if one.decision == "undo"), default=-1)
        return review in now.reviews[undone + 1 :]

    def _edits(self, control: ControlItem, person: str, round_: int) -> list[ControlAnswer]:
        every = control_answers.load_answers(self._db, person, control.id)
        return [one for one in every if one.round == round_ and one.decision == "accept" and one.words["is_edited"]]

    def _changed(self, first: Item, answer: ControlAnswer) -> Item:
        words = answer.words
        evidence = tuple(Span(*place) for place in words["evidence"])
        return replace(first, question=words["question"], answers=tuple(words["answers"]), evidence=evidence)

    def _verdicts(self, now: Now) -> list[Verdict]:
        """What gates find on the words as they are; a draft that one refuses never comes into the queue, so it passes here."""
        task = tasks().get(now.item.task)
        if task is None or now.item.provenance.agent is None:
            return []
        found = run_gates(now.item, task.gates, GateContext(text_of=self._reading.text))
        passed = [v if v.outcome != "refuse" else replace(v, outcome="pass", why="") for v in found]
        checks = [v for v in one_item.load_verdicts(self._db, now.control.source) if v.gate == "rag_check"][-1:]
        return [Verdict(now.item.id, 1, "parse", "1", "pass"), *passed, *(self._rechecked(v, now.first) for v in checks)]

    def _rechecked(self, check: Verdict, first: Item) -> Verdict:
        """The RAG check of the source, its figures those of the copy's words."""
        details: Mapping[str, Any] = check.details
        retrieved = [Span(**place) if isinstance(place, Mapping) else Span(*place) for place in details.get("retrieved") or ()]
        recall, precision = recall_and_precision(first.evidence, retrieved) if retrieved else (None, None)
        answer = details.get("answer")
        f1 = None if answer is None else max(token_f1(answer, one, first.language) for one in first.answers)
        figures = {"recall": recall, "precision": precision, "f1": f1}
        return replace(check, item=first.id, revision=1, details={**details, **figures})


def planted(control: ControlItem, item: Item) -> InjectedCopy:
    """The plant as its flaw knows it."""
    return InjectedCopy(item, control.gone, control.put, control.why)


def _triple(span: Span) -> tuple[str, int, int]:
    return span.document, span.start, span.end
