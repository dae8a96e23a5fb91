"""Review of variants: each is shown beside the question that it was made of, and a person says whether it is what it should be.
One that is edited becomes a variant of its own, which says whose words it holds and what it was made of."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from builders.variation.guards import NOT_MEASURED, GuardedVariant, guards
from core.errors import BenchError
from core.ids import derived_id
from core.nouns import Item, Review, Status, Variant
from core.person_name import is_same_person
from core.records import variant_record
from core.retrieval.similarity import is_same, strip_to_alphanumerics
from core.text.answer_leaks import find_leaked_answer
from store.engine.columns import current_time
from store.engine.database import Database
from store.reviews import unsent_edits, variant_reviews
from store.reviews.review_rows import fetch_reviews
from store.reviews.unsent_edits import UnsentEdit
from store.reviews.variant_reviews import EDIT_KEY, VariantConflict
from store.variants import variant_queue, variants
from store.variants.variant_queue import CLEAN, FLAGGED, VariantKind, VariantProgress
from workbench.annotate.controls.control_sampling import start_of_today
from workbench.annotate.queue.holds import Holds
from workbench.annotate.wordings import variant_sheet
from workbench.annotate.wordings.variant_sheet import LONGEST, ON
from workbench.roles import check_permission, explain_refusal, requires

__all__ = ["CLEAN", "FLAGGED", "VariantConflict", "VariantKind", "VariantPress", "VariantProgress", "VariantStage"]

OWN = "This rewrite is your own: somebody else decides."
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class VariantPress:
    """One press of a deciding key on a variant, and what was on the screen then."""

    key: str
    """Made on the screen, one a press: what comes twice with it is stored once."""
    person: str
    variant: str
    decision: Literal["accept", "discard"]
    seen: Status
    """The status on the screen."""
    text: str
    """The words in the box; those of the variant itself where nothing was edited."""
    applied: bool | None = None
    """"Was the perturbation applied?"; None = not said."""
    kept: bool | None = None
    """"Was the meaning kept?"; None = not said."""
    reason: str = ""
    comment: str = ""
    seconds: float | None = None
    tab: str = ""


class VariantStage:
    """Verbs on the review of variants."""

    def __init__(self, database: Database, clock: Callable[[], str] = current_time) -> None:
        self._db = database
        self._clock = clock
        self._holds = Holds(database, clock)

    def choices(self) -> dict[str, list[Any]]:
        """The kinds, tasks, domains and guards' outcomes that waiting variants are of."""
        return variant_queue.list_choices(self._db)

    @requires("decide on items")
    def find_next(self, kind: VariantKind, person: str, after: str | None = None) -> str | None:
        """The variant of the kind that is this person's next, and theirs from now on: the one they hold, or with `after` the
        first free one behind it. None when nothing (else) is free. Nobody in particular only looks."""
        at = self._clock()
        if not person.strip():
            return variant_queue.find_free_variant(self._db, kind, at)
        return variant_queue.claim(self._db, kind, person, at=at, minutes=self._holds.minutes, after=after)

    def find_previous(self, person: str, variant: str | None) -> str | None:
        """The variant that this person decided on before that one; None when there is none."""
        return variant_queue.find_previous_variant(self._db, person, variant) if person.strip() else None

    def progress(self, kind: VariantKind, person: str) -> VariantProgress:
        """How far this person is with the kind."""
        return variant_queue.load_progress(self._db, kind, person, at=self._clock(), since=start_of_today())

    def sheet(self, variant: str, person: str) -> dict[str, Any]:
        """What is on the screen for one variant. Raises BenchError when there is none, Refused when others decided on it and
        this person may not look."""
        data = variant_sheet.sheet(self._db, variant, person)
        made = fetch_reviews(self._db.rows, variant)
        mine = [review for review in made if review.person == person]
        if made and not mine and data["status"] != "drafted":
            check_permission(self._db, "open what is somebody else's", variant)
        is_own = data["kind"] == "human" and is_same_person(data["generator"], person)
        stands = made[-1] if made and made[-1].decision != "undo" else None
        last = variant_reviews.load_last_decision(self._db.rows, person) if person else None
        return data | {
            "held": self._held(variant, person),
            "blocked": OWN if is_own else "",
            "decided": None if stands is None else {"by": stands.person, "decision": stands.decision, "reason": stands.reason},
            "said": {"applied": None, "kept": None, "comment": ""}
            if stands is None or stands.person != person
            else {"applied": stands.details.get("applied"), "kept": stands.details.get("kept"), "comment": stands.comment},
            "has_undo": last is not None,
        }

    @requires("see releases")
    def beside(self, wanted: Sequence[str]) -> list[dict[str, Any]]:
        """Those variants as records, each with its `original`: the question that it was made of."""
        found = variants.load_variants(self._db, wanted)
        return [variant_record(one) | {"original": variant_sheet.original(self._db, one).question} for one in found]

    def hold(self, variant: str, person: str) -> dict[str, str] | None:
        """A sign of life: the variant stays this person's. Who else has it, as {"by", "until"}; None when nobody has."""
        if not person.strip() or explain_refusal(self._db, "decide on items"):
            return self._held(variant, person)
        other = variant_queue.hold(self._db, variant, person, at=self._clock(), minutes=self._holds.minutes)
        return None if other is None else {"by": other.person, "until": other.until}

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
    ) -> dict[str, Any]:
        """Keep what a person has typed and not sent: {"saved_at", "held"}. Raises EditedElsewhere when they typed other words
        in another tab."""
        if not person.strip():
            raise BenchError("What you type is kept under your name: give it first.")
        variant_sheet.get(self._db, variant)
        words = UnsentEdit(person, variant, revision, text, comment, (), seconds, on=ON, tab=tab)
        held = self.hold(variant, person)  # before the words: whoever is told that a write failed has nothing stored
        kept = unsent_edits.put(self._db, words, since=since, key=key, is_there=True)
        return {"saved_at": kept.at if kept else "", "held": held}

    @requires("decide on items", lambda given: given["press"].variant)
    def settle(self, press: VariantPress) -> dict[str, Any]:
        """Store a decision from the screen; the same press again is the same decision: {"variant", "repeat"}. Raises
        VariantConflict when somebody was faster or has it on the screen, BenchError on what cannot be stored."""
        text, (before, item) = _checked(press), self._words(press)
        edit = None
        if press.decision == "accept":
            if press.applied is not True or press.kept is not True:
                raise BenchError("Accepting says yes to both questions: answer them first, or edit the words, or discard it.")
            edit = None if text in ("", before.text.strip()) else self._edited(before, text, press.person, item)
        elif not press.reason.strip():
            raise BenchError("Choose a reason, or write one.")
        if press.seen in ("accepted", "discarded"):
            self._may_again(before.id, press.person)
        said = {"applied": press.applied, "kept": press.kept}
        details = {name: value for name, value in said.items() if value is not None}
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
            details,
        )
        typed = UnsentEdit(press.person, before.id, before.revision, press.text, press.comment, on=ON, tab=press.tab)
        done = variant_reviews.decide_variant(self._db, review, press.seen, edit, typed)
        return {"variant": variant_record(done.variant), "repeat": done.is_repeat}

    @requires("decide on items", "variant")
    def undo(self, person: str, key: str, variant: str | None = None) -> str:
        """Take back a person's last decision on a variant; returns the one that waits again. Raises BenchError when there is
        none, or somebody decided since."""
        if not person.strip() or not key.strip():
            raise BenchError("An undo needs a name and a key of its own: give your name first.")
        last = variant_reviews.load_last_decision(self._db.rows, person)
        wanted = variant or (last.item if last else "")
        return variant_reviews.undo(self._db, person, key, wanted, self._clock())

    def _held(self, variant: str, person: str) -> dict[str, str] | None:
        other = variant_queue.find_holder(self._db.rows, variant, person, self._clock())
        return None if other is None else {"by": other.person, "until": other.until}

    def _words(self, press: VariantPress) -> tuple[Variant, Item]:
        """The variant and the item that it was made of. Raises BenchError for one's own rewrite."""
        found = variant_sheet.get(self._db, press.variant)
        if found.kind == "human" and is_same_person(found.generator, press.person) and press.decision == "accept":
            raise BenchError("This rewrite is your own: somebody else decides whether it is accepted.")
        return found, variant_sheet.original(self._db, found)

    def _edited(self, before: Variant, text: str, person: str, item: Item) -> Variant:
        """The edit as a variant of its own, with numbers of its own: those of other words say nothing of these."""
        if is_same(item.question, text):
            raise BenchError("That is the question itself: a variant asks for the same in another form.")
        if not strip_to_alphanumerics(text):
            raise BenchError("The box holds no words: write the question, or discard the variant.")
        if told := find_leaked_answer(item.question, text, item.answers):
            raise BenchError(f"The box holds the gold answer “{told[:80]}”: take it out, or discard the variant.")
        of = before.checks.get(EDIT_KEY)
        lineage = {
            "of": before.id,
            "first": of["first"] if isinstance(of, dict) else before.id,
            "by": person,
            "was": before.text,
            "checks": dict(before.checks),
        }
        others = {
            v.kind: v.text
            for v in variants.load_variants_of(self._db, [item.id])
            if v.revision == before.revision and v.status != "discarded" and v.kind != before.kind
        }
        [measured] = guards([GuardedVariant(item, before.kind, text, others=others)], NOT_MEASURED)
        return replace(
            before,
            id=derived_id("edit", before.id, person, text),
            text=text,
            status="drafted",
            checks=measured | {EDIT_KEY: lineage},
        )

    def _may_again(self, variant: str, person: str) -> None:
        """Raises Refused when others decided on it and this person may not decide again."""
        made = fetch_reviews(self._db.rows, variant)
        if not any(review.person == person for review in made):
            check_permission(self._db, "decide again on what others decided", variant)


def _checked(press: VariantPress) -> str:
    """The words in the box as they are stored; raises BenchError on what cannot be."""
    text = press.text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not press.person.strip():
        raise BenchError("A decision needs a name: give yours first.")
    if not press.key.strip():
        raise BenchError("A decision needs a key of its own: load the page again.")
    if press.decision not in ("accept", "discard"):
        raise BenchError(f"{press.decision!r} is no decision: accept or discard.")
    longest = {"text": LONGEST, "reason": 5_000, "comment": 5_000, "name": 200, "key": 200}
    for name, words in (
        ("text", text),
        ("reason", press.reason),
        ("comment", press.comment),
        ("name", press.person),
        ("key", press.key),
    ):
        if len(words) > longest[name]:
            raise BenchError(f"The {name} has {len(words):,} characters; at most {longest[name]:,} can be stored: shorten it.")
        if _UNSTORABLE.search(words):
            raise BenchError(f"The {name} holds a character that no file can hold (NUL or half a character): take it out.")
    if press.seconds is not None and not (math.isfinite(press.seconds) and press.seconds >= 0):
        raise BenchError("The active seconds are no number from 0: load the page again.")
    return text
