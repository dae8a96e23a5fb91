"""CSV with unrounded values: the report one figure a line, a preset table by table with a blank line between. A text that a
spreadsheet would run as a formula gets an apostrophe before it."""

import csv
import io
from typing import Any
from unicodedata import normalize

from eval.page import Page
from eval.renderer import Renderer

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet runs a text that begins so, full-width signs too."""


def render(page: Page) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if page.records:
        names = list(dict.fromkeys(name for record in page.records for name in record))
        writer.writerow(map(_safe, names))
        writer.writerows([_safe(record.get(name)) for name in names] for record in page.records)
        return out.getvalue()
    for number, table in enumerate(page.tables):
        if number:
            out.write("\n")
        writer.writerow(_safe(column) for column in table.columns)
        writer.writerows([_safe(cell.value) for cell in row] for row in table.rows)
    return out.getvalue()


def _safe(value: Any) -> Any:
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and normalize("NFKC", value[:1]) in FORMULA else value


RENDERER = Renderer(label="CSV", ending=".csv", render=render)
