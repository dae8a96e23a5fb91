"""A small box above the review desk that lists the items reserved for one person: those that somebody has open, and those
assigned to somebody. A lead can release each item or give it to somebody else. The box also lists the reservations that
somebody else ended recently."""

from collections.abc import Callable, Sequence
from itertools import groupby

import streamlit as st

from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.feedback import keep_errors, keep_success, show_feedback
from pages.parts.ui.say import count_things, escape, shorten
from workbench import open_workbench
from workbench.annotate.queue.holds import AssignedItem, HeldItem, Holds

MAX_ROWS = 30
ENDINGS = {"taken over": "took over", "released": "released", "given away": "gave away"}
"""Dict from the way in which a reservation ended to the verb that describes it."""
FEEDBACK = "review_hold"
_DESK, _ALL = "\0desk", "\0all"
"""Special values in the options of the select box `Give`: the item on the review desk in place of a person, and all items of a
person in place of an item. Names and ids never contain NUL."""


def show(holds: Holds, who: str, here: str | None) -> None:
    """Show the box, for a person with the permission to see who did what; `here` is the id of the item on the review desk, or
    None."""
    if explain_refusal("see who did what"):
        return
    held, assigned = holds.list_held(), holds.list_assigned()
    with st.popover(
        "Who holds what", icon=":material/group:", type="tertiary", width="content", key="review_holders", on_change="rerun"
    ):
        show_feedback(FEEDBACK)
        for person, items in groupby(held[:MAX_ROWS], key=lambda one: one.person):
            _show_person(holds, person, list(items), who)
        if not held:
            st.caption("No item is reserved now. An item is reserved for a person while they work on it on the review desk.")
        elif len(held) > MAX_ROWS:
            st.caption(f"{len(held) - MAX_ROWS:,} more reserved items are not shown.")
        for one in assigned[:MAX_ROWS]:
            words = f"{_title(one)}\nwaits for {one.person}, assigned by {one.by}"
            key = f"given_{one.person}_{one.item}"
            _show_row(
                words,
                "Take back",
                key,
                _take_back,
                holds,
                one,
                help="The item is no longer assigned to this person: anybody can review it.",
            )
        if len(assigned) > MAX_ROWS:
            st.caption(f"{len(assigned) - MAX_ROWS:,} more items assigned to a named person are not shown.")
        _show_giving(holds, held, assigned, who, here)
        label = f"A reservation lasts {holds.minutes:,} minutes: order, overlap and reservations"
        st.page_link("pages/setup/queue.py", label=label, icon=":material/low_priority:")
        for end in holds.list_ended():
            at = end.at[:16].replace("T", " ")
            st.caption(escape(f"{end.by} {ENDINGS[end.what]} {end.item} of {end.person}, {at} UTC"))


def _show_row(words: str, label: str, key: str, act: Callable[..., None], *args: object, **button: object) -> None:
    text, place = st.columns([4, 1.3], vertical_alignment="center")
    text.text(words)
    place.button(label, key=key, on_click=act, args=args, width="stretch", **button)  # type: ignore[arg-type]


def _show_person(holds: Holds, person: str, items: Sequence[HeldItem], who: str) -> None:
    """Show the items that are reserved for one person, with buttons that release them."""
    name, place = st.columns([4, 1.3], vertical_alignment="center")
    name.markdown(f"**{escape(person)}**")
    if len(items) > 1:
        args = (holds, person, who, None)
        key = f"release_all_{person}"
        place.button("Release all", key=key, disabled=not who, on_click=_release, width="stretch", args=args)
    for one in items:
        words = f"{_title(one)}\nheld for {count_things(one.minutes_left, 'more minute')}"
        key = f"release_{person}_{one.item}"
        _show_row(words, "Release", key, _release, holds, person, who, one.item, disabled=not who)


def _show_giving(holds: Holds, held: Sequence[HeldItem], assigned: Sequence[AssignedItem], who: str, here: str | None) -> None:
    """Show a form that assigns the item on the review desk, or one or all of a person's reserved items, to another person."""
    titles: dict[str, dict[str, str]] = {}
    rows: list[HeldItem | AssignedItem] = [*held, *assigned]
    for one in rows:
        titles.setdefault(one.person, {})[one.item] = one.question or one.item
    options: list[tuple[str, str]] = [(_DESK, here)] if here else []
    for name, items in titles.items():
        options += [(name, _ALL)] if len(items) > 1 else []
        options += [(name, item) for item in items][:MAX_ROWS]
    if not options:
        return
    names = sorted({member.name for member in open_workbench().people.team().people if not member.is_removed})

    def label(option: tuple[str, str]) -> str:
        person, item = option
        if person == _DESK:
            return "the item on the desk"
        return (
            f"all {len(titles[person])} items of {person}" if item == _ALL else f"{person}: {shorten(titles[person][item], 80)}"
        )

    with st.container(horizontal=True, vertical_alignment="bottom"):
        person, item = st.selectbox("Give", options, format_func=label, key="give_what", width=260)
        to = st.selectbox(
            "to", names, index=None, accept_new_options=True, key="give_to", width=170, placeholder="choose, or type a name"
        )
        wanted = [item] if item != _ALL else list(titles[person])
        args = (holds, wanted, to, who, "" if person == _DESK else person)
        st.button("Give", key="give_go", disabled=not who or not to, on_click=_give, args=args)


def _title(one: HeldItem | AssignedItem) -> str:
    return shorten(one.question, 120) or one.item


def _give(holds: Holds, wanted: Sequence[str], to: str, who: str, instead_of: str) -> None:
    with keep_errors(FEEDBACK):
        given = holds.give(wanted, to, who, instead_of)
        if given:
            keep_success(FEEDBACK, f"{count_things(len(given), 'item')} {'waits' if len(given) == 1 else 'wait'} for {to} now.")
        else:
            st.session_state[f"{FEEDBACK}_trouble"] = f"Nothing was assigned: the item is decided, or needs no opinion of {to}."


def _take_back(holds: Holds, one: AssignedItem) -> None:
    with keep_errors(FEEDBACK):
        holds.take_back([one.item], one.person)


def _release(holds: Holds, person: str, who: str, item: str | None) -> None:
    with keep_errors(FEEDBACK):
        holds.release(person, who, item)
