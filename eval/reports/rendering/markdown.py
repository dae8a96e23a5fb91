"""Write a page as Markdown tables, for a README, an issue or a wiki: the best value is bold, the second best in italics."""

from eval.page import Cell, Page, Table
from eval.reports.renderer import Renderer


def render(page: Page) -> str:
    parts = [f"# {_escape(page.title)}", *map(_escape, page.notes), *map(_render_table, page.tables)]
    parts += [f"{_escape(figure.title)}: a drawing; ask for the format html to see it." for figure in page.figures]
    return "\n\n".join(parts) + "\n"


def _render_table(table: Table) -> str:
    rule = [":--" if is_text else "--:" for is_text in table.text_columns]
    rows = [list(map(_escape, table.columns)), rule, *([_render_cell(cell) for cell in row] for row in table.rows)]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([f"## {_escape(table.title)}", "", *lines, *(f"\n{_escape(note)}" for note in table.notes)])


def _render_cell(cell: Cell) -> str:
    mark = "**" if cell.best else "*" if cell.second else ""
    return f"{mark}{_escape(cell.text)}{mark}"


def _escape(text: str) -> str:
    """Return the text in one line, with characters escaped that have a meaning in Markdown or HTML."""
    plain = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{sign}" if sign in "\\`*_[]|#" else sign for sign in plain)


RENDERER = Renderer(label="Markdown", ending=".md", render=render)
