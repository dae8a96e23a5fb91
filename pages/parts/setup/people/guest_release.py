"""The choice of the only release that a guest sees."""

import streamlit as st

from workbench import open_workbench

HELP = "A guest sees this release and nothing else. Leave it empty for every other role."


def show_release_choice(key: str, current: str | None = None) -> str | None:
    """Draw the choice among all releases, and return the chosen one; draw nothing without releases."""
    names = [header.name for header in open_workbench().release_browser.list_releases()]
    if not names:
        return None
    index = names.index(current) if current in names else None
    return st.selectbox("Release of a guest", names, index=index, placeholder="none", width=200, key=key, help=HELP)
