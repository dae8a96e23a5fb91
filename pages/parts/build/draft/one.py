"""Drafting one at a time: sample a window, read it, have it drafted, look at the draft, save it or have it made again."""

from typing import Any

import streamlit as st

from core.errors import BenchError
from pages.parts.build.draft.again import TROUBLE, draft_again, start
from pages.parts.build.draft.at import at, go
from pages.parts.build.draft.choice import DraftChoice, draft_choice
from pages.parts.build.draft.live import draft_live
from pages.parts.build.draft.result import draft_result
from pages.parts.build.draft.window_view import facts, titles, window_view
from pages.parts.ui.job_card import duration
from pages.parts.ui.person import ask_here, person
from pages.parts.ui.say import plain, trouble
from pages.parts.ui.waiting import waiting
from workbench import opened
from workbench.build.drafting.sampling import Wish


def draft_one(choices: dict[str, Any]) -> None:
    """Draw it."""
    choice = draft_choice(choices)
    place = at()
    seen = _look(place["job"])
    if choice is None:
        return
    who = person()
    _buttons(choice, place["window"], seen, who)
    if sentence := st.session_state.pop(TROUBLE, ""):
        trouble(sentence)
    if asked := st.session_state.get("draft_asks"):
        _sample(asked)
    elif seen:
        if seen["state"] == "working":
            draft_live(seen["job"])
        elif seen["item"] is None or seen["state"] != "drafted":
            draft_result(seen, who)
        _window(seen["wish"], seen["agent"], seen["window"], is_open=False)
        if seen["state"] == "drafted":
            ask_here("Give your name: decisions are stored under it, and none can be made without.", "desk")
        if seen["state"] == "drafted" and draft_result(seen, who):
            _ask(choice.wish, choice.agent, place["window"])
            st.rerun()
    elif place["window"]:
        _window(choice.wish, choice.agent, place["window"], is_open=True)
    else:
        st.caption("Sample a context to see what would be drafted from. Nothing is sent before you press Generate.")


def _look(job: str) -> dict[str, Any] | None:
    """The job of the address; None, with a sentence, when there is no such one."""
    try:
        return opened().one_draft.look(job) if job else None
    except BenchError as error:
        trouble(str(error))
        return None


def _buttons(choice: DraftChoice, window: str, seen: dict[str, Any] | None, who: str) -> None:
    """What can be done next, each button bound to what is on the screen."""
    is_working = bool(seen and seen["state"] == "working")
    is_next = not window or bool(seen and seen["item"])
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Another context" if window else "Sample context",
            key=f"draft_sample_{window}",
            icon=":material/casino:",
            type="primary" if is_next else "secondary",
            disabled=is_working,
            on_click=_ask,
            args=(choice.wish, choice.agent, window),
        )
        if window and seen is None:
            st.button(
                "Generate",
                key=f"draft_generate_{window}",
                icon=":material/auto_awesome:",
                type="primary",
                on_click=_generate,
                args=(choice, window),
            )
        if seen and not is_working:
            draft_again(seen, who)
            st.caption(plain(_took(seen)))


def _took(seen: dict[str, Any]) -> str:
    """Waiting time, apart from the active time that the desk measures."""
    parts = [f"{seen['agent']} took {duration(seen['seconds'])}"] if seen["seconds"] is not None else []
    return " · ".join([*parts, *([f"asked again: {seen['reason']}"] if seen["reason"] else [])])


def _ask(wish: Wish, agent: str, after: str) -> None:
    st.session_state["draft_asks"] = (wish, agent, after)


def _sample(asked: tuple[Wish, str, str]) -> None:
    """Fetch the window that was asked for; it is shown in the next rerun."""
    wish, agent, after = asked
    key = f"sample:{wish}:{agent}:{after}"
    try:
        found = opened().one_draft.aside.ask(key, lambda: opened().one_draft.sample(wish, agent, after))
    except BenchError as error:
        del st.session_state["draft_asks"]
        trouble(str(error))
        return
    if found is None:
        waiting(lambda: opened().one_draft.aside.is_ready(key), "Looking for a window")
        return
    del st.session_state["draft_asks"]
    go(found)
    st.rerun()


def _generate(choice: DraftChoice, window: str) -> None:
    try:
        start(window, opened().one_draft.plan(choice.wish, choice.agent, window, rag_check=choice.rag_check))
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)


def _window(wish: Wish, agent: str, key: str, is_open: bool) -> None:
    """The window, in full until there is a draft of it."""
    one = opened().one_draft
    if one.has_window(key):
        found = one.window(wish, agent, key)
    else:
        aside = f"window:{key}"
        try:
            found = one.aside.ask(aside, lambda: one.window(wish, agent, key))
        except BenchError as error:
            trouble(str(error))
            return
        if found is None:
            waiting(lambda: one.aside.is_ready(aside), "Cutting the window from its documents")
            return
    label = "Context" if is_open else f"Context · {' · '.join([titles(found), *map(plain, facts(found))])}"
    with st.expander(label, expanded=is_open, icon=":material/article:", key=f"draft_window_{key}_{is_open}"):
        window_view(found)
