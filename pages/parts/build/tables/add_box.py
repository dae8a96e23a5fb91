"""Files of rows dropped on the page: what they could be is proposed, corrected by a person, and saved together."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.errors import BenchError
from pages.parts.build.corpus.sent import sent
from pages.parts.build.tables import spec_form
from pages.parts.ui.allowed import kept
from pages.parts.ui.say import done, note, plain, trouble
from pages.parts.ui.until_ready import until_ready
from workbench import opened
from workbench.build.templates.tables import Draft

STATE = ("tables_taken", "tables_saving")


def show() -> None:
    """Draw the box, or what was dropped in it."""
    tables, state = opened().tables, st.session_state
    if saving := state.get("tables_saving"):
        _saving(saving)
        return
    if sentence := state.pop("tables_said", ""):
        done(sentence)
    for sentence in state.pop("tables_notes", ()):
        note(sentence)
    turn = state.get("tables_turn", 0)
    files = st.file_uploader(
        f"Files: {' '.join(tables.endings())}; tables that lead to one another are best added together",
        accept_multiple_files=True,
        key=f"tables_files_{turn}",
    )
    taken = state.get("tables_taken")
    st.button(
        "Read",
        type="secondary" if taken else "primary",
        key="tables_read",
        on_click=_take,
        args=(files,),
        **kept("change the corpus", not files),
    )
    if sentence := state.pop("tables_add_trouble", ""):
        trouble(sentence)
    if taken:
        _drafts(taken)


def _drafts(taken: str) -> None:
    """A form for each file."""
    tables = opened().tables
    try:
        drafts = until_ready(lambda: tables.drafts(taken), "Reading the files", height=160)
    except BenchError as error:
        trouble(str(error))
        return
    if drafts is None:
        return
    names = [*(draft.raw.name for draft in drafts), *(card["name"] for card in tables.every())]
    records: list[dict[str, Any]] = []
    for place, (tab, draft) in enumerate(zip(st.tabs([plain(draft.file) for draft in drafts]), drafts, strict=True)):
        with tab:
            st.text(
                f"{len(draft.raw):,} {'row' if len(draft.raw) == 1 else 'rows'}. This is what it looks like; correct what "
                "is wrong."
            )
            for sentence in draft.proposal.notes:
                st.caption(plain(sentence))
            try:
                records.append(spec_form.show(tables.proposed(draft), tables.facts(draft), names, f"tables_{taken}_{place}"))
            except BenchError as error:
                trouble(str(error))
    n = len(drafts)
    with st.container(horizontal=True):
        pressed = st.button(
            "Save the table" if n == 1 else f"Save the {n} tables",
            type="primary",
            key="tables_save",
            **kept("change the corpus", len(records) < n),
        )
        st.button("Leave it", key="tables_leave", on_click=_leave)
    if pressed:  # not in a callback: that would be handed what stood in the form before the last word was typed
        _save(drafts, records)
        st.rerun()


def _saving(saving: str) -> None:
    """Wait for them, then say what there is to say."""
    state = st.session_state
    try:
        saved = until_ready(lambda: opened().tables.saved(saving), "Looking at every row", height=120)
    except BenchError as error:
        state.pop("tables_saving")
        state["tables_add_trouble"] = str(error)
        st.rerun()
    if saved is None:
        return
    new = [card["name"] for card in saved if card["is_new"]]
    same = [card["name"] for card in saved if not card["is_new"]]
    said = [f"Saved: {', '.join(new)}."] if new else []
    said += [f"There already, as they are: {', '.join(same)}."] if same else []
    stand = [
        f"{card['items_on_replaced']:,} accepted items stand on the snapshot of {card['name']} before this one; it is kept."
        for card in saved
        if card["items_on_replaced"]
    ]
    state["tables_said"] = " ".join(said)
    state["tables_notes"] = [*(f"{card['name']}: {one}" for card in saved for one in card["said"]), *stand]
    state["tables_turn"] = state.get("tables_turn", 0) + 1
    _leave()
    st.query_params["table"] = saved[0]["name"]
    st.rerun()


def _take(files: Sequence[Any]) -> None:
    try:
        st.session_state["tables_taken"] = opened().tables.take(sent(files))
    except BenchError as error:
        st.session_state["tables_add_trouble"] = str(error)


def _save(drafts: Sequence[Draft], records: Sequence[dict[str, Any]]) -> None:
    try:
        st.session_state["tables_saving"] = opened().tables.save(drafts, records)
    except BenchError as error:
        st.session_state["tables_add_trouble"] = str(error)


def _leave() -> None:
    for name in STATE:
        st.session_state.pop(name, None)
