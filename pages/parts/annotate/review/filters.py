"""The filter of the items on the review desk, by task, level, domain, language, agent, and flags of gates (automatic
checks)."""

from pages.parts.annotate.kind_filter import KindFilter
from pages.parts.annotate.review import path as review_path
from workbench.annotate.desk.guidelines import name_task
from workbench.annotate.reviewing.reviews import ANY_FLAG, NO_FLAG, ItemKind

_FLAGS = {ANY_FLAG: "flagged by any gate", NO_FLAG: "passed by all gates"}


def _describe(name: str, value: object) -> str:
    if name == "flag":
        return _FLAGS.get(str(value)) or f"flagged by {str(value).replace('_', ' ')}"
    if name == "agent":
        return str(value)
    if name == "task":
        return name_task(str(value))
    return f"level {value}" if name == "level" else str(value).replace("_", " ")


ITEM_FILTER = KindFilter(
    ItemKind,
    "review",
    "items",
    {name: name.capitalize() for name in ItemKind._fields},
    _describe,
    lambda: review_path.go_to(None),
)
