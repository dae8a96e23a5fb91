"""List the reasons for discarding an item from which people choose on the screen. A workspace can have its own list of
reasons."""

from core.nouns import Item
from store.engine import settings
from store.engine.database import Database

SETTING = "discard_reasons"
"""Key of the workspace setting with the workspace's own list of reasons."""
FIRST_REASONS = ("not answerable from the text", "answer wrong", "evidence wrong")
REASONS_BY_TASK = {
    "explicit_factoid": ("trivial or keyword match",),
    "implicit_factoid": ("names the hidden referent", "description fits several things"),
    "explicit_rationale": ("a claim is not supported", "one sentence answers it"),
    "implicit_rationale": ("a claim is not supported", "asks for a fact, not for the whole"),
}
OTHER_TASK_REASONS = ("trivial or keyword match",)
LAST_REASONS = ("ambiguous", "duplicate", "badly worded", "other")


def reasons(database: Database, item: Item | None = None) -> list[str]:
    """Return the reasons for discarding `item` (None = any item): the workspace's own list, or the default list for the
    task."""
    own = settings.get(database, SETTING)
    if isinstance(own, list) and own:
        return [str(reason) for reason in own]
    of_task = REASONS_BY_TASK.get(item.task, OTHER_TASK_REASONS) if item else OTHER_TASK_REASONS
    return [*FIRST_REASONS, *of_task, *LAST_REASONS]
