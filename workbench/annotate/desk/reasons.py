"""Why items are discarded: the list that the screen offers beside free text. A workspace may keep a list of its own."""

from core.nouns import Item
from store.engine import settings
from store.engine.database import Database

SETTING = "discard_reasons"
"""Key of the workspace's own list."""
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
    """The workspace's list, else ours for that kind of item; None = for items of any kind."""
    own = settings.get(database, SETTING)
    if isinstance(own, list) and own:
        return [str(reason) for reason in own]
    of_task = REASONS_BY_TASK.get(item.task, OTHER_TASK_REASONS) if item else OTHER_TASK_REASONS
    return [*FIRST_REASONS, *of_task, *LAST_REASONS]
