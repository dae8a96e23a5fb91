"""What is on the screen for one variant: the question it was made of, its own words, what the guards measured, and what this
person typed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.errors import BenchError
from core.nouns import Item, Variant
from store import items, scratch, variant_reviews, variants
from store.database import Database
from workbench.annotate.desk import shown

ON = "variant"
"""What scratch on a variant is on."""
REASONS = ("perturbation not applied", "meaning changed", "another answer would fit", "gives the answer away",
           "not one question", "no longer readable")  # fmt: skip
"""Why variants are discarded; the first two are what a "no" to the two questions says."""
LONGEST = 20_000
"""Characters of a variant."""
MOST_ANSWERS = 20
HIDDEN = ("flags",)
"""Keys of a variant's checks that are shown otherwise than as a guard's number."""


class Guard(NamedTuple):
    """One guard's finding as it is shown."""

    name: str
    said: str
    is_flagged: bool


def sheet(database: Database, variant: str, person: str) -> dict[str, Any]:
    """What the page draws. Raises BenchError when there is no such variant."""
    found = get(database, variant)
    item = original(database, found)
    left = scratch.get(database, person, found.id, ON) if person else None
    edited = found.checks.get(variant_reviews.EDITED)
    return {
        "person": person, "item": {"id": found.id, "revision": found.revision}, "kind": found.kind, "text": found.text,
        "status": found.status, "generator": found.generator, "seed": found.seed,
        "edited_by": edited.get("by", "") if isinstance(edited, Mapping) else "",
        "original": shown(replace(item, answers=item.answers[:MOST_ANSWERS])), "kind_label": said_of(found.kind), "asks": "",
        "guards": [one._asdict() | {"label": said_of(one.name)} for one in guards(found.checks)], "reasons": list(REASONS),
        "scratch": left and {"question": left.question, "answer": left.answer, "revision": left.revision,
                             "seconds": left.seconds, "saved_at": left.at, "evidence": []},
    }  # fmt: skip


def get(database: Database, variant: str) -> Variant:
    """Raises BenchError when there is none."""
    found = variants.many(database, [variant])
    if not found:
        raise BenchError(f"No variant {variant} in this workspace: go on with the next.")
    return found[0]


def original(database: Database, variant: Variant) -> Item:
    """The item in the words that the variant was made of."""
    worded = items.worded(database, variant.item, variant.revision)
    if worded is None:
        raise BenchError(f"The words that {variant.id} was made of are not in this workspace: import its item first.")
    return worded.item


def guards(checks: Mapping[str, Any]) -> list[Guard]:
    """Each guard's number or verdict, flagged ones first."""
    flags = checks.get("flags", ())
    named = frozenset(map(str, flags)) if isinstance(flags, Sequence) and not isinstance(flags, str) else frozenset()
    shown = {name: value for name, value in checks.items() if name not in (*HIDDEN, variant_reviews.EDITED)}
    found = [Guard(name, _said(value), name in named) for name, value in shown.items()]
    found += [Guard(name, "flagged", True) for name in sorted(named - shown.keys())]
    return sorted(found, key=lambda one: not one.is_flagged)


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
