"""The sequence of queue entries in one browser tab: which entry the page shows, and which entry a button press opens.

The page's URL contains the id of the entry on the screen. The component opens further entries without a run of the script, and
Streamlit does not see the URL that the component writes. If Streamlit still has the URL that the last run wrote, the page
therefore shows the entry that the component opened last."""

from collections.abc import Callable
from uuid import uuid4

import streamlit as st

from pages.parts.ui.frame import is_arrival
from pages.parts.ui.in_url import read_word, write_address
from pages.parts.ui.presses import PageRequest
from workbench.annotate.queue.tab_visits import TabVisit, TabVisits


class TabPath:
    """The sequence of queue entries on one page; `name` is the URL parameter that contains the entry's id, and the session keys
    begin with `key`."""

    def __init__(self, key: str, name: str = "item") -> None:
        self._tab, self._written, self._name = f"{key}_tab", f"{key}_written", name

    def get_tab(self) -> str:
        """Return the id of this browser tab, under which `TabVisits` stores the entry that the tab shows."""
        return str(st.session_state.setdefault(self._tab, uuid4().hex))

    def find_visit(self, visits: TabVisits) -> TabVisit | None:
        """Return the record of the entry that the component opened by itself since the last run of this page. Return None if
        the component opened no entry, or if the page's URL was changed."""
        written = st.session_state.get(self._written)
        if is_arrival() or written is None or read_word(self._name) != written:
            return None
        return visits.find(self.get_tab())

    def write(self, entry: str) -> None:
        """Write the id of the entry that this run shows into the page's URL. From then on the component opens the next entries
        by itself, until the URL changes."""
        write_address(**{self._name: entry})
        st.session_state[self._written] = entry

    def go_to(self, entry: str | None) -> None:
        """Make the next run of the page open `entry`, or the first waiting entry if `entry` is None."""
        st.session_state.pop(self._written, None)
        write_address(**{self._name: entry})

    def step(
        self, pressed: PageRequest, find_next: Callable[[str], str | None], find_previous: Callable[[str], str | None]
    ) -> str | None:
        """Open the entry that the button press `pressed` leads to, and return its id. `find_next` and `find_previous` return
        the id of the entry after or before a given entry, or None.

        If no other entry waits, the request `next` keeps the open entry, and `saved` closes the entry."""
        here = read_word(self._name, pressed.item)
        if pressed.to == "changed":
            return here
        if pressed.to in ("open", "undone"):
            target: str | None = pressed.item
        elif pressed.to == "back":
            target = find_previous(here)
        else:
            target = find_next(here) or (here if pressed.to == "next" else None)
        self.go_to(target)
        return target
