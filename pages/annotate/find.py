"""Find: search items by text, by properties and by similarity, and change many items together."""

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.find import bulk_box, filters, item_table
from pages.parts.annotate.find.list_address import read_address, read_search
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.in_url import read_number, show_pages
from pages.parts.ui.person import get_person
from pages.parts.ui.say import count_things, show_error
from pages.parts.ui.waiting import wait_until
from workbench import open_workbench
from workbench.annotate.finding.bulk import AllFound
from workbench.annotate.finding.finding import PAGE_SIZE, FoundPage, ItemSearch, SimilarItems, SimilarityQuery

find = open_workbench().find


def main() -> None:
    """Show the filters, the list of items found, and the actions on these items."""
    show_heading("Find", "Find items by their words, by their properties, and by similarity.")
    choices = find.choices()
    if not choices["task"]:
        do = "Draft items from the corpus, or import a benchmark."
        show_empty("No items yet", do, "pages/build/draft.py", "Draft items", "draft items")
        return
    filters.show(choices, not explain_refusal("see who did what"))
    search, query = read_search(read_address())
    try:
        working = find.page(search, query, read_number("page"))
    except BenchError as error:
        show_error(str(error))
        return
    if working.value is None:
        progress = find.describe_progress()
        words = f"Comparing: {progress}. Each item is compared once; you can leave the page meanwhile."
        wait_until(lambda: find.page(search, query, read_number("page")).is_ready, words if progress else "Comparing ...")
        return
    show_list(working.value, search, query)


def show_list(page: FoundPage, search: ItemSearch, query: SimilarityQuery) -> None:
    """Show the actions on many items, the number of items found, and one page of the list."""
    box = st.container()
    line = st.container(horizontal=True, vertical_alignment="center", gap="small")
    ticked = item_table.show(page, st.session_state.get(bulk_box.TURN, 0)) if page.rows else []
    with line:
        st.markdown(f"**{count_things(page.total, 'item')}**", width="content")
        if ticked:
            st.caption(f"{len(ticked):,} ticked", width="content")
        if page.similar is not None:
            st.caption(describe_comparison(page.similar), width="content")
        filters.show_reset()
        st.space("stretch")
        filters.show_order()
        if len(ticked) == 1:
            st.button(
                "Similar items",
                key="find_like_this",
                icon=":material/join_inner:",
                type="tertiary",
                on_click=item_table.list_similar,
                args=(ticked[0],),
            )
        if page.rows and st.button(
            "Open one by one on the review desk", key="find_walk", icon=":material/rate_review:", type="tertiary"
        ):
            item_table.open_desk(ticked[0] if ticked else page.rows[0].id)
        st.space(item_table.TOOLBAR_PIXELS)  # the table's toolbar appears here when the mouse is over the table
    if not page.rows:
        st.caption(
            "This page is past the end of the list: go to an earlier page."
            if page.total
            else "No item matches: remove a filter."
        )
    show_pages(page.total, PAGE_SIZE, "find_page")
    if not explain_refusal("change items in bulk"):
        with box:
            bulk_box.show(ticked, AllFound(search, query), page.total, get_person())
        bulk_box.show_earlier()


def describe_comparison(similar: SimilarItems) -> str:
    """Return one line that says how items were compared for similarity, and how many items could not be compared."""
    how = "spelling, not meaning" if similar.is_lexical else "meaning"
    left = f"; {similar.left_out:,} items in another language, or too long, are not compared" if similar.left_out else ""
    return f"most similar first, by {how} ({similar.model}){left}"


main()
