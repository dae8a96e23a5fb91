"""The one row that says where an item stands: read by its key alone, for whoever looks at one item and asks several things of
it."""

from typing import NamedTuple

from core.nouns import Status
from store.engine.columns import Fetch
from store.queue.queue import PHASED_TASKS


class StateRow(NamedTuple):
    """A row of `state`, as its columns are."""

    number: int
    """Place in the order in which items came."""
    revision: int
    """The current one."""
    latest: int
    """The newest; above the current one where opinions have words of their own."""
    status: Status
    wanted: int
    """People."""
    given: int
    """Opinions that stand while it waits; 0 once it is decided."""
    task: str
    level: str | None
    domain: str
    language: str
    document: str | None
    """The one that a reader opens first."""
    flags: str

    @property
    def is_for_several(self) -> bool:
        """It waits for opinions of several people, or for somebody to decide between them."""
        return self.status == "drafted" and (self.wanted > 1 or self.given > 0)

    @property
    def is_in_phases(self) -> bool:
        """It waits for what people say of it in two phases, and for nothing else."""
        return self.status == "drafted" and self.task in PHASED_TASKS

    @property
    def is_touched(self) -> bool:
        """Whether a decision or an opinion that stands can be on it: not so of the words that came in, while they wait and
        nobody's opinion of them stands."""
        return not (self.status == "drafted" and self.latest == 1 and self.given == 0)

    @property
    def is_disputed(self) -> bool:
        """All opinions are in, and differ: it waits to be decided between them."""
        return self.status == "drafted" and self.given >= self.wanted

    @property
    def missing_opinions(self) -> int:
        """How many more opinions are wanted on it; 0 when it waits for none."""
        return max(0, self.wanted - self.given) if self.status == "drafted" else 0


def fetch_state_row(fetch: Fetch, item: str) -> StateRow | None:
    """The row of that item; None when there is none."""
    rows = fetch(f"SELECT {', '.join(StateRow._fields)} FROM state WHERE item = ?", [item])
    return StateRow(*rows[0]) if rows else None
