"""The choice of the one release that a guest is allowed to see."""

import streamlit as st

from workbench import open_workbench

HELP = "A guest sees this release and nothing else. Leave it empty for every other role."


def show_release_choice(key: str, current: str | None = None) -> str | None:
    """Show a select box for a release, and return the release's name, or None if no release is chosen; show nothing if there
    are no releases."""
    names = [header.name for header in open_workbench().release_browser.list_releases()]
    if not names:
        return None
    index = names.index(current) if current in names else None
    return st.selectbox("Release of a guest", names, index=index, placeholder="none", width=200, key=key, help=HELP)
