"""Let people review variants: a person sees the variant beside its original question and decides whether it is valid. An edited
variant is stored as a new variant that names its author and the variant before the edit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from builders.variation.guards import NOT_MEASURED, GuardedVariant, guards
from core.errors import BenchError
from core.ids import derived_id
from core.nouns import Item, Review, Status, Variant
from core.person_name import is_same_person
from core.retrieval.similarity import is_same, measure_rewrite, strip_to_alphanumerics
from core.wording.answer_leaks import find_leaked_answer
from store.engine.columns import current_time
from store.engine.database import Database
from store.reviews import unsent_edits, variant_reviews
from store.reviews.review_rows import fetch_reviews
from store.reviews.rewrites import HUMAN
from store.reviews.unsent_edits import UnsentEdit
from store.reviews.variant_reviews import EDIT_KEY, VariantConflict, VariantDecision
from store.variants import variant_queue, variants
from store.variants.variant_queue import CLEAN, FLAGGED, VariantKind, VariantProgress
from workbench.annotate.controls.control_sampling import start_of_today
from workbench.annotate.desk.decisions import check_seconds, check_text, clean_text
from workbench.annotate.desk.desk_data import Holder
from workbench.annotate.queue.holds import Holds
from workbench.annotate.wordings.doubts import find_doubt, quote
from workbench.annotate.wordings.variant_sheet import (
    EDITS_KIND,
    MAX_CHARACTERS,
    VariantAnswers,
    VariantDecisionLine,
    VariantSheet,
    get_variant,
    load_original,
    load_sheet,
)
from workbench.roles import check_permission, explain_refusal, requires

__all__ = ["CLEAN", "FLAGGED", "VariantConflict", "VariantKind", "VariantPress", "VariantProgress", "VariantStage"]

OWN_REWRITE = "This rewrite is your own: somebody else decides."


@dataclass(frozen=True, slots=True)
class VariantPress:
    """A person's decision on a variant, with what the screen showed at that moment."""

    key: str
    """Key that the screen creates for each click, so that one click is stored only once."""
    person: str
    variant: str
    decision: Literal["accept", "discard"]
    seen: Status
    """Status of the variant on the screen."""
    text: str
    """Text in the edit box; if the person edited nothing, it is the text of the variant."""
    applied: bool | None = None
    """Answer to "Was the perturbation applied?", or None if not answered."""
    kept: bool | None = None
    """Answer to "Was the meaning kept?", or None if not answered."""
    reason: str = ""
    comment: str = ""
    seconds: float | None = None
    tab: str = ""


@dataclass(frozen=True, slots=True)
class KeptWords:
    """Time at which typed text was stored, and the other person who has reserved the variant, if any."""

    saved_at: str
    held: Holder | None


@dataclass(frozen=True, slots=True)
class VariantPair:
    """A variant and its original question, for comparison."""

    variant: Variant
    original: str


