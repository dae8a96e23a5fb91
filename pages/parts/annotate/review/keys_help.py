"""Help on `?`, or on a button of class keys-open: the keys of the page, laid over it; the same key or Escape closes it."""

from collections.abc import Sequence
from typing import NoReturn

import streamlit as st

from pages.components.bundles import register

KEYS_OF_EVERY_PAGE = (("?", "Show or hide this help"),)

_DRAWN = "keys_help_drawn"
_OVERLAY = register("keys_help", "keys_help")


def keys_help(rows: Sequence[tuple[str, str]] = ()) -> None:
    """Set the help that `?` shows on this page: (keys separated by spaces, the effect of the keys)."""
    st.session_state[_DRAWN] = True
    _OVERLAY(data={"rows": [list(row) for row in (*rows, *KEYS_OF_EVERY_PAGE)]}, key="keys_help", height=1)


def begin() -> None:
    """Begin a rerun: its page has set no keys yet."""
    st.session_state[_DRAWN] = False


def stop() -> NoReturn:
    """End the page here; the page still answers `?`."""
    end()
    st.stop()


def end() -> None:
    """End a drawn page; a page that set no keys still answers `?`."""
    if not st.session_state[_DRAWN]:
        keys_help()
