"""Plain text for a terminal: columns aligned (a Chinese character is two wide), best marked *, second marked +."""

import unicodedata
from collections.abc import Sequence

from eval.page import Cell, Page, Table
from eval.reports.renderer import Renderer


def render(page: Page) -> str:
    parts = [page.title, *page.notes, *(_table(table) for table in page.tables)]
    parts += [f"{figure.title}: a drawing; ask for --format html to see it." for figure in page.figures]
    return "\n\n".join(parts) + "\n"


def _table(table: Table) -> str:
    grid = [list(table.columns), *([_mark_cell(cell) for cell in row] for row in table.rows)]
    widths = [max(_width(row[i]) for row in grid) for i in range(len(table.columns))]
    numeric = [all(not isinstance(row[i].value, str) for row in table.rows) for i in range(len(table.columns))]
    lines = [_line(row, widths, numeric) for row in grid]
    rule = "  ".join("-" * width for width in widths)
    marks = any(cell.best or cell.second for row in table.rows for cell in row)
    legend = ["* best, + second; nothing is marked where the paired interval holds 0"] if marks else []
    return "\n".join([table.title, lines[0], rule, *lines[1:], *table.notes, *legend])


def _mark_cell(cell: Cell) -> str:
    return cell.text + ("*" if cell.best else "+" if cell.second else "")


def _line(row: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    cells = []
    for text, width, right in zip(row, widths, numeric, strict=True):
        room = " " * (width - _width(text))
        cells.append(room + text if right else text + room)
    return "  ".join(cells).rstrip()


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


RENDERER = Renderer(label="Table", ending=".txt", render=render)
