"""Adjudicate: where people's opinions on a draft differ, somebody decides between them, without knowing whose they are. The
URL holds the item on the screen."""

from dataclasses import replace

import streamlit as st

from core.errors import BenchError
from pages.components.review import desk
from pages.parts.annotate.adjudicate import letting
from pages.parts.annotate.adjudicate import path as adjudicate_path
from pages.parts.annotate.review import filters as review_filters
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.ui.person import ask_here, person
from pages.parts.ui.say import trouble
from workbench import opened
from workbench.annotate.reviewing.reviews import ItemKind

stage = opened().adjudication
who = person()


def main() -> None:
    """The thin bar, and the desk or what stands in its place."""
    choices = opened().reviews.choices()
    kind = review_filters.chosen(choices)
    item = st.query_params.get("item") or stage.find_next(who, kind=kind)
    if item is not None:
        stage.hold(item, who)
    waiting = stage.count_disputed(who, kind)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Adjudicate", anchor=False, width="content")
        review_filters.show(choices, kind)
        st.space("stretch")
        told = [
            f"{waiting.left:,} to decide between",
            waiting.held and f"{waiting.held:,} more held by others",
            waiting.own and f"{waiting.own:,} with an opinion of yours",
        ]
        st.caption(", ".join(part for part in told if part), width="content")
        letting.show(stage, who)
    if not who:
        ask_here("Give your name: decisions are stored under it, and none can be made without.")
    if item is None:
        nothing_left(waiting.held, waiting.own, kind)
    else:
        on_the_desk(item, waiting.left, kind)
    keys_help([*desk.OPINION_KEYS, *desk.KEYS])


def on_the_desk(item: str, left: int, kind: ItemKind) -> None:
    """The item with its opinions, and where its reader goes from it."""
    try:
        data = stage.desk(item, who)
    except BenchError as error:
        trouble(str(error))
        st.button("To the next that waits", icon=":material/arrow_forward:", on_click=adjudicate_path.go, args=(None,))
        return
    adjudicate_path.go(item)
    if data.opinions and not data.opinions.is_open:
        st.caption(
            f"This item is {data.item.status}: it was decided between these opinions. Undo takes back your last "
            "decision; to decide anew open it on the page Review."
        )
    position = replace(data.position, left=left, has_back=stage.find_previous(who, item) is not None)
    pressed = desk.show(replace(data, position=position), "adjudicate")
    if pressed:
        adjudicate_path.step(stage, pressed, who, kind)
        desk.answered(pressed, st.query_params.get("item"), "adjudicate")
        st.rerun()


def nothing_left(held: int, own: int, kind: ItemKind) -> None:
    """Why there is nothing, and what else there is to do."""
    some = any(value is not None for value in kind)
    with st.container(border=True, horizontal_alignment="center", gap="small"):
        nothing = f"Nobody's opinions differ{' on items of this kind' if some else ''}"
        st.markdown("**Nothing is free for you**" if held or own else f"**{nothing}**", width="content")
        if some:
            st.button("Show all items", key="adjudicate_all", icon=":material/filter_list_off:", on_click=review_filters.clear)
        if held:
            st.caption(f"Others hold {held:,} more: they come to you when those let go of them.", width="content")
        if own:
            st.caption(
                f"On {own:,} more one of the opinions is yours: somebody else decides between those. Where nobody else "
                "can, a lead may let people decide between their own, above.",
                width="content",
            )
        if not held and not own:
            st.caption("Where several people are wanted on a draft and do not agree, it comes here.", width="content")
        st.page_link("pages/annotate/review.py", label="Review items", icon=":material/rate_review:", width="content")


main()
