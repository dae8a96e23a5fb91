"""Who holds what, in a small box over the desk: each item that somebody has open, with a button that lets go of it, and the
holds that somebody else ended lately."""

from itertools import groupby
from typing import Any

import streamlit as st

from core.errors import BenchError
from pages.parts.allowed import why_not
from pages.parts.say import plain, trouble
from workbench.annotate.holds import LONGEST, SHORTEST, Holds

MOST = 30
"""Rows drawn."""
_MINUTES, _TROUBLE = "review_hold_minutes", "review_hold_trouble"


def show(holds: Holds, who: str) -> None:
    """Draw the box for who may see it; a release is at once, and on record."""
    if why_not("see who did what"):
        return
    held = holds.everyone()
    with st.popover("Who holds what", icon=":material/group:", type="tertiary", width="content",
                    key="review_holders", on_change="rerun"):  # fmt: skip
        if said := st.session_state.pop(_TROUBLE, ""):
            trouble(said)
        for person, theirs in groupby(held[:MOST], key=lambda one: str(one["person"])):
            _person(holds, person, list(theirs), who)
        if not held:
            st.caption("Nobody holds an item now. Whoever opens one in the queue holds it while at work on it.")
        elif len(held) > MOST:
            st.caption(f"{len(held) - MOST:,} more are not shown.")
        st.session_state[_MINUTES] = holds.minutes
        st.number_input("Minutes a hold lasts without a sign of life", SHORTEST, LONGEST, key=_MINUTES, on_change=_set,
                        args=(holds,))  # fmt: skip
        for one in holds.ended():
            st.caption(plain(f"{one['by']} {'took over' if one['what'] == 'taken over' else 'released'} {one['item']} "
                             f"of {one['person']}, {one['at'][:16].replace('T', ' ')} UTC"))  # fmt: skip


def _person(holds: Holds, person: str, theirs: list[dict[str, Any]], who: str) -> None:
    """What one person holds."""
    name, way = st.columns([5, 1], vertical_alignment="center")
    name.markdown(f"**{plain(person)}**")
    if len(theirs) > 1:
        way.button("Release all", key=f"release_all_{person}", disabled=not who, on_click=_release, width="stretch",
                   args=(holds, person, who, None))  # fmt: skip
    for one in theirs:
        told, way = st.columns([5, 1], vertical_alignment="center")
        minutes = f"{one['minutes_left']:,} more {'minute' if one['minutes_left'] == 1 else 'minutes'}"
        told.text(f"{one['question'][:120] or one['item']}\n{minutes}")
        way.button("Release", key=f"release_{person}_{one['item']}", disabled=not who, on_click=_release, width="stretch",
                   args=(holds, person, who, one["item"]))  # fmt: skip


def _release(holds: Holds, person: str, who: str, item: str | None) -> None:
    try:
        holds.release(person, who, item)
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)


def _set(holds: Holds) -> None:
    try:
        holds.set_minutes(int(st.session_state[_MINUTES]))
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)
