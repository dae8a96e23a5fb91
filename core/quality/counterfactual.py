"""Define the record of the origin of an item in a counterfactual release: the item that it was made from and, if its gold
answers were replaced, the old answers. The record is a step of the item, so that an export that withholds the answers of a
split leaves it out."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from core.nouns import Item

STEP = "counterfactual"
"""Kind of the step that contains the record of an item's origin."""
DEFAULT_SEED = 13
FactType = Literal["date", "year", "percentage", "money", "number", "name"]
"""Type of an answer that can be replaced; the new answer has the same type."""
Obstacle = Literal[
    "unanswerable",
    "own text",
    "from a table",
    "yes or no",
    "long answer",
    "no type",
    "too short",
    "several facts",
    "not in its evidence",
    "in the question",
    "in another question",
    "in a title alone",
    "part of a longer name",
    "shared in part",
    "overlaps another replacement",
    "no replacement",
    "left in a document",
    "new answer not in its evidence",
]
"""Why the answer of a chosen item is not replaced."""


class Origin(NamedTuple):
    """The item that an item of a counterfactual release was made from."""

    item: str
    old_answers: tuple[str, ...] = ()
    """The gold answers before the replacement; empty if they did not change."""
    type: FactType | None = None
    """Type of the replaced answer; None if the answer did not change, or changed only because a chosen item has the same
    answer."""


def origin_step(origin: Origin) -> dict[str, Any]:
    """Return the step of an item that contains the record of its origin."""
    return {"kind": STEP, "of": origin.item, "old_answers": list(origin.old_answers), "type": origin.type}


def read_origin(item: Item) -> Origin | None:
    """Return the item's origin, or None if the item was not made for a counterfactual release."""
    found: Mapping[str, Any] | None = next((step for step in item.steps if step.get("kind") == STEP), None)
    return None if found is None else Origin(found["of"], tuple(found["old_answers"]), found["type"])
