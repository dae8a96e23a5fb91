"""The frame of every page: the wordmark, the name of the workspace, and the name of the person."""

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import streamlit as st

from pages.parts.base_path import find_base
from pages.parts.ui import away
from pages.parts.ui.person import ask_for_person
from pages.parts.ui.say import escape, show_warning
from workbench import open_workbench

WORDMARK = Path(__file__).with_name("wordmark.svg")
_PAGES = "frame_pages"
"""Session key of the names of the current page and of the previously shown page."""
_STYLE = """
<style>
[data-testid="stMainBlockContainer"] { padding-left: 2.4rem; padding-right: 2.4rem; }
[data-testid="stSidebarNav"] li { margin-bottom: 0; }
[data-testid="stSidebarNav"] a { margin-top: 0; margin-bottom: 0; padding-top: 0; padding-bottom: 0; }
[data-testid="stApp"] a:focus-visible { outline: 2px solid currentColor !important; outline-offset: 2px; border-radius: 4px; }
[data-testid="stCaptionContainer"] { opacity: .72 !important; }
[data-testid="stApp"] button kbd { color: inherit !important; opacity: 1 !important; }
:is([data-testid^="stBaseButton-primary"]:enabled, [data-tag], [data-tag] *) { color: Canvas !important; }
[data-testid="stMain"]:focus-visible::before { display: none; }
:is([class*="st-key-mention_"], [class*="st-key-guideline_"]) :is(button, button p) { text-align: start; }
</style>
"""
"""CSS beyond the theme's settings: margins of the main column, a compact menu above the visible name, a focus ring around links
but not around the whole page, captions and key caps with a contrast of more than 4.5 (Streamlit's have 4.1 on the light
theme), dark letters on the light buttons and tags of the dark theme (Streamlit's white has 2.4), and left-aligned news over
several lines."""


def show_frame() -> None:
    """Show what surrounds the content of every page: wordmark, workspace and person. Raises BenchError if the workspace cannot
    be opened, because the page then has nothing to show."""
    st.html(_STYLE)
    st.logo(str(WORDMARK), size="large")
    with st.sidebar:
        st.caption(_describe_place())
        ask_for_person()
        away.watch()


def _describe_place() -> str:
    """Describe in a line the open workspace or, for a guest, the one release that the guest sees."""
    release = open_workbench().people.find_guest_release()
    if release is not None:
        return f"Release **{escape(release)}**"
    path = open_workbench().database.path
    return f"Workspace **{escape(path.stem) if path else 'in memory'}**"


def note_page(page: str) -> None:
    """Store in the session the name of the page that this run shows."""
    st.session_state[_PAGES] = (page, st.session_state.get(_PAGES, (None,))[0])


def is_arrival() -> bool:
    """Return whether the person has just opened this page, which means that the previous run showed another page or no page."""
    page, before = st.session_state.get(_PAGES, (None, None))
    return page is None or page != before


def tell_unknown_address(known: Iterable[str]) -> None:
    """Warn if no page has the requested URL, for which Streamlit shows the first page. Streamlit's own dialog is switched off,
    together with the other dialogs that would cover the banner of an unreachable server."""
    asked = unquote(urlsplit(st.context.url or "").path).removeprefix(find_base()).strip("/")
    if asked and asked not in known:
        show_warning(f"Page not found: there is no page at /{asked}. This is Home.")
