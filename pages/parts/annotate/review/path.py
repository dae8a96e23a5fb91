"""The way that a reviewer took through the items: what comes after a press, and what was on the screen before. The address
holds the item; the way itself is this tab's, and after a reload the decisions take its place."""

import streamlit as st

from pages.parts.annotate.way import MAX_ENTRIES
from pages.parts.ui.presses import PageRequest
from workbench.annotate.reviewing.reviews import ItemKind, ReviewStage

_WAY, _PLACE = "review_way", "review_place"


def restore() -> None:
    """Open the page as it was left, for a person who comes back by the menu."""
    if not st.query_params:
        for name, value in st.session_state.get(_PLACE, {}).items():
            st.query_params[name] = value


def find_previous() -> str | None:
    """The item that was on the screen before this one, in this tab."""
    way: list[str] = st.session_state.get(_WAY, [])
    return way[-1] if way else None


def step(reviews: ReviewStage, pressed: PageRequest, kind: ItemKind, person: str) -> None:
    """Go where a press leads: the address names the next item, or none when nothing else waits.

    A second run of the same press, after the first was ended on its way, leads to the same item."""
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
    """Write the item into the address; None = the first that waits."""
    if item is None:
        st.query_params.pop("item", None)
        st.session_state.pop(_PLACE, None)
    else:
        st.query_params["item"] = item
        st.session_state[_PLACE] = st.query_params.to_dict()
