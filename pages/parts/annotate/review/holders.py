"""Who holds what, in a small box over the desk: each item that somebody has open or was given by name, with ways to let go of
it and to give it to somebody else, and the holds that somebody else ended lately."""

from itertools import groupby
from typing import Any

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.allowed import why_not
from pages.parts.ui.say import done, plain, shortened, trouble
from workbench import opened
from workbench.annotate.queue.holds import Holds

MOST = 30
"""Rows drawn."""
ENDS = {"taken over": "took over", "released": "released", "given away": "gave away"}
"""What the record says of a hold that somebody else ended, as a verb."""
_TROUBLE, _DONE = "review_hold_trouble", "review_hold_done"
_DESK, _ALL = "\0desk", "\0all"
"""In the place of a name and an item: no name and no id holds a NUL."""


def show(holds: Holds, who: str) -> None:
    """Draw the box for who may see it; a release is at once, and on record."""
    if why_not("see who did what"):
        return
    held, given = holds.list_held(), holds.list_assigned()
    with st.popover(
        "Who holds what", icon=":material/group:", type="tertiary", width="content", key="review_holders", on_change="rerun"
    ):
        if said := st.session_state.pop(_TROUBLE, ""):
            trouble(said)
        if said := st.session_state.pop(_DONE, ""):
            done(said)
        for person, theirs in groupby(held[:MOST], key=lambda one: str(one["person"])):
            _person(holds, person, list(theirs), who)
        if not held:
            st.caption("Nobody holds an item now. Whoever opens one in the queue holds it while at work on it.")
        elif len(held) > MOST:
            st.caption(f"{len(held) - MOST:,} more are not shown.")
        _given(holds, given)
        _give(holds, held, given, who)
        st.page_link(
            "pages/setup/queue.py",
            label=f"A hold lasts {holds.minutes:,} minutes: order, overlap and holds",
            icon=":material/low_priority:",
        )
        for one in holds.list_ended():
            st.caption(
                plain(
                    f"{one['by']} {ENDS[one['what']]} {one['item']} of {one['person']}, {one['at'][:16].replace('T', ' ')} UTC"
                )
            )


def _person(holds: Holds, person: str, theirs: list[dict[str, Any]], who: str) -> None:
    """What one person holds."""
    name, way = st.columns([4, 1.3], vertical_alignment="center")
    name.markdown(f"**{plain(person)}**")
    if len(theirs) > 1:
        way.button(
            "Release all",
            key=f"release_all_{person}",
            disabled=not who,
            on_click=_release,
            width="stretch",
            args=(holds, person, who, None),
        )
    for one in theirs:
        told, way = st.columns([4, 1.3], vertical_alignment="center")
        minutes = f"{one['minutes_left']:,} more {'minute' if one['minutes_left'] == 1 else 'minutes'}"
        told.text(f"{shortened(one['question'], 120) or one['item']}\n{minutes}")
        way.button(
            "Release",
            key=f"release_{person}_{one['item']}",
            disabled=not who,
            on_click=_release,
            width="stretch",
            args=(holds, person, who, one["item"]),
        )


def _given(holds: Holds, given: list[dict[str, Any]]) -> None:
    """What waits for somebody by name."""
    for one in given[:MOST]:
        told, way = st.columns([4, 1.3], vertical_alignment="center")
        told.text(f"{shortened(one['question'], 120) or one['item']}\nwaits for {one['person']}, given by {one['by']}")
        way.button(
            "Take back",
            key=f"given_{one['person']}_{one['item']}",
            on_click=_take_back,
            width="stretch",
            args=(holds, one["person"], one["item"]),
            help="It waits for anybody again.",
        )
    if len(given) > MOST:
        st.caption(f"{len(given) - MOST:,} more that wait for somebody by name are not shown.")


def _give(holds: Holds, held: list[dict[str, Any]], given: list[dict[str, Any]], who: str) -> None:
    """One item of somebody's, the one on the desk, or all of somebody's, to a person by name."""
    theirs: dict[str, dict[str, str]] = {}
    for one in (*held, *given):
        theirs.setdefault(one["person"], {})[one["item"]] = one["question"] or one["item"]
    open_ = st.query_params.get("item")
    what: list[tuple[str, str]] = [(_DESK, open_)] if open_ else []
    for person, found in theirs.items():
        what += [(person, _ALL)] if len(found) > 1 else []
        what += [(person, item) for item in found][:MOST]
    if not what:
        return
    names = sorted({one.name for one in opened().people.team().people if not one.is_removed})

    def label(one: tuple[str, str]) -> str:
        person, item = one
        if person == _DESK:
            return "the item on the desk"
        return f"all {len(theirs[person])} of {person}" if item == _ALL else f"{person}: {shortened(theirs[person][item], 80)}"

    with st.container(horizontal=True, vertical_alignment="bottom"):
        person, item = st.selectbox("Give", what, format_func=label, key="give_what", width=260)
        to = st.selectbox(
            "to", names, index=None, accept_new_options=True, key="give_to", width=170, placeholder="choose, or type a name"
        )
        wanted = [item] if item != _ALL else list(theirs[person])
        st.button(
            "Give",
            key="give_go",
            disabled=not who or not to,
            on_click=_hand,
            args=(holds, wanted, to, who, "" if person == _DESK else person),
        )


def _hand(holds: Holds, wanted: list[str], to: str, who: str, instead_of: str) -> None:
    try:
        came = holds.give(wanted, to, who, instead_of)
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)
        return
    if came:
        things = "1 item waits" if len(came) == 1 else f"{len(came)} items wait"
        st.session_state[_DONE] = f"{things} for {to} now."
    else:
        st.session_state[_TROUBLE] = f"Nothing was given: it is decided, or waits for no opinion of {to}'s."


def _take_back(holds: Holds, person: str, item: str) -> None:
    try:
        holds.take_back([item], person)
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)


def _release(holds: Holds, person: str, who: str, item: str | None) -> None:
    try:
        holds.release(person, who, item)
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)
