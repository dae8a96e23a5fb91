"""Write a page as LaTeX tables that need no package: the best value is bold, the second best underlined, and notes follow the
table."""

from eval.page import Cell, Page, Table
from eval.reports.renderer import Renderer

ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "±": r"$\pm$",
    "×": r"$\times$",
}


def render(page: Page) -> str:
    notes = "".join(f"% {' '.join(note.split())}\n" for note in page.notes)
    return notes + "\n".join(_render_table(table) for table in page.tables)


def _render_table(table: Table) -> str:
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escape_latex(table.title)}}}",
        rf"\begin{{tabular}}{{{''.join('l' if left else 'r' for left in table.text_columns)}}}",
        r"\hline",
        " & ".join(escape_latex(column) for column in table.columns) + r" \\",
        r"\hline",
        *(" & ".join(_render_cell(cell) for cell in row) + r" \\" for row in table.rows),
        r"\hline",
        r"\end{tabular}",
        *(rf"\par\footnotesize {escape_latex(note)}" for note in table.notes),
        r"\end{table}",
        "",
    ]
    return "\n".join(lines)


def _render_cell(cell: Cell) -> str:
    text = escape_latex(cell.text)
    return rf"\textbf{{{text}}}" if cell.best else rf"\underline{{{text}}}" if cell.second else text


def escape_latex(text: str) -> str:
    """Return the text with LaTeX's special characters escaped."""
    return "".join(ESCAPES.get(character, character) for character in " ".join(text.split()))


RENDERER = Renderer(label="LaTeX", ending=".tex", render=render)
