"""The sequence of items that a reviewer goes through in one browser tab: the item that a button press opens, and the items
shown before. The page's URL contains the item on the screen, and the session holds the earlier items; after a reload, the items
that the person decided on take the place of the earlier items."""

import streamlit as st

from pages.parts.annotate.tab_path import TabPath
from pages.parts.ui.presses import PageRequest
from workbench.annotate.queue.tab_visits import TabVisit, TabVisits
from workbench.annotate.reviewing.reviews import ItemKind, ReviewStage

MAX_ENTRIES = 200
_WAY, _PLACE = "review_way", "review_place"
_PATH = TabPath("review")


def get_tab() -> str:
    """Return the id of this browser tab, under which `TabVisits` stores the item that the tab shows."""
    return _PATH.get_tab()


def restore(visits: TabVisits) -> None:
    """Restore the item and filters that the page last showed, if the person has come back to the page through the menu."""
    if not st.query_params:
        visit = visits.find(get_tab())
        for name, value in st.session_state.get(_PLACE, {}).items():
            st.query_params[name] = visit.item if visit and name == "item" else value


def find_visit(visits: TabVisits) -> TabVisit | None:
    """Return the record of the item that the review desk opened by itself since the last run of this page, or None (see
    TabPath.find_visit)."""
    return _PATH.find_visit(visits)


def find_previous() -> str | None:
    """Return the id of the item that this tab showed before the current item, or None if there is none."""
    way: list[str] = st.session_state.get(_WAY, [])
    return way[-1] if way else None


def step(reviews: ReviewStage, pressed: PageRequest, kind: ItemKind, person: str) -> None:
    """Open the item that the button press `pressed` leads to: write the item's id into the page's URL, or remove the id if no
    item waits.

    If the run that handles a press is interrupted and repeated, the second run opens the same item."""
    here = st.query_params.get("item", pressed.item)
    way: list[str] = st.session_state.setdefault(_WAY, [])
    if pressed.to == "back":
        target = way[-1] if way else reviews.find_previous(person, here)
    elif pressed.to in ("open", "undone"):
        target = pressed.item
    else:
        target = reviews.find_next(kind, person, here) or reviews.find_next(kind, person)
    if pressed.to != "back" and target != here and way[-1:] != [here]:
        way.append(here)
        del way[:-MAX_ENTRIES]
    go_to(target)
    if pressed.to == "back":
        del way[-1:]


def go_to(item: str | None) -> None:
    """Make the next run of the page open `item`, or the first waiting item if `item` is None."""
    _PATH.go_to(item)
    if item is None:
        st.session_state.pop(_PLACE, None)
    else:
        st.session_state[_PLACE] = st.query_params.to_dict()


def write(item: str) -> None:
    """Write the id of the item on the screen into the page's URL. From then on the review desk opens the next items without a
    run of the page, until the URL changes."""
    go_to(item)
    _PATH.write(item)
