"""An overlay that lists the keyboard shortcuts of the page. The key `?` or a button of the CSS class keys-open opens the
overlay; `?` or Escape closes the overlay."""

from collections.abc import Sequence
from typing import NoReturn

import streamlit as st

from pages.components.bundles import register

KEYS_OF_EVERY_PAGE = (("?", "Show or hide this help"),)

_DRAWN = "keys_help_drawn"
_OVERLAY = register("keys_help", "keys_help")


def keys_help(rows: Sequence[tuple[str, str]] = ()) -> None:
    """Set the keyboard shortcuts that the help of this page lists, as rows of (keys separated by spaces, what the keys do)."""
    st.session_state[_DRAWN] = True
    _OVERLAY(data={"rows": [list(row) for row in (*rows, *KEYS_OF_EVERY_PAGE)]}, key="keys_help", height=1)


def begin() -> None:
    """Record, at the beginning of a rerun, that the page has not called `keys_help` yet."""
    st.session_state[_DRAWN] = False


def stop() -> NoReturn:
    """Set up the help that `?` opens, then end the run of the page's script."""
    end()
    st.stop()


def end() -> None:
    """At the end of a page that did not call `keys_help`, set up a help without the page's own shortcuts, so that `?` still
    works."""
    if not st.session_state[_DRAWN]:
        keys_help()
