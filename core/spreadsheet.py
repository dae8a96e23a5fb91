"""Cells of a table that people open in a spreadsheet: no text becomes a formula there."""

from typing import Any
from unicodedata import normalize

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet runs text that begins with one of these, full-width forms included."""


def safe_cell(value: Any) -> Any:
    """The value as a cell: text that would be a formula gets an apostrophe, None is empty. A carriage return becomes a line
    feed: csv.writer does not quote it, and a new row would begin after it."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    safe = f"'{value}" if normalize("NFKC", value[:1]) in FORMULA else value
    return safe.replace("\r\n", "\n").replace("\r", "\n")
