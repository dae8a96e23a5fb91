"""Sentences on a page, shown letter by letter: what stands in them may come from a file or a model, so none of it is read as
markdown."""

import logging
import re

import streamlit as st

from core.errors import BenchError

LOG = logging.getLogger(__name__)

_MARKS = re.compile(r"([!-/:-@\[-`{-~])")


def escape(text: str) -> str:
    """The text for a place that reads markdown (labels, captions, tables): every mark of it is escaped."""
    return _MARKS.sub(r"\\\1", text)


def shorten(text: str, most: int) -> str:
    """As much of the text as is wanted, and a sign where it goes on."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def count_things(n: int, thing: str) -> str:
    """1 variant, 2,400 variants."""
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def show_error(message: str) -> None:
    """What went wrong, and what to do."""
    st.error(escape(message), icon=":material/error:")


def show_note(message: str) -> None:
    """What one should know."""
    st.info(escape(message), icon=":material/info:")


def show_warning(message: str) -> None:
    """What one should know before going on."""
    st.warning(escape(message), icon=":material/warning:")


def show_success(message: str) -> None:
    """What was done."""
    st.success(escape(message), icon=":material/check_circle:")


def show_failure(error: Exception) -> bool:
    """What a page shows that broke: the sentence of an error a person can mend; for a bug where its details are. Returns True:
    nothing else is shown of it."""
    if isinstance(error, BenchError):
        show_error(str(error))
    else:
        LOG.error("A page broke.", exc_info=error)
        show_error(
            f"This page broke ({type(error).__name__}), which is our mistake. What was stored is there: reload the page to go "
            "on. The server's log has the details."
        )
    return True
