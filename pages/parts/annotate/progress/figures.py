"""Formats numbers for the page Progress: shares in percent, durations in a suitable unit, a dash for a missing value. Also
shows the buttons that download a table."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from pages.parts.evaluate.results.figures import DASH
from pages.parts.ui.data_table import download
from workbench import open_workbench
from workbench.actor import carry_to_thread

FORMATS = {"csv": "CSV", "latex": "LaTeX", "html": "HTML", "json": "JSON"}
NO_VALUE: Mapping[str, Any] = {"text": DASH, "muted": True}


def format_percent(share: float, digits: int = 0) -> str:
    """Format a share between 0 and 1 in percent, with a non-breaking space before the sign."""
    return f"{share:.{digits}%}".replace("%", "\u00a0%")


def share_cell(value: float | None, n: int | None = None) -> dict[str, Any]:
    """Build the table cell for a share between 0 and 1, with its denominator `n` in small print below."""
    if value is None:
        return {**NO_VALUE}
    return {"text": f"{value:.1%}".replace("%", " %"), "sub": "" if n is None else f"of {n:,}"}


def duration(seconds: float | None) -> str:
    """Format a duration in seconds, minutes or hours, whichever suits its length; a dash for None."""
    if seconds is None:
        return DASH
    if seconds < 120:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def time_cell(seconds: float | None, n: int) -> dict[str, Any]:
    """Build the table cell for a duration, with the number `n` of measurements in small print below."""
    return {**NO_VALUE} if seconds is None else {"text": duration(seconds), "sub": f"n={n:,}", "whole": True}


def count_cell(value: int) -> dict[str, Any]:
    """Build the table cell for a count; a count of zero is greyed out."""
    return {"text": f"{value:,}", "muted": not value}


def build_heads(labels: Mapping[str, str], left: Sequence[str]) -> list[dict[str, Any]]:
    """Build the column headers of a table from a dict of header to help text; the columns in `left` are aligned left."""
    return [{"label": label, "help": text, "align": "left" if label in left else ""} for label, text in labels.items()]


def show_downloads(
    stem: str, render: Callable[[str], str], formats: Sequence[str] = ("csv", "json"), label: str = "Download this"
) -> None:
    """Show one download button per format; `render` returns the text of the file in a given format, and `stem` is the file's
    name without extension."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(label, width="content")
        for form in formats:
            file, mime = open_workbench().progress.name_file(stem, form)
            download(FORMATS[form], carry_to_thread(partial(render, form)), file, mime, f"progress_{stem}_{form}")
