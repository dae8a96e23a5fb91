"""Write a page as plain text for a terminal: columns are aligned (a Chinese character is two columns wide), * marks the best
value, and + the second best."""

import unicodedata
from collections.abc import Sequence

from eval.page import Page, Table
from eval.reports.renderer import Renderer


def render(page: Page) -> str:
    parts = [page.title, *page.notes, *(_render_table(table) for table in page.tables)]
    parts += [f"{figure.title}: a drawing; ask for --format html to see it." for figure in page.figures]
    return "\n\n".join(parts) + "\n"


def _render_table(table: Table) -> str:
    marked = [[cell.text + ("*" if cell.best else "+" if cell.second else "") for cell in row] for row in table.rows]
    grid = [list(table.columns), *marked]
    widths = [max(_measure_width(row[i]) for row in grid) for i in range(len(table.columns))]
    lines = [_join_cells(row, widths, table.text_columns) for row in grid]
    rule = "  ".join("-" * width for width in widths)
    is_marked = any(cell.best or cell.second for row in table.rows for cell in row)
    legend = ["* best, + second; nothing is marked where the paired interval contains 0"] if is_marked else []
    return "\n".join([table.title, lines[0], rule, *lines[1:], *table.notes, *legend])


def _join_cells(row: Sequence[str], widths: Sequence[int], left: Sequence[bool]) -> str:
    cells = []
    for text, width, is_left in zip(row, widths, left, strict=True):
        space = " " * (width - _measure_width(text))
        cells.append(text + space if is_left else space + text)
    return "  ".join(cells).rstrip()


def _measure_width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


RENDERER = Renderer(label="Table", ending=".txt", render=render)
