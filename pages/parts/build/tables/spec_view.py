"""A form in which a person corrects a table's spec (the description of its columns). A change makes a new snapshot of the
table, and items keep the snapshot that they were made from."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.tables.nouns import spec_record
from pages.parts.build.tables import spec_form
from pages.parts.ui.allowed import guard
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, keep_success, show_errors, show_feedback
from pages.parts.ui.say import count_things, show_warning
from workbench import open_workbench
from workbench.build.templates.tables import TableCard


def show(card: TableCard) -> None:
    """Show the form for the spec, and explain what saving the spec changes."""
    show_feedback("tables_spec")
    if n := card.accepted_from:
        show_warning(
            f"{n:,} accepted {'item was' if n == 1 else 'items were'} made from this snapshot: it does not change; saving "
            "here creates a new snapshot."
        )
    with show_errors():
        _draw_form(card)


def _draw_form(card: TableCard) -> None:
    name, spec = card.stored.name, card.stored.spec
    record = spec_form.show(spec, {}, list(open_workbench().tables.hashes()), f"tables_spec_{card.stored.hash}")
    before = spec_record(spec)
    is_changed = any(record[field] != before[field] for field in record)
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = st.button("Save", type="primary", key="tables_spec_save", **guard("change the corpus"))
        help = "Items that were made from this table stay, and the table's snapshot stays too."
        draw_button("Remove from use", "tables_remove", _remove, name, requires="change the corpus", help=help)
        st.caption(f"{count_things(card.snapshots, 'snapshot')} stored under this name")
    if pressed:  # not in a callback, because a callback gets the form's values without the last typed word
        _save(name, record, is_changed)
        st.rerun()


def _save(name: str, record: Mapping[str, Any], is_changed: bool) -> None:
    if not is_changed:
        keep_success("tables_spec", "Nothing is changed.")
        return
    with keep_errors("tables_spec"):
        saved = open_workbench().tables.correct(name, record)
        keep_success("tables_spec", " ".join([f"Saved {saved.card.stored.name}.", *saved.notes]))
        st.query_params["table"] = saved.card.stored.name


def _remove(name: str) -> None:
    with keep_errors("tables_spec"):
        open_workbench().tables.remove(name)
