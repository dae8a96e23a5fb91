"""The way that a reviewer took through the items: what comes after a press, and what was on the screen before. The place is in
the URL; the way itself is this tab's, and after a reload the decisions stand in for it."""

import streamlit as st

from pages.parts.ui.presses import PageRequest
from workbench.annotate.reviewing.reviews import ItemKind, ReviewStage

LONGEST = 200
_WAY, _PLACE = "review_way", "review_place"


def restore() -> None:
    """Whoever comes back to the page by the menu finds it as it was left."""
    if not st.query_params:
        for name, value in st.session_state.get(_PLACE, {}).items():
            st.query_params[name] = value


def here(item: str) -> None:
    """This item is on the screen now, and the URL says so."""
    st.query_params["item"] = item
    st.session_state[_PLACE] = st.query_params.to_dict()


def before() -> str | None:
    """The item that was on the screen before this one, in this tab."""
    way: list[str] = st.session_state.get(_WAY, [])
    return way[-1] if way else None


def step(reviews: ReviewStage, pressed: PageRequest, kind: ItemKind, person: str) -> None:
    """Go where a press leads: the URL names the next item, or none when nothing else waits. Gone again, as whoever was ended on
    the way must, it leads to the same."""
    at = st.query_params.get("item", pressed.item)
    way: list[str] = st.session_state.setdefault(_WAY, [])
    if pressed.to == "back":
        target = way[-1] if way else reviews.find_previous(person, at)
    elif pressed.to in ("open", "undone"):
        target = pressed.item
    else:
        target = reviews.find_next(kind, person, at) or reviews.find_next(kind, person)
    if pressed.to != "back" and target != at and way[-1:] != [at]:
        way.append(at)
        del way[:-LONGEST]
    go(target)
    if pressed.to == "back":
        del way[-1:]


def go(item: str | None) -> None:
    """To that item; None = to the first that waits."""
    if item is not None:
        here(item)
    else:
        st.query_params.pop("item", None)
        st.session_state.pop(_PLACE, None)
