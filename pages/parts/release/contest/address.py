"""The filters of the list of contests, which the page's URL contains."""

from typing import NamedTuple, cast

from pages.parts.ui.in_url import read_word
from workbench.release.contests import ContestState

STATES = {"open": "Open", "accepted": "Accepted", "dismissed": "Dismissed", "all": "All"}


class ContestFilter(NamedTuple):
    """Which contests the list shows; None = all."""

    release: str | None
    state: ContestState | None


def read_filter() -> ContestFilter:
    """Return the filters in the page's URL; without any, the open contests of all releases."""
    state = read_word("state", "open", list(STATES))
    return ContestFilter(read_word("release") or None, None if state == "all" else cast(ContestState, state))
