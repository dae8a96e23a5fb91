"""An overlay that lists the keys of the page. The key `?` or a button of the class keys-open opens it; `?` or Escape closes
it."""

from collections.abc import Sequence
from typing import NoReturn

import streamlit as st

from pages.components.bundles import register

KEYS_OF_EVERY_PAGE = (("?", "Show or hide this help"),)

_DRAWN = "keys_help_drawn"
_OVERLAY = register("keys_help", "keys_help")


def keys_help(rows: Sequence[tuple[str, str]] = ()) -> None:
    """Set the keys that the help lists on this page, as rows of (keys separated by spaces, what the keys do)."""
    st.session_state[_DRAWN] = True
    _OVERLAY(data={"rows": [list(row) for row in (*rows, *KEYS_OF_EVERY_PAGE)]}, key="keys_help", height=1)


def begin() -> None:
    """Note at the beginning of a rerun that its page has not set any keys yet."""
    st.session_state[_DRAWN] = False


def stop() -> NoReturn:
    """End the script run here, after setting up the help that `?` opens."""
    end()
    st.stop()


def end() -> None:
    """Set up an empty help at the end of a page that called `keys_help` nowhere, so that `?` still works."""
    if not st.session_state[_DRAWN]:
        keys_help()
