"""Adjudicate: a person decides between differing opinions on a draft without seeing who gave the opinions. The page's URL
contains the id of the item on the screen. The page's script runs once for each click on a button that opens another item; it
handles the click before it shows the page."""

from dataclasses import replace

import streamlit as st

from core.errors import BenchError
from pages.components.review import desk
from pages.parts.annotate.adjudicate import own_opinions
from pages.parts.annotate.review.filters import ITEM_FILTER
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.ui.in_url import read_word, write_address
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.presses import PageRequest, mark_answered, read_request
from pages.parts.ui.say import show_error
from workbench import open_workbench
from workbench.annotate.reviewing.reviews import ItemKind

stage = open_workbench().adjudication
who = get_person()
DESK = "adjudicate"
"""Key of the review desk component. Under this key, the session holds the button press that started the run of the page's
script."""


def main() -> None:
    """Show a header line with the filter and counts, and below it the review desk or, if no item is left, a message."""
    choices = open_workbench().reviews.choices()
    kind = ITEM_FILTER.read_address(choices)
    if pressed := find_press():
        answer(pressed, kind)
    item = st.query_params.get("item") or stage.find_next(who, kind=kind)
    if item is not None:
        stage.hold(item, who)
    waiting = stage.count_disputed(who, kind)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Adjudicate", anchor=False, width="content")
        ITEM_FILTER.show(choices, kind)
        st.space("stretch")
        counts = [
            f"{waiting.left:,} to decide between",
            waiting.held and f"{waiting.held:,} more held by others",
            waiting.own and f"{waiting.own:,} that you gave an opinion on",
        ]
        st.caption(", ".join(part for part in counts if part), width="content")
        own_opinions.show(stage, who)
    if not who:
        ask_here("Give your name: decisions are stored under it, and you cannot decide without a name.")
    if item is None:
        show_end(waiting.held, waiting.own, kind)
    else:
        show_desk(item, waiting.left, kind)
    keys_help([*desk.OPINION_KEYS, *desk.KEYS])


def show_desk(item: str, left: int, kind: ItemKind) -> None:
    """Show the review desk for `item` with its opinions; after a button press on the desk, open the item that the press asks
    for."""
    try:
        data = stage.desk(item, who)
    except BenchError as error:
        show_error(str(error))
        st.button("Go to the next waiting item", icon=":material/arrow_forward:", on_click=write_address, kwargs={"item": None})
        return
    write_address(item=item)
    if data.opinions and not data.opinions.is_open:
        st.caption(
            f"This item is {data.item.status}: somebody decided between these opinions. Undo takes back your last decision; to "
            "decide again, open the item on the page Review."
        )
    position = replace(data.position, left=left, has_back=stage.find_previous(who, item) is not None)
    pressed = desk.show(replace(data, position=position), DESK)
    if pressed:  # a new session knows the value of the desk only once the desk is drawn
        answer(pressed, kind)
        st.rerun()


def find_press() -> PageRequest | None:
    """Return the new button press on the desk, or None if there is none. Call this before the desk is shown, so that the page
    does not first show the item that the person is leaving."""
    sent = st.session_state.get(DESK) or {}
    return read_request(sent.get("went"), read_word("item"), DESK)


def answer(pressed: PageRequest, kind: ItemKind) -> None:
    """Write the id of the item that the button press `pressed` leads to into the page's URL, and mark the press as answered."""
    target = find_target(pressed, kind)
    write_address(item=target)
    mark_answered(pressed, target)


def find_target(pressed: PageRequest, kind: ItemKind) -> str | None:
    """Return the id of the item to show after the button press `pressed`, or None if no other item waits."""
    here = st.query_params.get("item", pressed.item)
    if pressed.to == "back":
        return stage.find_previous(who, here) or here
    if pressed.to in ("open", "undone"):
        return pressed.item
    return stage.find_next(who, here, kind) or stage.find_next(who, kind=kind)


def show_end(held: int, own: int, kind: ItemKind) -> None:
    """Explain why no item waits for this person, and link to other work."""
    is_filtered = any(value is not None for value in kind)
    with st.container(border=True, horizontal_alignment="center", gap="small"):
        nothing = f"No opinions differ{' on items of this kind' if is_filtered else ''}"
        st.markdown("**No item is free for you**" if held or own else f"**{nothing}**", width="content")
        if is_filtered:
            ITEM_FILTER.show_all_button("adjudicate_all")
        if held:
            st.caption(f"Others have {held:,} more items open: you get the items that they do not finish.", width="content")
        if own:
            st.caption(
                f"You gave an opinion on {own:,} more items, so somebody else decides on them. If nobody else can, "
                "a lead can allow you to decide (box “Who decides” above).",
                width="content",
            )
        if not held and not own:
            st.caption("Drafts appear here when several people review them and do not agree.", width="content")
        st.page_link("pages/annotate/review.py", label="Review items", icon=":material/rate_review:", width="content")


main()
