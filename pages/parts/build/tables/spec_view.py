"""A table's spec, to be corrected: what changes is a new snapshot, and items keep the one that they were made from."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.errors import BenchError
from pages.parts.build.tables import spec_form
from pages.parts.ui.allowed import kept
from pages.parts.ui.say import caution, done, trouble
from workbench import opened


def show(card: Mapping[str, Any]) -> None:
    """Draw the form, and what it changes."""
    tables = opened().tables
    for name, say in (("tables_done", done), ("tables_spec_trouble", trouble)):
        if sentence := st.session_state.pop(name, ""):
            say(sentence)
    if card["accepted_from"]:
        n = card["accepted_from"]
        caution(
            f"{n:,} accepted {'item was' if n == 1 else 'items were'} made from this snapshot: it stays as it is, and what "
            "is saved here is a new one beside it."
        )
    names = [other["name"] for other in tables.every()]
    try:
        record = spec_form.show(card, {}, names, f"tables_spec_{card['hash']}")
    except BenchError as error:
        trouble(str(error))
        return
    is_changed = any(record[field] != _plain(card[field]) for field in record)
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = st.button("Save", type="primary", key="tables_spec_save", **kept("change the corpus"))
        st.button(
            "Take out of use",
            on_click=_remove,
            args=(card["name"],),
            key="tables_remove",
            **kept("change the corpus", help="Items that were made from it stay, and so does what they were made from."),
        )
        st.caption(f"{card['snapshots']} {'snapshot' if card['snapshots'] == 1 else 'snapshots'} kept under this name")
    if pressed:  # not in a callback: that would be handed what stood in the form before the last word was typed
        _save(card["name"], record, is_changed)
        st.rerun()


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _save(name: str, record: Mapping[str, Any], is_changed: bool) -> None:
    if not is_changed:
        st.session_state["tables_done"] = "Nothing is changed."
        return
    try:
        saved = opened().tables.correct(name, record)
    except BenchError as error:
        st.session_state["tables_spec_trouble"] = str(error)
        return
    st.session_state["tables_done"] = " ".join([f"Saved {saved['name']}.", *saved["said"]])
    st.query_params["table"] = saved["name"]


def _remove(name: str) -> None:
    try:
        opened().tables.remove(name)
    except BenchError as error:
        st.session_state["tables_spec_trouble"] = str(error)
