"""Review: a person decides on one item after another on the review desk, by keyboard. The page's URL contains the filters and
the item on the screen. The script runs when the page opens, when the widgets around the desk change, and when the desk has no
next item."""

from dataclasses import replace

import streamlit as st

from core.errors import BenchError, NotAllowed
from pages.components.review import desk, desk_bar
from pages.parts.annotate.review import found, holders
from pages.parts.annotate.review import path as review_path
from pages.parts.annotate.review.filters import ITEM_FILTER
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.presses import PageRequest, mark_answered
from pages.parts.ui.say import count_things, escape, show_error, show_note
from workbench import open_workbench
from workbench.annotate.desk.desk_data import DeskBar, DeskVisit
from workbench.annotate.queue.tab_visits import TabVisit
from workbench.annotate.reviewing import phases
from workbench.annotate.reviewing.reviews import ItemKind

ADJUDICATE = "pages/annotate/adjudicate.py"
reviews, visits = open_workbench().reviews, open_workbench().desk_visits
who = get_person()
TAKEN = "review_taken"
"""Session key of the name of the person who took over the item in the page's URL; the next run reports the name and shows the
next item."""
MINE = "review_mine"
"""Session key of the id of the item that was reserved for this person when the page was last shown."""


def main() -> None:
    """Show a header line with the filter and progress, and below it the review desk or, if no item is left, a message."""
    choices = reviews.choices()
    review_path.restore(visits)
    kind = ITEM_FILTER.read_address(choices)
    given = None if found.is_open() else review_path.find_visit(visits)
    item = given.item if given else st.query_params.get("item") or reviews.find_next(kind, who)
    visit = None
    if item is not None:
        hold(item, given)
        if not found.is_open():
            number = (given or visits.put(who, review_path.get_tab(), item)).number
            visit = DeskVisit(review_path.get_tab(), number, kind._asdict())
    bar = visits.load_bar(kind, who, item)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Review", anchor=False, width="content")
        if not found.is_open():
            ITEM_FILTER.show(choices, kind)
        st.space("stretch")
        if desk_bar.show(bar, visit):
            st.switch_page(ADJUDICATE)
        holders.show(reviews.holds, who, item)
    if not who:
        ask_here("Give your name: decisions are stored under it, and you cannot decide without a name.")
    if found.is_open():
        found.show(item)
    if taker := st.session_state.pop(TAKEN, ""):  # a toast does not move the page's content
        st.toast(
            f"{escape(taker)} took over the item that you had open.{' This is the next free one.' if item else ''}",
            icon=":material/swap_horiz:",
            duration="long",
        )
    if item is None:
        show_end(kind)
    else:
        show_desk(item, kind, bar, visit)
    keys_help(desk.KEYS)


def hold(item: str, given: TabVisit | None) -> None:
    """Reserve the item for this person, so that nobody else gets it.

    If the item was reserved for this person in this tab before, and somebody else has taken over the item or decided on it
    since, go to the next free item, unless this person has unsent text on the item."""
    reviews.holds.hold(item, who)
    taker = reviews.find_taker(item, who)
    was_mine = st.session_state.get(MINE) == item or (given is not None and given.is_held and given.person == who)
    if not taker:
        st.session_state[MINE] = item
    elif (
        was_mine
        and not found.is_open()
        and all(unsent.item != item for unsent in open_workbench().board.list_unsent_edits(who))
    ):
        go_to_next_free(taker)


def go_to_next_free(taker: str) -> None:
    """Go from the item in the page's URL to the next free item, and report that the person `taker` took over the item."""
    st.session_state[TAKEN] = taker
    review_path.go_to(None)
    st.rerun()


def show_desk(item: str, kind: ItemKind, bar: DeskBar, visit: DeskVisit | None) -> None:
    """Show the review desk for the item, and handle the button presses that the desk passes to the page."""
    try:
        data = visits.load(item, who, bar, visit)
    except BenchError as error:
        if isinstance(error, NotAllowed) and "item" in st.query_params and not found.is_open():
            go_to_next_free(reviews.find_taker(item, who) or "Somebody else")
        show_error(str(error))
        st.button("Go to the next item", icon=":material/arrow_forward:", on_click=review_path.go_to, args=(None,))
        return
    if visit is None:
        review_path.go_to(item)
    else:
        review_path.write(item)
    if phases.is_waiting(data.item):
        show_note("This web question is reviewed on the page Two phases: two people review its labels, then its answers.")
        st.page_link("pages/annotate/phases.py", label="To Two phases", icon=":material/arrow_forward:")
        return
    has_passed = found.has_before(item) if found.is_open() else review_path.find_previous() is not None
    has_back = has_passed or (data.position.has_back and not found.is_open())
    pressed = desk.show(replace(data, position=replace(data.position, has_back=has_back)))
    if pressed:
        mark_answered(pressed, follow(pressed, item, kind))
        st.rerun()


def follow(pressed: PageRequest, item: str, kind: ItemKind) -> str | None:
    """Handle the button press on the desk, and return the id of the item to show next, or None if no item waits."""
    if pressed.to == "opinions":
        mark_answered(pressed, item)
        st.switch_page(ADJUDICATE, query_params={"item": item})
    if found.is_open():
        found.step(pressed, item)
    else:
        if pressed.to == "taken":
            st.session_state[TAKEN] = reviews.find_taker(pressed.item, who)
        review_path.step(reviews, pressed, kind, who)
    return st.query_params.get("item")


def show_end(kind: ItemKind) -> None:
    """Tell the person that no item is left, how many items they decided on today, and which work comes next."""
    progress = reviews.progress(kind, who)
    is_filtered = any(value is not None for value in kind)
    if progress.held:
        nothing = "Nothing is free for you"
    else:
        nothing = "Nothing of this kind waits" if is_filtered else "Nothing waits for review"
    with st.container(border=True, horizontal_alignment="center", gap="small"):
        st.markdown(f"**{nothing}**", width="content")
        if progress.held:
            st.caption(
                f"Other people have {count_things(progress.held, 'more item')} open: you get the items they do not finish.",
                width="content",
            )
        may_draft, may_freeze = not explain_refusal("draft items"), not explain_refusal("freeze releases")
        ways = ["draft more items"] * may_draft + ["freeze the accepted items into a release"] * may_freeze
        next_steps = ", or ".join(ways) or "a lead drafts more items"
        today = f"You decided on {count_things(progress.today, 'item')} today. " if who else ""
        st.caption(f"{today}{next_steps[0].upper()}{next_steps[1:]}.", width="content")
        with st.container(horizontal=True, horizontal_alignment="center", vertical_alignment="center", gap="medium"):
            if before := review_path.find_previous() or reviews.find_previous(who, None):
                st.button("Back to the last item", icon=":material/arrow_back:", on_click=review_path.go_to, args=(before,))
            if is_filtered and (elsewhere := reviews.progress(ItemKind(), who).left):
                label, icon = f"Show {elsewhere:,} items of other kinds", ":material/filter_list_off:"
                st.button(label, icon=icon, type="primary", on_click=ITEM_FILTER.clear)
            if may_draft:
                st.page_link("pages/build/draft.py", label="Draft items", icon=":material/edit_note:", width="content")
            if may_freeze:
                st.page_link("pages/release/freeze.py", label="Freeze a release", icon=":material/ac_unit:", width="content")


main()
