"""Write a page as one self-contained HTML file: all text is escaped, style and drawings are embedded, and it makes no
requests."""

from collections.abc import Sequence
from html import escape

from eval.page import Cell, Page, Table
from eval.reports.renderer import Renderer

STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: .5rem 0; font-variant-numeric: tabular-nums; }
summary { color: #777; font-size: .9em; cursor: pointer; }
th, td { padding: .25rem .6rem; white-space: nowrap; text-align: right; border-bottom: 1px solid #8884; }
th { border-bottom: 2px solid #8888; } th.w, td.w { text-align: left; }
th, td.w { white-space: normal; } td.w { min-width: 6rem; } td.w:first-child { min-width: 11rem; }
.note { color: #777; font-size: .9em; } .scroll { overflow-x: auto; } svg { max-width: 100%; height: auto; background: #fff; }
"""
MAX_OPEN_NOTES = 6
"""Maximum number of notes that are shown before the tables; further notes are collapsed."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def render(page: Page) -> str:
    body = [f"<h1>{escape(page.title)}</h1>", _render_notes(page.notes[:MAX_OPEN_NOTES])]
    if more := page.notes[MAX_OPEN_NOTES:]:
        body.append(f"<details><summary>{len(more)} more notes before the figures</summary>{_render_notes(more)}</details>")
    body += [f"<h2>{escape(figure.title)}</h2>\n{figure.svg}\n{_render_notes(figure.notes)}" for figure in page.figures]
    body += [_render_table(table) for table in page.tables]
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n<title>{escape(page.title)}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n" + "\n".join(body) + "\n</body>\n</html>\n"
    )


def _render_notes(notes: Sequence[str]) -> str:
    return "".join(f'<p class="note">{escape(note)}</p>' for note in notes)


def _render_table(table: Table) -> str:
    left = table.text_columns
    head = "".join(f"<th{' class=w' * words}>{escape(c)}</th>" for c, words in zip(table.columns, left, strict=True))
    cells = ["".join(_render_cell(cell, words) for cell, words in zip(row, left, strict=True)) for row in table.rows]
    rows = "\n".join(f"<tr>{row}</tr>" for row in cells)
    return (
        f'<h2>{escape(table.title)}</h2>\n<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table></div>\n{_render_notes(table.notes)}"
    )


def _render_cell(cell: Cell, words: bool) -> str:
    text = escape(cell.text)
    text = f"<b>{text}</b>" if cell.best else f"<u>{text}</u>" if cell.second else text
    return f"<td{' class=w' * words}>{text}</td>"


RENDERER = Renderer(label="HTML", ending=".html", render=render)
