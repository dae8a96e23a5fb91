"""Messages on a page, shown as plain text: they may contain text from files or models, so markdown in them has no effect."""

import logging
import re

import streamlit as st

from core.errors import BenchError

LOG = logging.getLogger(__name__)

_MARKS = re.compile(r"([!-/:-@\[-`{-~])")


def escape(text: str) -> str:
    """Return the text with every markdown character escaped, for places that read markdown (labels, captions, tables)."""
    return _MARKS.sub(r"\\\1", text)


def shorten(text: str, most: int) -> str:
    """Return the text cut to at most the wanted length, with an ellipsis at the cut."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def count_things(n: int, thing: str) -> str:
    """Format a count with its noun, such as "1 variant" or "2,400 variants"."""
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def show_error(message: str) -> None:
    """Show an error message in a coloured box; the message says what failed and what to do about it."""
    st.error(escape(message), icon=":material/error:")


def show_note(message: str) -> None:
    """Show a note in a coloured box."""
    st.info(escape(message), icon=":material/info:")


def show_warning(message: str) -> None:
    """Show a warning in a coloured box."""
    st.warning(escape(message), icon=":material/warning:")


def show_success(message: str) -> None:
    """Show a message about a success in a coloured box."""
    st.success(escape(message), icon=":material/check_circle:")


def show_failure(error: Exception) -> bool:
    """Show why the page failed: the message of an error that the user can correct or, for a bug, where the details are. Always
    return True, which tells the caller that the failure is reported."""
    if isinstance(error, BenchError):
        show_error(str(error))
    else:
        LOG.error("A page broke.", exc_info=error)
        show_error(
            f"This page failed ({type(error).__name__}). This is a bug in Benchwright; stored data is safe. Reload the "
            "page to continue. The server's log has the details."
        )
    return True
