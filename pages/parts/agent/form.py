"""The form of a saved agent. It asks for the name of the variable that holds the key, never for a key."""

from dataclasses import fields
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.agents.saved import DEFAULT_KEY, KINDS, SavedAgent
from core.errors import BenchError
from pages.parts.say import trouble
from workbench import opened

WORDS = {"openai": "OpenAI-compatible endpoint", "huggingface": "Local model folder", "scripted": "Replies from a file"}
_MODEL = {"openai": "Model", "huggingface": "Folder or model name", "scripted": "File of replies (.jsonl)"}
_JSON = {"auto": "auto", "schema": "by schema", "json": "JSON object", "prompt": "in words"}
_NUMBERS = (
    ("price_in", "Price in, USD per million tokens", "unknown"), ("price_out", "Price out, USD per million tokens", "unknown"),
    ("context", "Context window, tokens", "unknown"), ("temperature", "Temperature", "the prompt's"),
    ("rpm", "Requests per minute", "no limit"), ("tpm", "Tokens per minute", "no limit"),
    ("concurrency", "Calls at once", "8, growing to 64"), ("timeout", "Timeout, seconds", "60"),
)  # fmt: skip
"""Setting, its label, and what an empty box means."""
_FROM_ZERO, _WHOLE = ("price_in", "price_out", "temperature"), ("context", "concurrency")
_FIELDS = [field.name for field in fields(SavedAgent)]


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
        one.text_input("Name", began.get("name", ""), key="agent_form_name", max_chars=60, placeholder="gpt-fast",
                       help="What `--agent` takes. Letters, digits, - _ .")  # fmt: skip
        kinds = list(KINDS)
        kind = two.selectbox("Kind", kinds, kinds.index(began.get("kind", "openai")), key="agent_form_kind",
                             format_func=WORDS.__getitem__)  # fmt: skip
        three.text_input(_MODEL[kind], began.get("model", ""), key="agent_form_model")
        if kind == "openai":
            _endpoint(began)
        if kind == "huggingface":
            _number(st.columns(4)[0], began, *_NUMBERS[3])
        if sentence := st.session_state.get("agent_form_trouble"):
            trouble(sentence)
        with st.container(horizontal=True):
            st.button("Save", type="primary", key="agent_form_save", on_click=_save)
            st.button("Cancel", key="agent_form_cancel", on_click=_leave)


def _endpoint(began: dict[str, Any]) -> None:
    url, key = st.columns([2, 1])
    url.text_input("Base URL", began.get("base_url", ""), key="agent_form_base_url", placeholder="https://host/v1",
                   help="http or https. The server calls this address, not your browser. Empty: the server's OPENAI_BASE_URL, "
                        "else OpenAI's own.")  # fmt: skip
    key.text_input("Key variable", began.get("key_env", DEFAULT_KEY), key="agent_form_key_env",
                   help="Name of the environment variable on the server that holds the key, ending in API_KEY. The key itself "
                        "is never stored or shown.")  # fmt: skip
    for numbers in (_NUMBERS[:4], _NUMBERS[4:]):
        for place, (name, label, hint) in zip(st.columns(4), numbers, strict=True):
            _number(place, began, name, label, hint)
    st.columns(4)[0].selectbox(
        "Structured output", list(_JSON), list(_JSON).index(began.get("structured") or "auto"), key="agent_form_structured",
        format_func=_JSON.__getitem__, help="How JSON replies are asked for; auto finds out what the endpoint takes.",
    )  # fmt: skip


def _number(place: DeltaGenerator, began: dict[str, Any], name: str, label: str, hint: str) -> None:
    """A box that may stay empty."""
    least, step = (0.0, None) if name in _FROM_ZERO else (1, 1) if name in _WHOLE else (1.0, 1.0)
    place.number_input(label, value=began.get(name), key=f"agent_form_{name}", min_value=least, step=step, placeholder=hint,
                       format=None if name in _FROM_ZERO or name in _WHOLE else "%.0f")  # fmt: skip


def _save() -> None:
    """Keep it, or the sentence why not."""
    try:
        saved = opened().agent_list.save(_record(), replaces=st.session_state["agent_editing"] or None)
    except BenchError as error:
        st.session_state["agent_form_trouble"] = str(error)
    else:
        _leave()
        st.session_state["agent_saved"] = saved


def _record() -> dict[str, Any]:
    """What stands in the boxes of this kind."""
    state = st.session_state
    kind = state["agent_form_kind"]
    shown = {"openai": _FIELDS, "huggingface": ["temperature"], "scripted": []}[kind]
    every = {name: state.get(f"agent_form_{name}") for name in dict.fromkeys(["name", "kind", "model", *shown])}
    words = {name: value.strip() if isinstance(value, str) else value for name, value in every.items()}
    return {name: value for name, value in words.items() if value not in (None, "") and (name, value) != ("structured", "auto")}


def _leave() -> None:
    for name in ("agent_editing", "agent_form", "agent_form_trouble"):
        st.session_state.pop(name, None)
