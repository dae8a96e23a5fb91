"""The guideline of a task beside the work on its items, as the Markdown that a lead wrote."""

import streamlit as st

from workbench import opened


def show(task: str, who: str) -> None:
    """Draw it, open until this person closes that version; nothing where none is written."""
    found = opened().guidelines.beside(task)
    if found is None:
        return
    key = f"guideline_{task}_{found['version']}"
    box = st.expander(
        f"Guideline, version {found['version']}",
        not opened().own_work.has_seen(who, key),
        key=key,
        icon=":material/menu_book:",
        on_change=_keep_closed,
        args=(key, who),
    )
    with box:  # core/text/markdown.py makes the HTML and lets none of the text through
        st.html(f'<div tabindex="0" style="max-height: 13rem; overflow-y: auto">{found["html"]}</div>')


def _keep_closed(key: str, who: str) -> None:
    if who and not st.session_state[key]:
        opened().own_work.mark_seen(who, key)
