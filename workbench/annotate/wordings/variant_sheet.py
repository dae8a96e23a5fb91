"""What is on the screen for one variant: the question it was made of, its own words, what the guards measured, and what this
person typed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from builders.variation.guards import FLAGS
from builders.variation.perturbation import perturbations
from core.errors import BenchError
from core.nouns import Item, Variant
from store.engine.database import Database
from store.items import items
from store.reviews import unsent_edits
from store.reviews.rewrites import HUMAN
from store.reviews.variant_reviews import EDIT_KEY
from store.variants import variants
from workbench.annotate.desk.desk import shown

ON = "variant"
"""What scratch on a variant is on."""
REASONS = (
    "perturbation not applied",
    "meaning changed",
    "another answer would fit",
    "gives the answer away",
    "not one question",
    "no longer readable",
)
"""Why variants are discarded; the first two are what a "no" to the two questions says."""
LONGEST = 20_000
"""Characters of a variant."""
MOST_ANSWERS = 20
SHARE, RATIO = ("shared", "in_order", "edit"), ("words_ratio", "characters_ratio")
"""Numbers that are shares of 1, and those that are lengths of the variant to the question's."""
GUARDS = {
    "similarity": "alike in meaning",
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
"""What is measured on every variant, in the order in which it is shown, in the reader's words."""
UNSAID = ("flags", "similarity_why", "similarity_limit", "flesch_original", "questions_original", EDIT_KEY)
"""Keys of a variant's checks that are told beside others, or not at all."""


def sheet(database: Database, variant: str, person: str) -> dict[str, Any]:
    """What the page draws. Raises BenchError when there is no such variant."""
    found = get(database, variant)
    item = original(database, found)
    left = unsent_edits.get(database, person, found.id, ON) if person else None
    edited = found.checks.get(EDIT_KEY)
    return {
        "person": person,
        "item": {"id": found.id, "revision": found.revision},
        "kind": found.kind,
        "text": found.text,
        "status": found.status,
        "generator": found.generator,
        "seed": found.seed,
        "edited_by": edited.get("by", "") if isinstance(edited, Mapping) else "",
        "original": shown(replace(item, answers=item.answers[:MOST_ANSWERS])),
        "kind_label": said_of(found.kind),
        "asks": wanted(found.kind),
        "guards": guards(found.checks),
        "flags": flags(found.checks),
        "making": making(found),
        "reasons": list(REASONS),
        "scratch": left
        and {
            "question": left.question,
            "answer": left.answer,
            "revision": left.revision,
            "seconds": left.seconds,
            "saved_at": left.at,
            "evidence": [],
        },
    }


def get(database: Database, variant: str) -> Variant:
    """Raises BenchError when there is none."""
    found = variants.load_variants(database, [variant])
    if not found:
        raise BenchError(f"No variant {variant} in this workspace: go on with the next.")
    return found[0]


def original(database: Database, variant: Variant) -> Item:
    """The item in the words that the variant was made of."""
    worded = items.load_revision(database, variant.item, variant.revision)
    if worded is None:
        raise BenchError(f"The words that {variant.id} was made of are not in this workspace: import its item first.")
    return worded.item


def guards(checks: Mapping[str, Any]) -> list[dict[str, str]]:
    """{"label", "said"} of each number that is measured on every variant, as far as it is there."""
    return [{"label": label, "said": _measured(name, checks)} for name, label in GUARDS.items() if name in checks]


def flags(checks: Mapping[str, Any]) -> list[dict[str, str]]:
    """{"flag", "about"} of what is out of the ordinary."""
    found = checks.get("flags") or ()
    named = [str(one) for one in found] if isinstance(found, Sequence) and not isinstance(found, str) else []
    return [{"flag": one, "about": FLAGS.get(one, "")} for one in named]


def wanted(kind: str) -> str:
    """What a variant of the kind is to be, in a sentence; "" for a kind that is not ours."""
    if kind == HUMAN:
        return "The question in a person's own words."
    known = perturbations()
    return known[kind].about if kind in known else ""


def making(variant: Variant) -> list[dict[str, str]]:
    """{"label", "said"} of what else is known of how it was made."""
    known = {"made by": variant.generator, "seed": variant.seed} | {
        said_of(name): value for name, value in variant.checks.items() if name not in (*GUARDS, *UNSAID)
    }
    return [{"label": label, "said": _said(value)} for label, value in known.items() if value not in (None, "", [], {})]


def _measured(name: str, checks: Mapping[str, Any]) -> str:
    value = checks[name]
    if name == "similarity" and value is None:
        return str(checks.get("similarity_why") or "not measured")
    if isinstance(value, int | float) and not isinstance(value, bool) and name in SHARE:
        return f"{value:.0%}"
    said = f"\u00d7 {value:.2f}" if isinstance(value, float) and name in RATIO else _said(value)
    limit, before = checks.get("similarity_limit") if name == "similarity" else None, checks.get(f"{name}_original")
    return (
        said
        + (f", random pairs reach {_said(limit)}" if limit is not None else "")
        + (f", the original's {_said(before)}" if before is not None else "")
    )


def said_of(name: str) -> str:
    """A name as people read it."""
    return name.replace("_", " ")


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "not measured"
    if isinstance(value, int | float):
        return f"{value:,.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else f"{value:,}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_said(one)}" for name, one in value.items())
    return (", ".join(map(_said, value)) or "none") if isinstance(value, list | tuple) else str(value)
