"""The state row of one item, read by its key."""

from typing import NamedTuple

from core.nouns import Status
from store.engine.columns import Fetch
from store.queue.queue import PHASED_TASKS


class StateRow(NamedTuple):
    """A row of the table `state`; its fields are the columns."""

    number: int
    """Number of the item in the order of arrival."""
    revision: int
    """Number of the current revision."""
    latest: int
    """Number of the newest revision, above the current revision if opinions have their own texts."""
    status: Status
    wanted: int
    """Number of people whose decision or opinion is needed."""
    given: int
    """Number of effective opinions on a waiting item; 0 after the decision."""
    task: str
    level: str | None
    domain: str
    language: str
    document: str | None
    """Id of the document that a reader opens first."""
    flags: str

    @property
    def is_for_several(self) -> bool:
        """Check whether the item is waiting for opinions of several people or for a decision between them."""
        return self.status == "drafted" and (self.wanted > 1 or self.given > 0)

    @property
    def is_in_phases(self) -> bool:
        """Check whether the item is waiting for a review in two phases."""
        return self.status == "drafted" and self.task in PHASED_TASKS

    @property
    def is_touched(self) -> bool:
        """Check whether the item can have an effective decision or opinion. An item whose first text is waiting without an
        opinion cannot."""
        return not (self.status == "drafted" and self.latest == 1 and self.given == 0)

    @property
    def is_disputed(self) -> bool:
        """Check whether all wanted opinions are given but differ, so that the item is waiting for a decision between them."""
        return self.status == "drafted" and self.given >= self.wanted

    @property
    def missing_opinions(self) -> int:
        """Return how many opinions the item still needs; 0 if it is waiting for none."""
        return max(0, self.wanted - self.given) if self.status == "drafted" else 0


def fetch_state_row(fetch: Fetch, item: str) -> StateRow | None:
    """Return the state row of the item, or None if there is none."""
    rows = fetch(f"SELECT {', '.join(StateRow._fields)} FROM state WHERE item = ?", [item])
    return StateRow(*rows[0]) if rows else None
