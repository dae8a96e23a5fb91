"""LaTeX tables that need no package: best bold, second underlined, notes under the table."""

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
    return notes + "\n".join(_table(table) for table in page.tables)


def _table(table: Table) -> str:
    numeric = [all(not isinstance(row[i].value, str) for row in table.rows) for i in range(len(table.columns))]
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escape_latex(table.title)}}}",
        rf"\begin{{tabular}}{{{''.join('r' if right else 'l' for right in numeric)}}}",
        r"\hline",
        " & ".join(escape_latex(column) for column in table.columns) + r" \\",
        r"\hline",
        *(" & ".join(_cell(cell) for cell in row) + r" \\" for row in table.rows),
        r"\hline",
        r"\end{tabular}",
        *(rf"\par\footnotesize {escape_latex(note)}" for note in table.notes),
        r"\end{table}",
        "",
    ]
    return "\n".join(lines)


def _cell(cell: Cell) -> str:
    text = escape_latex(cell.text)
    return rf"\textbf{{{text}}}" if cell.best else rf"\underline{{{text}}}" if cell.second else text


def escape_latex(text: str) -> str:
    """Text with LaTeX's own characters made harmless."""
    return "".join(ESCAPES.get(character, character) for character in " ".join(text.split()))


RENDERER = Renderer(label="LaTeX", ending=".tex", render=render)
