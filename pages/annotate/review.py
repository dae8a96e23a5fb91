"""Review: one item after another on the desk, by keyboard alone. The URL holds the filters and the item on the screen."""

from dataclasses import replace

import streamlit as st

from core.errors import BenchError, NotAllowed
from pages.components.review import desk
from pages.parts.annotate.review import disputed, found, holders, standing, training
from pages.parts.annotate.review import filters as review_filters
from pages.parts.annotate.review import path as review_path
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.ui.allowed import why_not
from pages.parts.ui.person import ask_here, person
from pages.parts.ui.say import note, trouble
from workbench import opened
from workbench.annotate.reviewing import phases
from workbench.annotate.reviewing.reviews import ItemKind, QueueProgress

reviews = opened().reviews
who = person()
TAKEN = "review_taken"
"""Whether the item of the address was somebody else's: the next one is told of it."""
MINE = "review_mine"
"""The item that this person held on this page when it was last drawn."""


def main() -> None:
    """The thin bar, and the desk or what stands in its place."""
    choices = reviews.choices()
    review_path.restore()
    kind = review_filters.chosen(choices)
    item = st.query_params.get("item") or reviews.find_next(kind, who)
    if item is not None:
        hold(item)
    progress = reviews.progress(kind, who)
    practice = training.describe_qualification(reviews, item, who)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Review", anchor=False, width="content")
        if not found.is_walked():
            review_filters.show(choices, kind)
        st.space("stretch")
        left = f"{progress.left:,} left" + (f", {progress.held:,} more held by others" if progress.held else "")
        left += f", {more:,} more of this document" if item and (more := reviews.count_of_document(item, who)) else ""
        st.caption(practice or (f"{progress.today:,} decided today, {left}" if who else left), width="content")
        disputed.show(who)
        holders.show(reviews.holds, who)
    if not who:
        ask_here("Give your name: decisions are stored under it, and none can be made without.")
    if not practice:
        training.show_rate(reviews, who)
    if found.is_walked():
        found.show(item)
    if st.session_state.pop(TAKEN, False):  # laid over the page: it moves nothing
        st.toast(
            "The item that you had open was taken over by somebody else meanwhile. This is the next free one.",
            icon=":material/swap_horiz:",
            duration="long",
        )
    if item is None:
        nothing_left(kind, progress)
    else:
        on_the_desk(item, kind, progress)
    keys_help(desk.KEYS)


def hold(item: str) -> None:
    """Hold it for this person. One that they held here before and that somebody took over meanwhile leads on to the next free
    one, unless they left unsubmitted words on it."""
    is_taken = reviews.holds.hold(item, who) is not None
    if not is_taken:
        st.session_state[MINE] = item
    elif (
        st.session_state.get(MINE) == item
        and not found.is_walked()
        and all(unsent.item != item for unsent in opened().board.scratch(who))
    ):
        to_next_free()


def to_next_free() -> None:
    """Leave the item of the address and say that it was taken over."""
    st.session_state[TAKEN] = True
    review_path.go(None)
    st.rerun()


def on_the_desk(item: str, kind: ItemKind, progress: QueueProgress) -> None:
    """The item, and where its reader goes from it."""
    try:
        data = reviews.desk(item, who)
    except BenchError as error:
        if isinstance(error, NotAllowed) and "item" in st.query_params and not found.is_walked():
            to_next_free()
        trouble(str(error))
        st.button("To the next item that waits", icon=":material/arrow_forward:", on_click=review_path.go, args=(None,))
        return
    review_path.here(item)
    if phases.is_waiting(data.item):
        note("This web question waits in Two phases: two people review its labels, then its answers, and that decides it.")
        st.page_link("pages/annotate/phases.py", label="To Two phases", icon=":material/arrow_forward:")
        return
    if not data.feedback:  # of practice the desk itself tells how it went
        standing.show(data)
    left = None if reviews.is_in_qualification(item, who) else progress.left
    has_back = found.has_before(item) if found.is_walked() else bool(review_path.before() or reviews.find_previous(who, item))
    pressed = desk.show(replace(data, position=replace(data.position, left=left, has_back=has_back)))
    if pressed:
        if found.is_walked():
            found.step(pressed, item)
        else:
            review_path.step(reviews, pressed, kind, who)
        desk.answered(pressed, st.query_params.get("item"))
        st.rerun()


def nothing_left(kind: ItemKind, progress: QueueProgress) -> None:
    """What was done, and what comes next."""
    some = any(value is not None for value in kind)
    if progress.held:
        nothing = "Nothing is free for you"
    else:
        nothing = "Nothing of this kind waits" if some else "Nothing waits for review"
    with st.container(border=True, horizontal_alignment="center", gap="small"):
        st.markdown(f"**{nothing}**", width="content")
        done = f"You decided on {progress.today:,} {'item' if progress.today == 1 else 'items'} today. " if who else ""
        if progress.held:
            st.caption(f"Others hold {progress.held:,} more: they come to you when those let go of them.", width="content")
        may_draft, may_freeze = not why_not("draft items"), not why_not("freeze releases")
        ways = [may_draft and "draft more items", may_freeze and "freeze what is accepted into a release"]
        told = ", or ".join(way for way in ways if way) or "a lead drafts more items"
        st.caption(f"{done}{told[0].upper()}{told[1:]}.", width="content")
        with st.container(horizontal=True, horizontal_alignment="center", vertical_alignment="center", gap="medium"):
            if before := review_path.before() or reviews.find_previous(who, None):
                st.button("Back to the last item", icon=":material/arrow_back:", on_click=review_path.go, args=(before,))
            if some and (elsewhere := reviews.progress(ItemKind(), who).left):
                st.button(
                    f"Show {elsewhere:,} of other kinds",
                    icon=":material/filter_list_off:",
                    type="primary",
                    on_click=review_filters.clear,
                )
            if may_draft:
                st.page_link("pages/build/draft.py", label="Draft items", icon=":material/edit_note:", width="content")
            if may_freeze:
                st.page_link("pages/release/freeze.py", label="Freeze a release", icon=":material/ac_unit:", width="content")


main()
