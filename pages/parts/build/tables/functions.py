"""The functions that a table is asked by, as a prompt has them, and a box to try one."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.errors import BenchError
from core.tables.world import Tables
from pages.parts.ui.say import trouble
from pages.parts.ui.until_ready import until_ready
from workbench import opened

SHOWN = 4_000
"""Characters of an observation on the page."""


def show(card: Mapping[str, Any]) -> None:
    """Draw them, and the box."""
    tables = opened().tables
    world = until_ready(tables.world, "Reading the tables", height=160)
    if world is None:
        return
    found = tables.functions(card["name"], world)
    if not found:
        st.caption(
            "A table that links others has no functions of its own: it is met by relations. Say under Spec what one row "
            "is to ask it by itself."
        )
        return
    left, right = st.columns([5, 6], gap="large")
    with left:
        for function in found:
            st.code(function["words"], language=None, wrap_lines=True)
    with right:
        _try(world, {function["name"]: function for function in found}, f"tables_try_{card['hash']}")


def _try(world: Tables, functions: Mapping[str, Mapping[str, Any]], key: str) -> None:
    """Arguments, and what a system would see."""
    st.markdown("**Try it**")
    name = st.selectbox("Function", list(functions), key=f"{key}_function")
    with st.form(f"{key}_{name}", border=True):
        given = {one["name"]: _argument(one, f"{key}_{name}_{one['name']}") for one in functions[name]["parameters"]}
        now = st.text_input(
            "Asked on",
            key=f"{key}_now",
            placeholder="2026-11-22; empty = no time is set",
            width=260,
            help="Rows of tables with a time column stand only once they have begun.",
        )
        pressed = st.form_submit_button("Call", type="primary")
    if not pressed:
        return
    arguments = {argument: value for argument, value in given.items() if value not in (None, "")}
    try:
        seen = opened().tables.call(world, name, arguments, now.strip() or None)
    except BenchError as error:
        trouble(str(error))
        return
    if not seen.ok:
        trouble(str(seen.error))
        return
    st.code(seen.text[:SHOWN], language=None, wrap_lines=True)
    if len(seen.text) > SHOWN:
        st.caption(f"The first {SHOWN:,} of {len(seen.text):,} characters.")


def _argument(parameter: Mapping[str, Any], key: str) -> str | None:
    label = parameter["name"] + ("" if parameter["required"] else " (may be left out)")
    choices: list[str] = parameter["choices"]
    if choices:
        return st.selectbox(label, choices, index=0 if parameter["required"] else None, key=key, placeholder="none")
    return st.text_input(label, key=key)
