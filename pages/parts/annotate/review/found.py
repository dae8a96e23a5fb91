"""The review desk on a list of items that was opened from the page Find: the desk goes through all items of the list, including
those that no longer wait for a review."""

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.find.list_address import read_search, unpack
from pages.parts.annotate.review import path as review_path
from pages.parts.ui.presses import PageRequest
from workbench import open_workbench
from workbench.annotate.finding.finding import ListPosition


def is_open() -> bool:
    """Return whether the review desk goes through a list from the page Find; if so, the page's URL contains the list."""
    return bool(st.query_params.get("found"))


def show(item: str | None) -> None:
    """Show the item's position in the list, buttons that open the previous and next item, and the link back to the list."""
    place = _find_place(item) if item else None
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.page_link(
            "pages/annotate/find.py",
            label="Back to the list",
            icon=":material/search:",
            query_params=unpack(str(st.query_params.get("found", ""))),
            width="content",
        )
        if place is not None:
            st.caption(f"Item {place.number:,} of the {place.of:,} found", width="content")
            for name, target, icon in (("Before", place.before, "arrow_back"), ("After", place.after, "arrow_forward")):
                st.button(
                    name,
                    key=f"found_{name}",
                    icon=f":material/{icon}:",
                    type="tertiary",
                    disabled=target is None,
                    on_click=review_path.go_to,
                    args=(target,),
                )
        st.button("All waiting items", key="found_leave", type="tertiary", icon=":material/close:", on_click=_leave)


def has_before(item: str) -> bool:
    """Return whether another item comes before `item` in the list."""
    place = _find_place(item)
    return place is not None and place.before is not None


def step(pressed: PageRequest, item: str) -> None:
    """Open the next or previous item of the list, as the button press `pressed` asks; at either end of the list, stay on
    `item`."""
    if pressed.to in ("open", "undone"):
        review_path.go_to(pressed.item)
        return
    place = _find_place(item)
    target = None if place is None else place.before if pressed.to == "back" else place.after
    review_path.go_to(target or item)


def _find_place(item: str) -> ListPosition | None:
    search, like = read_search(unpack(str(st.query_params["found"])))
    try:
        return open_workbench().find.place(search, like, item)
    except BenchError:  # the similarity of the items is still being computed
        return None


def _leave() -> None:
    st.query_params.pop("found", None)
    review_path.go_to(None)