class VariantStage:
    """Methods that show variants for review and store the decisions on them."""

    def __init__(self, database: Database, clock: Callable[[], str] = current_time) -> None:
        self._db, self._clock = database, clock
        self._holds = Holds(database, clock)

    def choices(self) -> Mapping[str, Sequence[str]]:
        """Return the values by which variants can be filtered: kinds, tasks, domains, and whether guards (automatic checks)
        flagged them."""
        return variant_queue.list_choices(self._db)

    @requires("decide on items")
    def find_next(self, kind: VariantKind, person: str, after: str | None = None) -> str | None:
        """Return the next variant that matches `kind`, and reserve it for this person; return None if no other variant is free.

        If `after` is None, return the variant that is already reserved for the person, or else the first free variant. If
        `after` is given, return the first free variant after it. If the person has no name, no variant is reserved."""
        at = self._clock()
        if not person.strip():
            return variant_queue.find_free_variant(self._db, kind, at)
        return variant_queue.claim(self._db, kind, person, at=at, minutes=self._holds.minutes, after=after)

    def find_previous(self, person: str, variant: str | None) -> str | None:
        """Return the variant that this person decided on before `variant`, or None if there is none."""
        return variant_queue.find_previous_variant(self._db, person, variant) if person.strip() else None

    def progress(self, kind: VariantKind, person: str) -> VariantProgress:
        """Count the variants that match `kind`: those that are left, those that are reserved for others, and those that this
        person decided on today."""
        return variant_queue.load_progress(self._db, kind, person, at=self._clock(), since=start_of_today())

    def sheet(self, variant: str, person: str) -> VariantSheet:
        """Load what the page Variants shows for one variant.

        Raises BenchError if the variant does not exist, and NotAllowed if others decided on the variant and this person may not
        see it."""
        sheet = load_sheet(self._db, variant, person)
        every = fetch_reviews(self._db.rows, variant)
        if every and sheet.status != "drafted" and not any(review.person == person for review in every):
            check_permission(self._db, "open what is somebody else's", variant)
        effective = every[-1] if every and every[-1].decision != "undo" else None
        answers, decided = VariantAnswers(), None
        if effective is not None:
            decided = VariantDecisionLine(effective.person, effective.decision, effective.reason)
            if effective.person == person:
                details = effective.details
                answers = VariantAnswers(details.get("applied"), details.get("kept"), effective.comment)
        return replace(
            sheet,
            held=self._find_holder(variant, person),
            blocked=OWN_REWRITE if sheet.kind == HUMAN and is_same_person(sheet.generator, person) else "",
            decided=decided,
            said=answers,
            has_undo=bool(person) and variant_reviews.load_last_decision(self._db.rows, person) is not None,
        )

    @requires("see releases")
    def list_pairs(self, ids: Sequence[str]) -> list[VariantPair]:
        """Load the variants with these ids, each with its original question."""
        return [VariantPair(one, load_original(self._db, one).question) for one in variants.load_variants(self._db, ids)]

    def hold(self, variant: str, person: str) -> Holder | None:
        """Reserve the variant for this person, or renew the reservation. If the variant is reserved for another person, return
        that person; otherwise return None."""
        if not person.strip() or explain_refusal(self._db, "decide on items"):
            return self._find_holder(variant, person)
        other = variant_queue.hold(self._db, variant, person, at=self._clock(), minutes=self._holds.minutes)
        return Holder(other.person, other.until) if other else None

    def keep(
        self,
        person: str,
        variant: str,
        revision: int,
        text: str,
        seconds: float | None,
        *,
        comment: str = "",
        tab: str = "",
        since: str | None = None,
        key: str = "",
    ) -> KeptWords:
        """Store the text that a person is typing for a variant. Raises EditedElsewhere if another tab has stored a different
        text by this person in the meantime."""
        if not person.strip():
            raise BenchError("What you type is stored under your name: give your name first.")
        get_variant(self._db, variant)
        edits = UnsentEdit(person, variant, revision, text, comment, (), seconds, on=EDITS_KIND, tab=tab)
        held = self.hold(variant, person)  # reserve first, so that nothing is stored if this fails
        kept = unsent_edits.put(self._db, edits, since=since, key=key, is_there=True)
        return KeptWords(kept.at if kept else "", held)

    @requires("decide on items", lambda arguments: arguments["press"].variant)
    def settle(self, press: VariantPress) -> VariantDecision:
        """Store a decision on a variant that the page sent; if the request is repeated, store nothing.

        Raises VariantConflict if another person decided first or has reserved the variant, and BenchError if the text cannot be
        stored."""
        text, before = _check(press), get_variant(self._db, press.variant)
        if before.kind == HUMAN and is_same_person(before.generator, press.person) and press.decision == "accept":
            raise BenchError("This rewrite is your own: somebody else decides whether it is accepted.")
        item, edit = load_original(self._db, before), None
        if press.decision == "accept":
            if press.applied is not True or press.kept is not True:
                raise BenchError(
                    "A variant is accepted only if both questions are answered with yes: answer them, or edit or discard "
                    "the variant."
                )
            edit = None if text in ("", before.text.strip()) else self._edit(before, text, press.person, item)
        elif not press.reason.strip():
            raise BenchError("Choose a reason, or write one.")
        if press.seen in ("accepted", "discarded"):
            every = fetch_reviews(self._db.rows, before.id)
            if not any(review.person == press.person for review in every):
                check_permission(self._db, "decide again on what others decided", before.id)
        answers = {"applied": press.applied, "kept": press.kept}
        review = Review(
            press.key,
            before.id,
            before.revision,
            press.person,
            press.decision,
            press.reason.strip(),
            press.comment.strip(),
            press.seconds,
            self._clock(),
            {name: value for name, value in answers.items() if value is not None},
        )
        unsent = UnsentEdit(press.person, before.id, before.revision, press.text, press.comment, on=EDITS_KIND, tab=press.tab)
        return variant_reviews.decide_variant(self._db, review, press.seen, edit, unsent)

    @requires("decide on items", "variant")
    def undo(self, person: str, key: str, variant: str | None = None) -> str:
        """Undo a person's last decision on a variant; return the id of the variant, which waits for review again.

        Raises BenchError if the person has no decision to undo, or if another person has decided in the meantime."""
        if not person.strip() or not key.strip():
            raise BenchError("An undo without a name or a request key is not stored: enter your name, or load the page again.")
        last = variant_reviews.load_last_decision(self._db.rows, person)
        return variant_reviews.undo(self._db, person, key, variant or (last.item if last else ""), self._clock())

    def _find_holder(self, variant: str, person: str) -> Holder | None:
        other = variant_queue.find_holder(self._db.rows, variant, person, self._clock())
        return Holder(other.person, other.until) if other else None

    def _edit(self, before: Variant, text: str, person: str, item: Item) -> Variant:
        """Return the edited text as a new variant, with the results of guards (automatic checks) on this text. Raises
        BenchError if the text is not a valid variant of the question."""
        if is_same(item.question, text):
            raise BenchError("That is the question itself: a variant asks for the same in another form.")
        if not strip_to_alphanumerics(text):
            raise BenchError("The text box has no words: write the question, or discard the variant.")
        advice = "take it out, or discard the variant."
        if told := find_leaked_answer(item.question, text, item.answers):
            raise BenchError(f"The text in the box contains the gold answer “{quote(told)}”: {advice}")
        if before.kind == HUMAN:
            measured = measure_rewrite(item.question, text, item.language)
            if doubt := find_doubt(item, text, measured, advice):
                raise BenchError(doubt)
        earlier = before.checks.get(EDIT_KEY)
        lineage = {
            "of": before.id,
            "first": earlier["first"] if isinstance(earlier, dict) else before.id,
            "by": person,
            "was": before.text,
            "checks": dict(before.checks),
        }
        others = {
            variant.kind: variant.text
            for variant in variants.load_variants_of(self._db, [item.id])
            if variant.revision == before.revision and variant.status != "discarded" and variant.kind != before.kind
        }
        [guarded] = guards([GuardedVariant(item, before.kind, text, others=others)], NOT_MEASURED)
        id_, checks = derived_id("edit", before.id, person, text), guarded | {EDIT_KEY: lineage}
        return replace(before, id=id_, text=text, status="drafted", checks=checks)


def _check(press: VariantPress) -> str:
    """Return the text of the edit box as it is stored, without white space at its ends. Raises BenchError if the decision
    cannot be stored."""
    text = clean_text(press.text)
    if not press.person.strip():
        raise BenchError("A decision needs a name: give yours first.")
    if not press.key.strip():
        raise BenchError("The page sent this decision without a request key: load the page again.")
    if press.decision not in ("accept", "discard"):
        raise BenchError(f"{press.decision!r} is not a decision: accept or discard.")
    check_text("text", text, MAX_CHARACTERS)
    check_text("reason", press.reason, 5_000)
    check_text("comment", press.comment, 5_000)
    check_text("name", press.person, 200)
    check_text("key", press.key, 200)
    check_seconds(press.seconds)
    return text
