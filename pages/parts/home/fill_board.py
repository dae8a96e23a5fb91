"""A board of cells, with one row per domain and one column per task and level. Each cell shows its accepted and waiting items
as a bar in relation to its target; a click on a cell opens a dialog about the cell."""

from typing import NamedTuple

import streamlit as st

from core.as_json import as_json
from core.nouns import Level
from workbench.home.board import ItemBoard

_BOARD = st.components.v2.component(
    "benchwright_fill_board",
    html="<div class='scroll'><table><thead></thead><tbody></tbody></table></div>",
    css="""
.scroll { overflow-x: auto; }
table {
  width: 100%; border-collapse: separate; border-spacing: 0 2px; font-family: var(--st-font); color: var(--st-text-color);
}
th { font-weight: 500; text-align: left; padding: .2rem .5rem; font-size: .8rem; vertical-align: bottom; }
thead th small { display: block; opacity: .72; font-size: .72rem; font-weight: 400; }
tbody th {
  font-size: .87rem; white-space: nowrap; max-width: 12rem; overflow: hidden; text-overflow: ellipsis; padding-left: 0;
}
td { padding: 0 2px; min-width: 5.6rem; }
tbody th, tbody .sum { vertical-align: middle; }
.sum {
  min-width: 3.6rem; text-align: right; font-size: .85rem; font-variant-numeric: tabular-nums; padding: .2rem 0 .2rem .6rem;
  opacity: .75;
}
thead .sum { font-size: .8rem; }
button {
  all: unset; box-sizing: border-box; display: block; width: 100%; padding: .3rem .5rem .35rem; cursor: pointer;
  background: var(--st-secondary-background-color); border: 1px solid transparent; border-radius: 5px;
}
button:hover, button:focus-visible { border-color: var(--st-primary-color); }
.words {
  display: flex; justify-content: space-between; gap: .4rem; font-size: .82rem; line-height: 1.3;
  font-variant-numeric: tabular-nums; white-space: nowrap;
}
.none { opacity: .72; }
.waits { opacity: .7; }
.bar {
  display: flex; height: 4px; margin-top: .25rem; border-radius: 2px; overflow: hidden; background: var(--st-border-color);
}
.accepted { background: var(--st-primary-color); }
.drafted { background: var(--st-primary-color); opacity: .35; }
""",
    js="""
const make = (name, text, kind) => {
  const one = document.createElement(name)
  if (text !== undefined) one.textContent = text
  if (kind) one.className = kind
  return one
}
const level = task => task.level === null ? "no level" : `level ${task.level}`
export default function ({ data, parentElement, setTriggerValue }) {
  const head = make("tr")
  head.append(make("th"))
  for (const task of data.tasks) {
    const cell = make("th", task.label)
    cell.append(make("small", level(task)))
    head.append(cell)
  }
  head.append(make("th", "accepted", "sum"))
  parentElement.querySelector("thead").replaceChildren(head)
  const n = new Intl.NumberFormat("en")
  parentElement.querySelector("tbody").replaceChildren(...data.rows.map(row => {
    const line = make("tr")
    const name = make("th", row.domain)
    name.title = row.domain
    line.append(name)
    row.cells.forEach((cell, place) => {
      const button = make("button")
      const words = make("div", undefined, "words")
      const target = cell.target ? ` / ${n.format(cell.target)}` : ""
      words.append(make("span", cell.accepted || cell.drafted || target ? `${n.format(cell.accepted)}${target}` : "–",
        cell.accepted || target ? "" : "none"))
      if (cell.drafted) words.append(make("span", `+${n.format(cell.drafted)}`, "waits"))
      button.append(words)
      const whole = Math.max(cell.target || data.fullest, cell.accepted + cell.drafted, 1)
      const bar = make("div", undefined, "bar")
      for (const kind of ["accepted", "drafted"]) {
        const part = make("div", undefined, kind)
        part.style.width = `${100 * cell[kind] / whole}%`
        bar.append(part)
      }
      button.append(bar)
      const task = data.tasks[place]
      const what = `${row.domain}, ${task.label}, ${level(task)}: ${cell.accepted} accepted, ${cell.drafted} to review`
      button.setAttribute("aria-label", cell.target ? `${what}, ${cell.target} wanted` : what)
      button.title = button.getAttribute("aria-label")
      button.onclick = () => setTriggerValue("cell", { place, domain: row.domain })
      const field = make("td")
      field.append(button)
      line.append(field)
    })
    line.append(make("td", n.format(row.cells.reduce((sum, cell) => sum + cell.accepted, 0)), "sum"))
    return line
  }))
}
""",
)


class BoardCell(NamedTuple):
    """The cell of the board that was clicked."""

    task: str
    level: Level
    domain: str


def show(board: ItemBoard, key: str = "fill_board") -> BoardCell | None:
    """Show the board with the cells in `board`, and return the cell that was clicked last, or None."""
    rows = [{"domain": d, "cells": [board.cell(task.task, task.level, d) for task in board.tasks]} for d in board.domains]
    fullest = max((cell.accepted + cell.drafted for row in board.cells.values() for cell in row.values()), default=0)
    made = _BOARD(data=as_json({"tasks": board.tasks, "rows": rows, "fullest": fullest}), key=key, on_cell_change=lambda: None)
    if not made.cell:
        return None
    task = board.tasks[made.cell["place"]]
    return BoardCell(task.task, task.level, made.cell["domain"])
