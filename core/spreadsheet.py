"""Makes values safe as cells of a spreadsheet, so that no text is run as a formula."""

from typing import Any
from unicodedata import normalize

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Characters (also in full-width form) with which a text must not start, because a spreadsheet would run it as a formula."""


def safe_cell(value: Any) -> Any:
    """Return the value as a spreadsheet cell: an apostrophe is put before text that looks like a formula, and None becomes "".
    Carriage returns become line feeds, because csv.writer does not quote them and spreadsheet programs would start a new
    row."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    safe = f"'{value}" if normalize("NFKC", value[:1]) in FORMULA else value
    return safe.replace("\r\n", "\n").replace("\r", "\n")
