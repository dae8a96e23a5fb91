"""Rewrite: accepted questions one after another, put in one's own words. The URL holds the filters and the item on the
screen."""

import streamlit as st

from core.errors import BenchError
from pages.components.rewrite import rewriting
from pages.parts.annotate.review import filters as review_filters
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.annotate.rewrite import others, rules
from pages.parts.setup.guideline import beside
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import read_word, write_address
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.presses import PageRequest
from pages.parts.ui.say import show_error
from workbench import open_workbench
from workbench.annotate.reviewing.reviews import ItemKind

bench = open_workbench()
rewrites = bench.rewrites
who = get_person()
WAY, TROUBLE = "rewrite_way", "rewrite_trouble"


def main() -> None:
    """The thin bar, and the sheet or what stands in its place."""
    choices = bench.reviews.choices()
    kind = review_filters.chosen(choices)
    done = rewrites.count(kind, who)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Rewrite", anchor=False, width="content")
        review_filters.show(choices, kind)
        st.space("stretch")
        st.caption(f"{done.mine:,} by you, {done.left:,} left", width="content")
        rules.show(rewrites)
    if not who:
        ask_here("Give your name: rewrites are stored under it, and none can be written without.")
    asked = rewrites.consent.asked(who) if who else None
    item = read_word("item") or rewrites.find_next(kind, who)
    if asked:
        rules.ask(rewrites, asked, who)
    elif item is None:
        nothing_left(kind)
    else:
        on_the_sheet(item, kind)
    keys_help(rewriting.KEYS)


def on_the_sheet(item: str, kind: ItemKind) -> None:
    """The item, and where its reader goes from it."""
    try:
        data = rewrites.sheet(item, who)
    except BenchError as error:
        show_error(str(error))
        st.button("To the next question", icon=":material/arrow_forward:", on_click=go, args=(None,))
        return
    go(item)
    if data["item"]["status"] == "drafted":
        st.caption("This item is a draft still: a rewrite of it counts once it is accepted with these words.")
    beside.show(data["item"]["task"], who)
    way: list[str] = st.session_state.setdefault(WAY, [])
    pressed = rewriting.show(data | {"has_back": bool(way or rewrites.find_previous(who, item))})
    if pressed:
        step(pressed, kind)
        rewriting.answered(pressed, read_word("item") or None)
        st.rerun()
    if said := st.session_state.pop(TROUBLE, ""):
        show_error(said)
    if data["written"]:
        others.show(data["written"], who, decide)
    elif data["people"]:
        st.caption(f"Rewrites by others: {data['people']} of {data['wanted']}, shown once you have stored yours.")


def step(pressed: PageRequest, kind: ItemKind) -> None:
    """Go where a press leads; when nothing else wants a rewrite, `next` stays and `saved` ends."""
    at = read_word("item", pressed.item)
    way: list[str] = st.session_state.setdefault(WAY, [])
    if pressed.to == "changed":
        return
    if pressed.to == "open":
        go(pressed.item)
        return
    if pressed.to == "back":
        go(way.pop() if way else rewrites.find_previous(who, at))
        return
    target = rewrites.find_next(kind, who, at)
    if pressed.to == "next" and target is None:
        return
    way.append(at)
    del way[:-200]
    go(target)


def decide(variant: str, decision: str) -> None:
    """A press on a rewrite that is there."""
    try:
        bench.reviews.decide(variant, "accept" if decision == "accept" else "discard", person=who)
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)


def go(item: str | None) -> None:
    """To that item; None = to the next that wants a rewrite."""
    write_address(item=item)


def nothing_left(kind: ItemKind) -> None:
    """What comes next."""
    if any(value is not None for value in kind):
        with st.container(border=True, horizontal_alignment="center", gap="small"):
            st.markdown("**No question of this kind wants a rewrite of yours**", width="content")
            st.button("Show all items", key="rewrite_all", icon=":material/filter_list_off:", on_click=review_filters.clear)
    else:
        do = f"Accepted questions come here until {rewrites.wanted} people have rewritten each."
        show_empty("No question wants a rewrite of yours", do, "pages/annotate/review.py", "Review drafts")


main()
