"""Find: items by their words, by what they are of and by likeness; and what is done with many of them at once."""

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.find import bulk_box, filters
from pages.parts.annotate.find import list as found_list
from pages.parts.annotate.find.asked import read, words
from pages.parts.ui.allowed import why_not
from pages.parts.ui.heading import empty, heading
from pages.parts.ui.in_url import number
from pages.parts.ui.person import person
from pages.parts.ui.say import trouble
from pages.parts.ui.waiting import waiting
from workbench import opened
from workbench.annotate.finding.bulk import All
from workbench.annotate.finding.finding import FoundPage, ItemSearch, Like

find = opened().find


def main() -> None:
    """The filters, the list, and what can be done with it."""
    heading("Find", "Items by their words, by what they are of, and by what they are like.")
    choices = find.choices()
    if not choices["task"]:
        empty(
            "No items yet",
            "Draft some from the corpus, or import a benchmark.",
            "pages/build/draft.py",
            "Draft items",
            "draft items",
        )
        return
    filters.show(choices, not why_not("see who did what"))
    search, like = read(words())
    try:
        working = find.page(search, like, number("page"))
    except BenchError as error:
        trouble(str(error))
        return
    if working.value is None:
        waiting(lambda: find.page(search, like, number("page")).is_ready, _how_far())
        return
    listed(working.value, search, like)


def listed(found: FoundPage, search: ItemSearch, like: Like) -> None:
    """What can be done with many of them, in sight of the rows that are ticked; then the rows with their number."""
    box = st.container()
    line = st.container(horizontal=True, vertical_alignment="center", gap="small")
    ticked: list[str] = []
    if found.rows:
        ticked = found_list.show(found, st.session_state.get(bulk_box.TURN, 0))
    with line:
        st.markdown(f"**{found.total:,} {'item' if found.total == 1 else 'items'}**", width="content")
        if ticked:
            st.caption(f"{len(ticked):,} ticked", width="content")
        if found.alike is not None:
            st.caption(_compared(found), width="content")
        filters.reset()
        st.space("stretch")
        filters.order()
        if len(ticked) == 1:
            st.button(
                "Items like this one",
                key="find_like_this",
                icon=":material/join_inner:",
                type="tertiary",
                on_click=found_list.like,
                args=(ticked,),
            )
        if found.rows and st.button("One by one on the desk", key="find_walk", icon=":material/rate_review:", type="tertiary"):
            found_list.open_((ticked or [found.rows[0]["id"]])[0])
    if not found.rows:
        st.caption("There is no such page." if found.total else "Nothing fits: take a filter away.")
    found_list.pages(found)
    if not why_not("change items in bulk"):
        with box:
            bulk_box.show(ticked, All(search, like), found.total, person())
        bulk_box.so_far()


def _compared(found: FoundPage) -> str:
    """What the likeness was told by, and what could not be compared."""
    alike = found.alike
    if alike is None:
        return ""
    how = "spelling, not meaning" if alike.is_lexical else "meaning"
    left = f"; {alike.left_out:,} of another language, or too long, are not compared" if alike.left_out else ""
    return f"most alike first, by {how} ({alike.model}){left}"


def _how_far() -> str:
    """What is waited for."""
    said = find.how_far()
    return f"Comparing: {said}. Each is read once and kept; you can leave the page meanwhile." if said else "Comparing ..."


main()
