"""Makes cells safe for spreadsheets, so that no text becomes a formula."""

from typing import Any
from unicodedata import normalize

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Characters at the start of a text that make a spreadsheet run it as a formula, also in full-width form."""


def safe_cell(value: Any) -> Any:
    """Return the value as a spreadsheet cell: text that looks like a formula gets an apostrophe before it, and None becomes "".
    Carriage returns become line feeds, because csv.writer does not quote them and spreadsheet programs would start a new
    row."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    safe = f"'{value}" if normalize("NFKC", value[:1]) in FORMULA else value
    return safe.replace("\r\n", "\n").replace("\r", "\n")
