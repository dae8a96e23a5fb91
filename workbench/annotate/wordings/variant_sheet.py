"""Collect what the page shows for one variant: the original question, the variant's text, the results of guards (automatic
checks), and what the person has typed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from builders.variation.guards import FLAGS
from builders.variation.perturbation import perturbations
from core.errors import BenchError
from core.nouns import Item, Status, Variant
from store.engine.database import Database
from store.items import items
from store.reviews import unsent_edits
from store.reviews.rewrites import HUMAN
from store.reviews.variant_reviews import EDIT_KEY
from store.variants import variants
from workbench.annotate.desk.desk_data import DeskBar, DeskItem, DeskVisit, Holder, UnsentWords, describe_item

EDITS_KIND = "variant"
"""Value of the field `on` in unsent edits of a variant."""
REASONS = (
    "perturbation not applied",
    "meaning changed",
    "another answer would fit",
    "gives the answer away",
    "not one question",
    "no longer readable",
)
"""Reasons for discarding variants. The first two belong to the answer "no" to one of the reviewer's two questions."""
MAX_CHARACTERS = 20_000
"""Maximum length of a variant in characters."""
MAX_ANSWERS = 20
SHARES, RATIOS = ("shared", "in_order", "edit"), ("words_ratio", "characters_ratio")
"""Names of the guards' measures that are shares from 0 to 1, and of those that are ratios between the lengths of variant and
question."""
GUARDS = {
    "similarity": "similarity in meaning",
    "words_ratio": "length in words",
    "characters_ratio": "in characters",
    "shared": "content words kept",
    "in_order": "in the same order",
    "edit": "letters changed",
    "flesch": "Flesch reading ease",
    "questions": "questions asked",
    "same_as": "same letters as",
    "verdict": "verdict",
    "verifier": "verified by",
    "near": "near",
    "kept_because": "kept because",
}
"""Dict from measure to its label on the screen, in the order in which the screen shows them."""
OTHER_CHECKS = ("flags", "similarity_why", "similarity_limit", "flesch_original", "questions_original", EDIT_KEY)
"""Keys of a variant's checks that the screen shows as part of another measure, or not at all."""


@dataclass(frozen=True, slots=True)
class LabelledFact:
    """A property of a variant: its label and its value in words."""

    label: str
    said: str


@dataclass(frozen=True, slots=True)
class GuardFlag:
    """Something unusual that a guard (automatic check) found in a variant."""

    flag: str
    about: str


@dataclass(frozen=True, slots=True)
class VariantRevision:
    """The id of a variant, and the revision of the item from which it was created."""

    id: str
    revision: int


@dataclass(frozen=True, slots=True)
class VariantDecisionLine:
    """The decision on a variant that is in effect, with its author and reason."""

    by: str
    decision: str
    reason: str


@dataclass(frozen=True, slots=True)
class VariantAnswers:
    """A person's answers to the two questions on a variant: does it have the intended change, and is the meaning the same? None
    means that the person has not answered."""

    applied: bool | None = None
    kept: bool | None = None
    comment: str = ""


@dataclass(frozen=True, slots=True)
class VariantSheet:
    """A variant with everything that the page shows to its reviewer; pages/components/variant/variant.js uses the same field
    names."""

    person: str
    item: VariantRevision
    kind: str
    text: str
    status: Status
    generator: str
    seed: int | None
    edited_by: str
    """Name of the person who edited the variant; "" if nobody did."""
    original: DeskItem
    kind_label: str
    asks: str
    """Sentence that says what a variant of this kind must be like."""
    guards: Sequence[LabelledFact]
    flags: Sequence[GuardFlag]
    making: Sequence[LabelledFact]
    """Facts about how the variant was made, such as the agent and the seed."""
    scratch: UnsentWords | None
    reasons: Sequence[str] = REASONS
    held: Holder | None = None
    blocked: str = ""
    """Reason why this person may not accept the variant; "" if the person may."""
    decided: VariantDecisionLine | None = None
    said: VariantAnswers = VariantAnswers()
    """This person's answers to the two questions on the variant."""
    has_undo: bool = False
    has_back: bool = False
    sample: str = ""
    """Id of the sample for which the variant is judged; "" if it is not judged for a sample."""
    around: str = ""
    """Key of what the page shows around the variant; if the key changes, the whole page is drawn again."""
    bar: DeskBar | None = None
    """The line above the variant with the person's progress, or None if the page itself writes this line."""
    visit: DeskVisit | None = None


