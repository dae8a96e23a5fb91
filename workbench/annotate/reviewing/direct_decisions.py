"""Store decisions on an item or variant that is named by its id and not opened on the review page, as on the command line."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from core.as_json import Json
from core.errors import BenchError
from core.ids import derived_id
from core.installation import COMMAND
from core.label_questions import LABEL_ANSWERS, check_answers, check_required
from core.nouns import Decision, Item, Review, Variant
from core.person_name import is_same_person
from core.quality.conversations import LABEL, read_turn, turn_label
from store.controls.control_items import ControlItem
from store.engine.database import Database
from store.items import items
from store.queue.assistance import ASSISTANCE, NONE
from store.reviews import reviews
from store.variants import variants
from workbench.annotate.controls.control_desk import ControlDesk
from workbench.annotate.desk.background_gates import BackgroundGates
from workbench.annotate.desk.decisions import (
    MAX_CHARACTERS,
    DecisionRequest,
    DecisionResult,
    check_acceptable,
    check_new_words,
    check_text,
    find_passages,
    first_answer,
    load_frame,
    with_overlap,
    with_words,
)
from workbench.annotate.desk.guidelines import choose_version
from workbench.annotate.desk.label_questions import list_task_questions
from workbench.annotate.desk.reading import DocumentCache
from workbench.roles import requires


class DirectDecisions:
    """Decides on an item or a variant by its id, without the review page."""

    def __init__(
        self,
        database: Database,
        reading: DocumentCache,
        controls: ControlDesk,
        gates: BackgroundGates,
        settle: Callable[[DecisionRequest], DecisionResult],
        describe_assistance: Callable[[Item, str, str], Mapping[str, Json]],
    ) -> None:
        """`settle` is the function that stores a decision on a control item as if the review page had sent it.
        `describe_assistance` returns what the review of an item by a person stores about what the person sees of the draft."""
        self._db, self._reading, self._controls, self._gates, self._settle = database, reading, controls, gates, settle
        self._describe_assistance = describe_assistance

    @requires("decide on items", "id_")
    def decide(
        self,
        id_: str,
        decision: Literal["accept", "discard"],
        *,
        person: str,
        question: str | None = None,
        answer: str | None = None,
        evidence: Sequence[str] | None = None,
        reason: str = "",
        seconds: float | None = None,
        label_answers: Mapping[str, Any] | None = None,
        allows_long: bool = False,
        standalone: str | None = None,
    ) -> Item | Variant:
        """Accept an item, with or without an edit, or discard it. A variant can only be accepted or discarded without an edit.
        Return the item or variant in its new state.

        `evidence`: passages of the item's documents, word for word, which replace all evidence (None = the evidence stays).
        `seconds` is the active time (None = not measured), `label_answers` is a dict from the name of a label question to its
        answer, `allows_long` confirms a very long answer, and `standalone` is a new standalone question of a follow-up. If the
        same person repeats the same decision under the same guideline, nothing new is stored."""
        if not person.strip():
            raise BenchError("A decision needs a name: give it with --as NAME.")
        rows = items.load_items(self._db, [id_])
        if not rows:
            if control := self._controls.find(id_):
                if evidence is not None:
                    raise BenchError(f"The evidence of {id_} can only be changed on the page Review: leave --evidence out.")
                words = (decision, person, question, answer, reason)
                return self._decide_control(control, *words, seconds=seconds, label_answers=label_answers)
            if label_answers:
                raise BenchError(f"{id_} is not an item, and only items have label questions: leave --label out.")
            if evidence is not None:
                raise BenchError(f"{id_} is not an item, and only items have evidence: leave --evidence out.")
            return decide_variant(self._db, id_, decision, person, question, answer, reason)
        item = rows[0]
        check_new_words(item, question, answer, reason, allows_long=allows_long)
        assistance, base = self._describe_assistance(item, person, decision), item
        if assistance.get(ASSISTANCE) == NONE and decision == "accept":
            if answer is None or evidence is None or question is not None:
                raise BenchError(
                    f"{id_} is answered without its draft: give your own answer with --answer and its passages with "
                    "--evidence, and leave --question out."
                )
            base = replace(item, answers=(), evidence=())
        edit = with_words(base, question, answer)
        if evidence is not None:
            spans = find_passages(item, evidence, self._reading)
            edit = replace(edit or base, evidence=spans) if set(spans) != set(base.evidence) else edit
        edit = edit if standalone is None else _with_standalone(base, edit, standalone)
        edit = edit and with_overlap(edit, self._reading)
        if decision == "discard" and edit is not None:
            raise BenchError("A discard does not change the text: leave --question, --answer and --evidence out.")
        questions = list_task_questions(self._db, item.task)
        if decision == "accept":
            check_acceptable(edit or item, load_frame(self._db, item))
        guideline = choose_version(self._db, item.task, None)
        answers = check_answers(questions, label_answers)
        if decision == "accept":
            check_required(questions, answers)
        details: dict[str, Any] = {"guideline": guideline} if guideline else {}
        details |= {LABEL_ANSWERS: answers} if answers else {}
        more = (*(evidence or ()), *(() if standalone is None else (standalone,)))
        words = (item.id, item.revision, person, decision, question, answer, reason, *details.values(), *more)
        details |= assistance
        every = reviews.load_reviews(self._db, [id_])
        key = _derive_key(words, [one.id for one in every if one.person == person or one.role in ("", "adjudicated")])
        review = Review(key, item.id, item.revision, person, decision, reason, "", seconds, details=details)
        stored = reviews.decide(self._db, review, edit)
        if isinstance(stored.subject, Item) and stored.subject.revision != item.revision and not stored.is_repeat:
            self._gates.run_now(stored.subject)
        return stored.subject

    def _decide_control(
        self,
        control: ControlItem,
        decision: Literal["accept", "discard"],
        person: str,
        question: str | None,
        answer: str | None,
        reason: str,
        *,
        seconds: float | None,
        label_answers: Mapping[str, Any] | None,
    ) -> Item:
        """Decide on a control item as the review page does, so that nobody can tell it from an ordinary item."""
        state = self._controls.load_state(control, person)
        item = state.item
        if decision == "discard" and with_words(item, question, answer) is not None:
            raise BenchError("A discard does not change the text: leave --question and --answer out.")
        words = (item.id, item.revision, person, decision, question, answer, reason)
        request = DecisionRequest(
            key=_derive_key(words, [review.id for review in state.reviews]),
            person=person,
            item=item.id,
            revision=item.revision,
            decision=decision,
            question=item.question if question is None else question,
            answer=first_answer(item) if answer is None else answer,
            evidence=item.evidence,
            reason=reason,
            label_answers=label_answers,
            seconds=seconds,
        )
        return self._settle(request).item


def _with_standalone(item: Item, edit: Item | None, standalone: str) -> Item | None:
    """Return the edited item with the new standalone question, or the unchanged edit (None = no edit) if it is the same as
    before. Raises BenchError if the item is not a follow-up, or if the standalone question is blank or too long."""
    turn = read_turn(item.labels)
    if turn is None or not turn.is_follow_up:
        raise BenchError(f"{item.id} is not a follow-up of a conversation: leave its standalone question out.")
    if not standalone.strip():
        raise BenchError("The standalone question is empty: enter text, or keep the previous text.")
    check_text("standalone question", standalone, MAX_CHARACTERS["question"])
    if standalone.strip() == turn.standalone:
        return edit
    label = turn_label(turn._replace(standalone=standalone.strip()))
    return replace(edit or item, labels={**(edit or item).labels, LABEL: label})


def decide_variant(
    database: Database, id_: str, decision: Decision, person: str, question: str | None, answer: str | None, reason: str
) -> Variant:
    """Accept or discard a variant without changing its text. Raises BenchError if a new question or answer is given."""
    rows = variants.load_variants(database, [id_])
    if not rows:
        raise BenchError(f"No item or variant {id_} in this workspace: `{COMMAND} items` lists the items.")
    variant = rows[0]
    if question is not None or answer is not None:
        raise BenchError(f"{id_} is a variant, which is accepted or discarded unchanged: leave out --question and --answer.")
    if decision == "accept" and variant.kind == "human" and is_same_person(variant.generator, person):
        _check_own_rewrite(database, variant, person)
    before = [review.id for review in reviews.load_reviews(database, [id_])]
    key = _derive_key((id_, variant.revision, person, decision, reason), before)
    stored = reviews.decide(database, Review(key, id_, variant.revision, person, decision, reason)).subject
    if not isinstance(stored, Variant):
        raise BenchError(f"{id_} is not a variant any more: list the items again.")
    return stored


def _check_own_rewrite(database: Database, variant: Variant, person: str) -> None:
    """Raise BenchError if the variant is the person's own rewrite and the person may not accept it, because it is still a draft
    or because another person discarded it."""
    others = [one for one in reviews.load_effective(database, [variant.id]) if not is_same_person(one.person, person)]
    if others and others[-1].decision == "discard":
        raise BenchError(
            f"{others[-1].person} discarded {variant.id}, which is {person}'s own rewrite: somebody else decides whether "
            "it is accepted."
        )
    if variant.status == "drafted" or "near" in variant.checks:
        raise BenchError(f"{variant.id} is {person}'s own rewrite: somebody else decides whether it is accepted.")


def _derive_key(words: Sequence[object], before: Sequence[str]) -> str:
    """Return the id of a decision, computed from its contents and the ids of earlier reviews. If the last decision is repeated,
    it gets the same id."""
    is_repeat = before and before[-1] == derived_id("review", *words, *before[-2:-1])
    return before[-1] if is_repeat else derived_id("review", *words, *before[-1:])
