"""One HTML page, whole in itself: every text escaped, style and drawings inside, no request to anywhere."""

from collections.abc import Sequence
from html import escape

from eval.page import Cell, Figure, Page, Table
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
"""Notes that stand open before the figures; what more there are is folded."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def render(page: Page) -> str:
    body = [f"<h1>{escape(page.title)}</h1>", _notes(page.notes[:MAX_OPEN_NOTES])]
    if more := page.notes[MAX_OPEN_NOTES:]:
        body.append(f"<details><summary>{len(more)} more to know before the figures</summary>{_notes(more)}</details>")
    body += [_figure(figure) for figure in page.figures] + [_table(table) for table in page.tables]
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n<title>{escape(page.title)}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n" + "\n".join(body) + "\n</body>\n</html>\n"
    )


def _notes(notes: Sequence[str]) -> str:
    return "".join(f'<p class="note">{escape(note)}</p>' for note in notes)


def _figure(figure: Figure) -> str:
    return f"<h2>{escape(figure.title)}</h2>\n{figure.svg}\n{_notes(figure.notes)}"


def _table(table: Table) -> str:
    left = [any(isinstance(row[i].value, str) for row in table.rows) for i in range(len(table.columns))]
    head = "".join(f"<th{' class=w' * words}>{escape(c)}</th>" for c, words in zip(table.columns, left, strict=True))
    rows = "\n".join(
        "<tr>" + "".join(_cell(cell, words) for cell, words in zip(row, left, strict=True)) + "</tr>" for row in table.rows
    )
    return (
        f'<h2>{escape(table.title)}</h2>\n<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table></div>\n{_notes(table.notes)}"
    )


def _cell(cell: Cell, words: bool) -> str:
    text = escape(cell.text)
    text = f"<b>{text}</b>" if cell.best else f"<u>{text}</u>" if cell.second else text
    return f"<td{' class=w' * words}>{text}</td>"


RENDERER = Renderer(label="HTML", ending=".html", render=render)
