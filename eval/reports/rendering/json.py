"""Write a page as JSON with unrounded values: a report is written as its `data`; any other page, such as a paper's table, as
its title, notes and tables."""

import json
from typing import Any

from eval.page import Page, Table
from eval.reports.renderer import Renderer


def render(page: Page) -> str:
    tables = [_record_table(table) for table in page.tables]
    data: Any = page.data or {"title": page.title, "notes": list(page.notes), "tables": tables}
    return json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _record_table(table: Table) -> dict[str, Any]:
    rows = [[cell.value for cell in row] for row in table.rows]
    return {"title": table.title, "columns": list(table.columns), "rows": rows, "notes": list(table.notes)}


RENDERER = Renderer(label="JSON", ending=".json", render=render)
