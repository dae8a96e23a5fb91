"""The form of a saved agent. It asks for the name of the variable that holds the key, never for a key."""

from dataclasses import fields
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from agents.kind import AgentSetting, kinds
from agents.saved import DEFAULT_KEY, DEFAULT_KIND, SavedAgent, saved_kinds
from core.errors import BenchError
from pages.parts.ui.say import trouble
from workbench import open_workbench

_FIELDS = [field.name for field in fields(SavedAgent)]
_ENDPOINT = ("base_url", "key_env")
IN_A_ROW = 4
"""Boxes side by side."""


def begin(agent: SavedAgent | None) -> None:
    """Open the form, empty or with that agent in it."""
    st.session_state["agent_form"] = agent.record if agent else {}
    st.session_state["agent_editing"] = agent.name if agent else ""
    st.session_state.pop("agent_form_trouble", None)


def is_open() -> bool:
    return st.session_state.get("agent_editing") is not None


def show() -> None:
    """Draw the form, until it is saved or left."""
    began: dict[str, Any] = st.session_state["agent_form"]
    with st.container(border=True):
        st.subheader("Edit agent" if began else "New agent", anchor=False)
        one, two, three = st.columns([2, 2, 3])
        one.text_input(
            "Name",
            began.get("name", ""),
            key="agent_form_name",
            max_chars=60,
            placeholder="gpt-fast",
            help="What `--agent` takes. Letters, digits, - _ .",
        )
        there = saved_kinds()
        kind = two.selectbox(
            "Kind",
            list(there),
            list(there).index(began.get("kind", DEFAULT_KIND)),
            key="agent_form_kind",
            format_func=lambda name: kinds()[name].label,
        )
        three.text_input(there[kind], began.get("model", ""), key="agent_form_model")
        if kinds()[kind].asks_endpoint:
            _endpoint(began)
        boxes = _boxes(kind)
        for at in range(0, len(boxes), IN_A_ROW):
            for place, setting in zip(st.columns(IN_A_ROW), boxes[at : at + IN_A_ROW], strict=False):
                _box(place, began, setting)
        if sentence := st.session_state.get("agent_form_trouble"):
            trouble(sentence)
        with st.container(horizontal=True):
            st.button("Save", type="primary", key="agent_form_save", on_click=_save)
            st.button("Cancel", key="agent_form_cancel", on_click=_leave)


def _endpoint(began: dict[str, Any]) -> None:
    url, key = st.columns([2, 1])
    url.text_input(
        "Base URL",
        began.get("base_url", ""),
        key="agent_form_base_url",
        placeholder="https://host/v1",
        help="http or https. The server calls this address, not your browser. Empty: the server's OPENAI_BASE_URL, "
        "else OpenAI's own.",
    )
    key.text_input(
        "Key variable",
        began.get("key_env", DEFAULT_KEY),
        key="agent_form_key_env",
        help="Name of the environment variable on the server that holds the key, ending in API_KEY. The key itself "
        "is never stored or shown.",
    )


def _boxes(kind: str) -> list[AgentSetting]:
    """The kind's settings that a saved agent keeps."""
    return [setting for setting in kinds()[kind].settings if setting.name in _FIELDS]


def _box(place: DeltaGenerator, began: dict[str, Any], setting: AgentSetting) -> None:
    """A box for one setting; one for a number may stay empty."""
    key = f"agent_form_{setting.name}"
    if setting.choices:
        values = list(setting.choices)
        at = values.index(began.get(setting.name) or values[0])
        place.selectbox(setting.label, values, at, key=key, format_func=setting.choices.__getitem__, help=setting.help or None)
        return
    least, step = (0.0, None) if setting.may_be_zero else (1, 1) if setting.is_whole else (1.0, 1.0)
    place.number_input(
        setting.label,
        value=began.get(setting.name),
        key=key,
        min_value=least,
        step=step,
        placeholder=setting.empty,
        format=None if setting.may_be_zero or setting.is_whole else "%.0f",
        help=setting.help or None,
    )


def _save() -> None:
    """Keep it, or the sentence why not."""
    try:
        saved = open_workbench().agent_list.save(_record(), replaces=st.session_state["agent_editing"] or None)
    except BenchError as error:
        st.session_state["agent_form_trouble"] = str(error)
    else:
        _leave()
        st.session_state["agent_saved"] = saved


def _record() -> dict[str, Any]:
    """What stands in the boxes of this kind."""
    state = st.session_state
    kind = state["agent_form_kind"]
    unset = {setting.name: next(iter(setting.choices), None) for setting in _boxes(kind)}
    shown = ["name", "kind", "model", *(_ENDPOINT if kinds()[kind].asks_endpoint else ()), *unset]
    every = {name: state.get(f"agent_form_{name}") for name in shown}
    words = {name: value.strip() if isinstance(value, str) else value for name, value in every.items()}
    return {name: value for name, value in words.items() if value not in (None, "") and value != unset.get(name)}


def _leave() -> None:
    for name in ("agent_editing", "agent_form", "agent_form_trouble"):
        st.session_state.pop(name, None)
