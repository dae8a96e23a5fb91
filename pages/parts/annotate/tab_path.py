"""The path through a queue in one browser tab: which entry the page shows, and which entry follows a button press.

The address holds the entry on the screen. The component goes from entry to entry without a run of the script, and Streamlit
does not learn of the address that the component writes. So if the address is still the one that the last run wrote, a run uses
the entry that the component received last."""

from collections.abc import Callable
from uuid import uuid4

import streamlit as st

from pages.parts.ui.frame import is_arrival
from pages.parts.ui.in_url import read_word, write_address
from pages.parts.ui.presses import PageRequest
from workbench.annotate.queue.tab_visits import TabVisit, TabVisits


class TabPath:
    """The path of one page; `name` is the entry's name in the address, and the keys in the session begin with `key`."""

    def __init__(self, key: str, name: str = "item") -> None:
        self._tab, self._written, self._name = f"{key}_tab", f"{key}_written", name

    def get_tab(self) -> str:
        """Return the id under which the page's visits store this tab."""
        return str(st.session_state.setdefault(self._tab, uuid4().hex))

    def find_visit(self, visits: TabVisits) -> TabVisit | None:
        """Return the visit with the entry that the component opened by itself since the last run of this page. Return None if
        it opened none, or if somebody changed the address."""
        written = st.session_state.get(self._written)
        if is_arrival() or written is None or read_word(self._name) != written:
            return None
        return visits.find(self.get_tab())

    def write(self, entry: str) -> None:
        """Write the entry that this run draws into the address. From then on the component opens the next entries by itself,
        until the address changes."""
        write_address(**{self._name: entry})
        st.session_state[self._written] = entry

    def go_to(self, entry: str | None) -> None:
        """Open `entry` in a run of the page, or the first waiting entry if it is None."""
        st.session_state.pop(self._written, None)
        write_address(**{self._name: entry})

    def step(
        self, pressed: PageRequest, find_next: Callable[[str], str | None], find_previous: Callable[[str], str | None]
    ) -> str | None:
        """Open the entry that the button press `pressed` leads to, and return it. `find_next` and `find_previous` return the
        entry after and before an entry, or None.

        When nothing else waits, `next` keeps the open entry, and `saved` closes the entry."""
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
