"""Review: one item after another on the desk, by keyboard alone. The address holds the filters and the item on the screen."""

from dataclasses import replace

import streamlit as st

from core.errors import BenchError, NotAllowed
from pages.components.review import desk
from pages.parts.annotate.review import found, holders, notices
from pages.parts.annotate.review import path as review_path
from pages.parts.annotate.review.filters import ITEM_FILTER
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import count_things, show_error, show_note
from workbench import open_workbench
from workbench.annotate.reviewing import phases
from workbench.annotate.reviewing.reviews import ItemKind, QueueProgress

reviews = open_workbench().reviews
who = get_person()
TAKEN = "review_taken"
"""Whether the item of the address was somebody else's, and the next one is on the desk."""
MINE = "review_mine"
"""The item that this person held on this page when it was last drawn."""


def main() -> None:
    """Draw the thin bar, and the desk or what takes its place."""
    choices = reviews.choices()
    review_path.restore()
    kind = ITEM_FILTER.read_address(choices)
    item = st.query_params.get("item") or reviews.find_next(kind, who)
    if item is not None:
        hold(item)
    progress = reviews.progress(kind, who)
    qualification = notices.describe_qualification(reviews, item, who)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Review", anchor=False, width="content")
        if not found.is_open():
            ITEM_FILTER.show(choices, kind)
        st.space("stretch")
        left = f"{progress.left:,} left" + (f", {progress.held:,} more held by others" if progress.held else "")
        left += f", {more:,} more of this document" if item and (more := reviews.count_of_document(item, who)) else ""
        st.caption(qualification or (f"{progress.today:,} decided today, {left}" if who else left), width="content")
        notices.show_disputed_link(who)
        holders.show(reviews.holds, who)
    if not who:
        ask_here("Give your name: decisions are stored under it, and none can be made without.")
    if not qualification:
        notices.show_control_rate(reviews, who)
    if found.is_open():
        found.show(item)
    if st.session_state.pop(TAKEN, False):  # laid over the page: it moves nothing
        st.toast(
            "Somebody else took over the item that you had open. This is the next free one.",
            icon=":material/swap_horiz:",
            duration="long",
        )
    if item is None:
        show_end(kind, progress)
    else:
        show_desk(item, kind, progress)
    keys_help(desk.KEYS)


def hold(item: str) -> None:
    """Hold the item for this person.

    Where somebody took over an item that they held here before, go to the next free one, unless they left words on it."""
    is_mine = reviews.holds.hold(item, who) is None
    if is_mine:
        st.session_state[MINE] = item
    elif (
        st.session_state.get(MINE) == item
        and not found.is_open()
        and all(unsent.item != item for unsent in open_workbench().board.list_unsent_edits(who))
    ):
        go_to_next_free()


def go_to_next_free() -> None:
    """Leave the item of the address and say that it was taken over."""
    st.session_state[TAKEN] = True
    review_path.go_to(None)
    st.rerun()


def show_desk(item: str, kind: ItemKind, progress: QueueProgress) -> None:
    """Draw the item, and go where a press leads."""
    try:
        data = reviews.desk(item, who)
    except BenchError as error:
        if isinstance(error, NotAllowed) and "item" in st.query_params and not found.is_open():
            go_to_next_free()
        show_error(str(error))
        st.button("To the next item", icon=":material/arrow_forward:", on_click=review_path.go_to, args=(None,))
        return
    review_path.go_to(item)
    if phases.is_waiting(data.item):
        show_note("This web question waits in Two phases: two people review its labels, then its answers, and that decides it.")
        st.page_link("pages/annotate/phases.py", label="To Two phases", icon=":material/arrow_forward:")
        return
    if not data.feedback:  # in qualification the desk itself shows the result
        notices.show_own_decision(data)
    left = None if reviews.is_in_qualification(item, who) else progress.left
    has_passed = review_path.find_previous() or reviews.find_previous(who, item)
    has_back = found.has_before(item) if found.is_open() else bool(has_passed)
    pressed = desk.show(replace(data, position=replace(data.position, left=left, has_back=has_back)))
    if pressed:
        if found.is_open():
            found.step(pressed, item)
        else:
            review_path.step(reviews, pressed, kind, who)
        desk.mark_answered(pressed, st.query_params.get("item"))
        st.rerun()


def show_end(kind: ItemKind, progress: QueueProgress) -> None:
    """Draw what was done, and what comes next."""
    is_filtered = any(value is not None for value in kind)
    if progress.held:
        nothing = "Nothing is free for you"
    else:
        nothing = "Nothing of this kind waits" if is_filtered else "Nothing waits for review"
    with st.container(border=True, horizontal_alignment="center", gap="small"):
        st.markdown(f"**{nothing}**", width="content")
        if progress.held:
            st.caption(f"Others hold {progress.held:,} more: they come to you once released.", width="content")
        may_draft, may_freeze = not explain_refusal("draft items"), not explain_refusal("freeze releases")
        ways = ["draft more items"] * may_draft + ["freeze what is accepted into a release"] * may_freeze
        next_steps = ", or ".join(ways) or "a lead drafts more items"
        today = f"You decided on {count_things(progress.today, 'item')} today. " if who else ""
        st.caption(f"{today}{next_steps[0].upper()}{next_steps[1:]}.", width="content")
        with st.container(horizontal=True, horizontal_alignment="center", vertical_alignment="center", gap="medium"):
            if before := review_path.find_previous() or reviews.find_previous(who, None):
                st.button("Back to the last item", icon=":material/arrow_back:", on_click=review_path.go_to, args=(before,))
            if is_filtered and (elsewhere := reviews.progress(ItemKind(), who).left):
                label, icon = f"Show {elsewhere:,} of other kinds", ":material/filter_list_off:"
                st.button(label, icon=icon, type="primary", on_click=ITEM_FILTER.clear)
            if may_draft:
                st.page_link("pages/build/draft.py", label="Draft items", icon=":material/edit_note:", width="content")
            if may_freeze:
                st.page_link("pages/release/freeze.py", label="Freeze a release", icon=":material/ac_unit:", width="content")


main()
