"""The functions with which a RAG system queries a table, described as in the system's prompt, and a box that tries one of
them."""

from collections.abc import Mapping

import streamlit as st

from core.functions.functions import Parameter
from core.tables.world import Tables
from pages.parts.ui.feedback import show_errors
from pages.parts.ui.say import show_error
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.build.templates.tables import FunctionCard, TableCard

MAX_CHARACTERS = 4_000
"""Maximum length in characters of a function's result on the screen."""


def show(card: TableCard) -> None:
    """Show the list of the table's functions, and the box that tries one of them."""
    tables = open_workbench().tables
    world = until_ready(tables.world, "Reading the tables", height=160)
    if world is None:
        return
    functions = {function.name: function for function in tables.functions(card.stored.name, world)}
    if not functions:
        st.caption(
            "A table that only links other tables has no functions: systems query it through the relations of other "
            "tables. To give this table functions, enter under Spec what one row is."
        )
        return
    left, right = st.columns([5, 6], gap="large")
    with left:
        for function in functions.values():
            st.code(function.words, language=None, wrap_lines=True)
    with right, show_errors():
        _draw_trial(world, functions, f"tables_try_{card.stored.hash}")


def _draw_trial(world: Tables, functions: Mapping[str, FunctionCard], key: str) -> None:
    """Show the boxes for a function's arguments and, after a call, the result that a system would see."""
    st.markdown("**Try it**")
    name = st.selectbox("Function", list(functions), key=f"{key}_function")
    with st.form(f"{key}_{name}", border=True):
        parameters = functions[name].parameters
        values = {parameter.name: _draw_argument(parameter, f"{key}_{name}_{parameter.name}") for parameter in parameters}
        now = st.text_input(
            "Asked on",
            key=f"{key}_now",
            placeholder="2026-11-22; empty = no time is set",
            width=260,
            help="For a table with a time column, rows later than this time are ignored.",
        )
        pressed = st.form_submit_button("Call", type="primary")
    if not pressed:
        return
    arguments = {argument: value for argument, value in values.items() if value not in (None, "")}
    observation = open_workbench().tables.call(world, name, arguments, now.strip() or None)
    if not observation.ok:
        show_error(str(observation.error))
        return
    st.code(observation.text[:MAX_CHARACTERS], language=None, wrap_lines=True)
    if len(observation.text) > MAX_CHARACTERS:
        st.caption(f"The first {MAX_CHARACTERS:,} of {len(observation.text):,} characters.")


def _draw_argument(parameter: Parameter, key: str) -> str | None:
    label = parameter.name + ("" if parameter.required else " (optional)")
    if not parameter.choices:
        return st.text_input(label, key=key)
    first = 0 if parameter.required else None
    return st.selectbox(label, list(map(str, parameter.choices)), index=first, key=key, placeholder="none")
