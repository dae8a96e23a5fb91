"""A box that adds tables from files: the page proposes a spec for each file, a person corrects these specs, and all tables are
then saved together."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.errors import BenchError
from pages.parts.build.corpus.uploading import to_uploads
from pages.parts.build.tables import spec_form
from pages.parts.ui.allowed import guard
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, keep_success, show_errors, show_feedback
from pages.parts.ui.say import count_things, escape, show_note
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.build.templates.tables import TableDraft


def show() -> None:
    """Show the upload box or, once files are uploaded, a form for each of them."""
    state = st.session_state
    if saving := state.get("tables_saving"):
        _wait_for_saved(saving)
        return
    for sentence in state.pop("tables_notes", ()):
        show_note(sentence)
    files = st.file_uploader(
        f"Files: {' '.join(open_workbench().tables.endings())}; add tables that refer to one another in one upload",
        accept_multiple_files=True,
        key=f"tables_files_{state.get('tables_turn', 0)}",
    )
    taken = state.get("tables_taken")
    draw_button("Read", "tables_read", _take, files, is_primary=not taken, requires="change the corpus", disabled=not files)
    show_feedback("tables_add")
    if taken:
        with show_errors():
            _draw_drafts(taken)


def _draw_drafts(taken: str) -> None:
    """Show a form with the proposed spec of each uploaded file, and the button that saves all tables."""
    tables = open_workbench().tables
    drafts = until_ready(lambda: tables.load_drafts(taken), "Reading the files", height=160)
    if drafts is None:
        return
    names = [*(draft.raw.name for draft in drafts), *tables.hashes()]
    records: list[dict[str, Any]] = []
    for place, (tab, draft) in enumerate(zip(st.tabs([escape(draft.file) for draft in drafts]), drafts, strict=True)):
        with tab:
            st.text(f"{count_things(len(draft.raw), 'row')}. This is the proposed spec; correct what is wrong.")
            for sentence in draft.proposal.notes:
                st.caption(escape(sentence))
            with show_errors():
                key = f"tables_{taken}_{place}"
                records.append(spec_form.show(draft.proposal.spec, tables.list_facts(draft), names, key))
    n = len(drafts)
    with st.container(horizontal=True):
        label = "Save the table" if n == 1 else f"Save the {n} tables"
        pressed = st.button(label, type="primary", key="tables_save", **guard("change the corpus", len(records) < n))
        draw_button("Leave it", "tables_leave", _leave)
    if pressed:  # not in a callback, because a callback gets the form's values without the last typed word
        _save(drafts, records)
        st.rerun()


def _wait_for_saved(saving: str) -> None:
    """Wait until the tables are saved, then report which are new, unchanged or replaced."""
    state = st.session_state
    try:
        saved = until_ready(lambda: open_workbench().tables.load_saved(saving), "Looking at every row", height=120)
    except BenchError as error:
        state.pop("tables_saving")
        state["tables_add_trouble"] = str(error)
        st.rerun()
    if saved is None:
        return
    names = {table.card.stored.name: table for table in saved}
    new = [name for name, table in names.items() if table.is_new]
    same = [name for name, table in names.items() if not table.is_new]
    sentences = [f"Saved: {', '.join(new)}."] if new else []
    sentences += [f"These tables were in the workspace already, unchanged: {', '.join(same)}."] if same else []
    keep_success("tables_add", " ".join(sentences))
    notes = [f"{name}: {sentence}" for name, table in names.items() for sentence in table.notes]
    notes += [
        f"{table.items_on_replaced:,} accepted items use the previous snapshot of {name}, which stays stored."
        for name, table in names.items()
        if table.items_on_replaced
    ]
    state["tables_notes"] = notes
    state["tables_turn"] = state.get("tables_turn", 0) + 1
    _leave()
    st.query_params["table"] = next(iter(names))
    st.rerun()


def _take(files: Sequence[Any]) -> None:
    with keep_errors("tables_add"):
        st.session_state["tables_taken"] = open_workbench().tables.take(to_uploads(files))


def _save(drafts: Sequence[TableDraft], records: Sequence[dict[str, Any]]) -> None:
    with keep_errors("tables_add"):
        st.session_state["tables_saving"] = open_workbench().tables.save(drafts, records)


def _leave() -> None:
    for name in ("tables_taken", "tables_saving"):
        st.session_state.pop(name, None)