def load_sheet(database: Database, id_: str, person: str) -> VariantSheet:
    """Load what the page shows for a variant. Raises BenchError if the variant does not exist."""
    variant = get_variant(database, id_)
    item = load_original(database, variant)
    edited, kinds = variant.checks.get(EDIT_KEY), perturbations()
    about = kinds[variant.kind].about if variant.kind in kinds else ""
    return VariantSheet(
        person=person,
        item=VariantRevision(variant.id, variant.revision),
        kind=variant.kind,
        text=variant.text,
        status=variant.status,
        generator=variant.generator,
        seed=variant.seed,
        edited_by=edited.get("by", "") if isinstance(edited, Mapping) else "",
        original=describe_item(replace(item, answers=item.answers[:MAX_ANSWERS])),
        kind_label=_spell(variant.kind),
        asks="The question in a person's own words." if variant.kind == HUMAN else about,
        guards=[
            LabelledFact(label, _measure(name, variant.checks)) for name, label in GUARDS.items() if name in variant.checks
        ],
        flags=_list_flags(variant.checks),
        making=_list_making(variant),
        scratch=UnsentWords.from_edits(unsent_edits.get(database, person, variant.id, EDITS_KIND) if person else None),
    )


def get_variant(database: Database, id_: str) -> Variant:
    """Return the variant with this id. Raises BenchError if the variant does not exist."""
    rows = variants.load_variants(database, [id_])
    if not rows:
        raise BenchError(f"No variant {id_} in this workspace: go on with the next variant.")
    return rows[0]


def load_original(database: Database, variant: Variant) -> Item:
    """Load the item at the revision from which the variant was made."""
    words = items.load_revision(database, variant.item, variant.revision)
    if words is None:
        raise BenchError(
            f"The item revision from which {variant.id} was created is not in this workspace: import that item first."
        )
    return words.item


def _list_flags(checks: Mapping[str, Any]) -> list[GuardFlag]:
    flags = checks.get("flags") or ()
    names = [str(flag) for flag in flags] if isinstance(flags, Sequence) and not isinstance(flags, str) else []
    return [GuardFlag(name, FLAGS.get(name, "")) for name in names]


def _list_making(variant: Variant) -> list[LabelledFact]:
    """List facts about how the variant was made, without the results of its guards (automatic checks)."""
    facts = {"made by": variant.generator, "seed": variant.seed}
    facts |= {_spell(name): value for name, value in variant.checks.items() if name not in (*GUARDS, *OTHER_CHECKS)}
    return [LabelledFact(label, _print(value)) for label, value in facts.items() if value not in (None, "", [], {})]


def _measure(name: str, checks: Mapping[str, Any]) -> str:
    value = checks[name]
    if name == "similarity" and value is None:
        return str(checks.get("similarity_why") or "not measured")
    if isinstance(value, int | float) and not isinstance(value, bool) and name in SHARES:
        return f"{value:.0%}"
    text = f"\u00d7 {value:.2f}" if isinstance(value, float) and name in RATIOS else _print(value)
    if name == "similarity" and (limit := checks.get("similarity_limit")) is not None:
        text += f", random pairs reach {_print(limit)}"
    if (original := checks.get(f"{name}_original")) is not None:
        text += f", the original's {_print(original)}"
    return text


def _spell(name: str) -> str:
    return name.replace("_", " ")


def _print(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "not measured"
    if isinstance(value, int | float):
        return f"{value:,.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else f"{value:,}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_print(part)}" for name, part in value.items())
    return (", ".join(map(_print, value)) or "none") if isinstance(value, list | tuple) else str(value)
