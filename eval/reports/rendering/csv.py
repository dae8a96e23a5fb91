"""Write a page as CSV with unrounded values: a report has one value per line; any other page, such as a paper's table, has its
tables below each other, with blank lines between them. A text that a spreadsheet would execute as a formula is preceded by an
apostrophe."""

import csv
import io

from core.spreadsheet import safe_cell
from eval.page import Page
from eval.reports.renderer import Renderer


def render(page: Page) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if page.records:
        names = list(dict.fromkeys(name for record in page.records for name in record))
        writer.writerow(map(safe_cell, names))
        writer.writerows([safe_cell(record.get(name)) for name in names] for record in page.records)
        return out.getvalue()
    for number, table in enumerate(page.tables):
        if number:
            out.write("\n")
        writer.writerow(safe_cell(column) for column in table.columns)
        writer.writerows([safe_cell(cell.value) for cell in row] for row in table.rows)
    return out.getvalue()


RENDERER = Renderer(label="CSV", ending=".csv", render=render)
