"""Why items are discarded: the list that the screen offers beside free text. A workspace may keep a list of its own."""

from core.nouns import Item
from store.engine import settings
from store.engine.database import Database

SETTING = "discard_reasons"
"""Key of the workspace's own list."""
ALWAYS = ("not answerable from the text", "answer wrong", "evidence wrong")
BY_TASK = {
    "explicit_factoid": ("trivial or keyword match",),
    "implicit_factoid": ("names the hidden referent", "description fits several things"),
    "explicit_rationale": ("a claim is not supported", "one sentence answers it"),
    "implicit_rationale": ("a claim is not supported", "asks for a fact, not for the whole"),
}
ANY_TASK = ("trivial or keyword match",)
LAST = ("ambiguous", "duplicate", "badly worded", "other")


def reasons(database: Database, item: Item) -> list[str]:
    """The workspace's list, else ours for that kind of item."""
    own = settings.get(database, SETTING)
    if isinstance(own, list) and own:
        return [str(reason) for reason in own]
    return [*ALWAYS, *BY_TASK.get(item.task, ANY_TASK), *LAST]


def reasons_for_many(database: Database) -> list[str]:
    """The workspace's list, else those of ours that any item can have."""
    own = settings.get(database, SETTING)
    return [str(reason) for reason in own] if isinstance(own, list) and own else [*ALWAYS, *ANY_TASK, *LAST]
