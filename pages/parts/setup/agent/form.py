"""The form of a saved agent. The form asks for the name of the environment variable that holds the API key, never for the key
itself."""

import json
from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from agents.kind import AgentSetting, kinds
from agents.providers import PROVIDERS, find_provider
from agents.saved import DEFAULT_KEY, DEFAULT_KIND, SavedAgent, saved_kinds
from core.errors import BenchError
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.say import escape, show_error
from workbench import open_workbench

_ENDPOINT = ("base_url", "key_env")
BOXES_PER_ROW = 4
"""Number of input boxes in a row of the form."""


def begin(agent: SavedAgent | None) -> None:
    """Open the form with the settings of `agent`, or an empty form for a new agent if `agent` is None."""
    st.session_state["agent_form"] = agent.record if agent else {}
    st.session_state["agent_editing"] = agent.name if agent else ""
    st.session_state.pop("agent_form_trouble", None)


def is_open() -> bool:
    return st.session_state.get("agent_editing") is not None


def show() -> None:
    """Show the form of the agent that `begin` opened."""
    began: dict[str, Any] = st.session_state["agent_form"]
    with st.container(border=True):
        st.subheader("Edit agent" if began else "New agent", anchor=False)
        left, two, three = st.columns([2, 2, 3])
        left.text_input(
            "Name",
            began.get("name", ""),
            key="agent_form_name",
            max_chars=60,
            placeholder="gpt-fast",
            help="The name to use with `--agent`; letters, digits, - _ .",
        )
        there = saved_kinds()
        kind = two.selectbox(
            "Kind",
            list(there),
            list(there).index(began.get("kind", DEFAULT_KIND)),
            key="agent_form_kind",
            format_func=lambda name: kinds()[name].label,
        )
        _begin_with("model", began.get("model", ""))
        three.text_input(there[kind], key="agent_form_model")
        if kinds()[kind].asks_endpoint:
            _endpoint(began)
        boxes = kinds()[kind].settings
        _draw_boxes(began, [setting for setting in boxes if not setting.group])
        for group in dict.fromkeys(setting.group for setting in boxes if setting.group):
            with st.expander(group):
                st.caption("Detected from the endpoint's answers and stored; set a value here to correct it.")
                _draw_boxes(began, [setting for setting in boxes if setting.group == group])
        if sentence := st.session_state.get("agent_form_trouble"):
            show_error(sentence)
        with st.container(horizontal=True):
            draw_button("Save", "agent_form_save", _save, is_primary=True)
            draw_button("Cancel", "agent_form_cancel", _leave)


def _endpoint(began: dict[str, Any]) -> None:
    _begin_with("base_url", began.get("base_url", ""))
    _begin_with("key_env", began.get("key_env", DEFAULT_KEY))
    _draw_providers()
    url, key = st.columns([2, 1])
    url.text_input(
        "Base URL",
        key="agent_form_base_url",
        placeholder="https://host/v1",
        help="http or https. The server calls this address, not your browser. If empty: the server's OPENAI_BASE_URL, "
        "or OpenAI's own URL if that variable is not set.",
    )
    key.text_input(
        "Key variable",
        key="agent_form_key_env",
        help="Name of the environment variable on the server that holds the key, ending in API_KEY. The key itself "
        "is never stored or shown.",
    )


def _begin_with(name: str, value: str) -> None:
    """Set the initial value of a box of the form, unless the box has a value already."""
    st.session_state.setdefault(f"agent_form_{name}", value)


