"""Cells of a table that people open in a spreadsheet: no text is run as a formula there."""

from typing import Any
from unicodedata import normalize

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet runs a text that begins so, full-width signs too."""


def safe_cell(value: Any) -> Any:
    """The value as a cell: a text that a spreadsheet would run gets an apostrophe before it, None is empty. A carriage return
    becomes a new line: csv.writer leaves it without quotation marks, and a new row would begin behind it."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    safe = f"'{value}" if normalize("NFKC", value[:1]) in FORMULA else value
    return safe.replace("\r\n", "\n").replace("\r", "\n")