def _draw_providers() -> None:
    """Show a select box for a provider, which fills in the base URL and the name of the key's environment variable, and the
    list of the provider's models."""
    provider, ask, models = st.columns([3, 2, 4], vertical_alignment="bottom")
    _begin_with("provider", find_provider(st.session_state["agent_form_base_url"]))
    name = provider.selectbox(
        "Provider",
        ["", *PROVIDERS],
        key="agent_form_provider",
        format_func=lambda name: PROVIDERS[name].label if name else "another",
        on_change=_take_provider,
        help="Choosing a provider fills in its address and the name of the environment variable for its key.",
    )
    ask.button("List models", key="agent_form_list", icon=":material/list:", on_click=_list_models)
    if listed := st.session_state.get("agent_models"):
        models.selectbox(
            f"Models of this endpoint ({len(listed)})",
            listed,
            None,
            key="agent_form_models",
            placeholder="Choose one, or type",
            on_change=_take_model,
        )
    if sentence := st.session_state.get("agent_models_trouble"):
        show_error(sentence)
    if name and PROVIDERS[name].hint:
        st.caption(escape(PROVIDERS[name].hint))


def _take_provider() -> None:
    name = st.session_state["agent_form_provider"]
    for part in ("agent_models", "agent_models_trouble"):
        st.session_state.pop(part, None)
    if name:
        st.session_state["agent_form_base_url"] = PROVIDERS[name].base_url
        st.session_state["agent_form_key_env"] = PROVIDERS[name].key_env


def _list_models() -> None:
    state = st.session_state
    for part in ("agent_models", "agent_models_trouble"):
        state.pop(part, None)
    address, key_env = state["agent_form_base_url"].strip(), state["agent_form_key_env"].strip()
    try:
        state["agent_models"] = open_workbench().agent_list.list_models(address, key_env)
    except BenchError as error:
        state["agent_models_trouble"] = str(error)


def _take_model() -> None:
    if chosen := st.session_state["agent_form_models"]:
        st.session_state["agent_form_model"] = chosen


def _draw_boxes(began: dict[str, Any], boxes: Sequence[AgentSetting]) -> None:
    """Show the boxes for the given settings in rows."""
    for at in range(0, len(boxes), BOXES_PER_ROW):
        for place, setting in zip(st.columns(BOXES_PER_ROW), boxes[at : at + BOXES_PER_ROW], strict=False):
            _box(place, began, setting)


def _box(place: DeltaGenerator, began: dict[str, Any], setting: AgentSetting) -> None:
    """Show the input box for one setting of an agent; a number box may stay empty."""
    key = f"agent_form_{setting.name}"
    if setting.is_object:
        written = json.dumps(began[setting.name], ensure_ascii=False) if setting.name in began else ""
        place.text_input(setting.label, written, key=key, placeholder=setting.empty, help=setting.help or None)
        return
    if setting.choices:
        values = list(setting.choices)
        at = values.index(began.get(setting.name) or values[0])
        place.selectbox(setting.label, values, at, key=key, format_func=setting.choices.__getitem__, help=setting.help or None)
        return
    if setting.check_text is not None:
        text = began.get(setting.name) or ""
        place.text_input(setting.label, text, key=key, placeholder=setting.empty, help=setting.help or None)
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
    """Save the agent in the form, or store the error message that explains what is wrong."""
    try:
        saved = open_workbench().agent_list.save(_record(), replaces=st.session_state["agent_editing"] or None)
    except BenchError as error:
        st.session_state["agent_form_trouble"] = str(error)
    else:
        _leave()
        st.session_state["agent_saved"] = saved


def _record() -> dict[str, Any]:
    """Return the values in the form's boxes that belong to the chosen kind of agent, without empty and default values."""
    state = st.session_state
    kind = state["agent_form_kind"]
    unset = {setting.name: next(iter(setting.choices), None) for setting in kinds()[kind].settings}
    shown = ["name", "kind", "model", *(_ENDPOINT if kinds()[kind].asks_endpoint else ()), *unset]
    every = {name: state.get(f"agent_form_{name}") for name in shown}
    words = {name: value.strip() if isinstance(value, str) else value for name, value in every.items()}
    return {name: value for name, value in words.items() if value not in (None, "") and value != unset.get(name)}


def _leave() -> None:
    for name in ("agent_editing", "agent_form", "agent_form_trouble", "agent_models", "agent_models_trouble"):
        st.session_state.pop(name, None)
