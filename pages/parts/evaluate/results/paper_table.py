"""A table as papers print it: groups of rows, best bold and second underlined, small print under a figure, cells in the colours
of a heat map, intervals drawn as a forest plot. Every text is set as text; a cell that leads somewhere gives back its `go`."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.parts.ui.nodes import MAKE

_CSS = """
.scroll { overflow-x: auto; font-family: var(--st-font); color: var(--st-text-color); font-size: .87rem; line-height: 1.3; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums;
        border-top: 1.5px solid var(--st-text-color); border-bottom: 1.5px solid var(--st-text-color); }
table.narrow { width: auto; min-width: min(100%, 26rem); }
table.fixed { table-layout: fixed; } table.fixed td { vertical-align: top; overflow-wrap: anywhere; }
table.fixed .sub { white-space: pre-wrap; }
caption { text-align: left; padding: 0 0 .45rem; font-weight: 600; }
th, td { padding: .34rem .6rem; text-align: right; vertical-align: middle; }
td { border-top: 1px solid color-mix(in srgb, var(--st-border-color) 60%, transparent); }
th { font-weight: 600; vertical-align: bottom; border-bottom: 1px solid var(--st-text-color); }
.whole { white-space: nowrap; }
.left { text-align: left; } .center { text-align: center; }
tr.group td { text-align: left; font-style: italic; opacity: .75; padding-top: .6rem;
              border-top: 1px solid var(--st-border-color); }
tbody tr:first-child td { border-top: 0; }
tbody tr.row:hover td:not([data-heat]) { background: var(--st-secondary-background-color); }
.best { font-weight: 700; } .second { text-decoration: underline; text-underline-offset: 3px; }
.sub { display: block; font-size: .74rem; opacity: .7; white-space: pre; font-weight: 400; text-decoration: none; }
.muted { opacity: .6; }
.clamp { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere;
         unicode-bidi: isolate; white-space: pre-wrap; text-align: start; }
.word { unicode-bidi: isolate; }
.lines { display: block; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
a, th button { color: inherit; font: inherit; background: none; border: 0; padding: 0; cursor: pointer;
               text-decoration: inherit; text-align: inherit; }
a:hover .main, th button:hover { color: var(--st-link-color); }
a:focus-visible, th button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }
td[data-heat] { text-align: center; border: 2px solid var(--st-background-color); min-width: 4.4rem; }
td[data-heat] a { display: block; }
.none { background: repeating-linear-gradient(135deg, transparent 0 5px,
        color-mix(in srgb, var(--st-border-color) 70%, transparent) 5px 6px); }
.legend { display: flex; align-items: center; gap: .5rem; margin-top: .5rem; font-size: .78rem; opacity: .85; }
.bar { width: 11rem; height: .7rem; border-radius: 3px; border: 1px solid var(--st-border-color); }
.notes { margin: .45rem 0 0; font-size: .8rem; opacity: .75; }
.notes p { margin: .1rem 0; }
svg { display: block; width: 100%; min-width: 11rem; height: 1.5rem; overflow: visible; }
"""
_JS = (
    MAKE
    + """
const WARM = "#c4622d", MOST = 58
const named = (node, text) => {  // a long name may break after its marks
  for (const part of text.split(/(?<=[_.])|(?=@)/)) node.append(part, document.createElement("wbr"))
}
const colour = (heat, diverging) => {
  const ink = diverging && heat < 0 ? WARM : "var(--st-primary-color)"
  return `color-mix(in oklab, ${ink} ${Math.round(Math.abs(heat) * MOST)}%, var(--st-background-color))`
}
const draw = (tag, attributes, text) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  if (text !== undefined) node.textContent = text
  return node
}
const forest = (f, isAxis) => {
  const svg = draw("svg", { role: "img", "aria-label": isAxis ? "scale" : `interval from ${f.low} to ${f.high}` })
  const at = value => `${(100 * (value - f.from) / (f.to - f.from)).toFixed(2)}%`
  const line = (x1, x2, y1, y2, more) => svg.append(draw("line", { x1, x2, y1, y2, stroke: "currentColor", ...more }))
  if (isAxis) {
    line("0%", "100%", 20, 20, { opacity: .6 })
    for (const tick of f.ticks) {
      line(at(tick), at(tick), 17, 20, { opacity: .6 })
      svg.append(draw("text", { x: at(tick), y: 12, "text-anchor": "middle", "font-size": 11, "font-weight": 400,
        fill: "currentColor" }, tick > 0 && !f.is_plain ? `+${tick}` : String(tick).replace("-", "\\u2212")))
    }
    return svg
  }
  line(at(0), at(0), -8, 32, { opacity: .45, "stroke-dasharray": "3 3" })
  if (f.low !== null) {
    const ink = f.holds ? { stroke: "var(--st-primary-color)", "stroke-width": 2.4 } : { opacity: .65, "stroke-width": 1.6 }
    line(at(f.low), at(f.high), 12, 12, ink)
    for (const end of [f.low, f.high]) line(at(end), at(end), 8, 16, ink)
  }
  const fill = f.holds ? "var(--st-primary-color)" : "var(--st-background-color)"
  const stroke = f.holds ? "var(--st-primary-color)" : "currentColor"
  svg.append(draw("circle", { cx: at(f.mid), cy: 12, r: 4.2, fill, stroke, "stroke-width": 1.6 }))
  return svg
}
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".scroll")
  const table = make("table", data.shape)
  const widths = data.columns.map(column => column.width || "")
  if (data.shape === "fixed") table.style.minWidth = `calc(${widths.join(" + ")})`
  if (data.caption) table.append(make("caption", "", data.caption))
  const head = make("tr")
  for (const column of data.columns) {
    const th = make("th", column.align || "")
    if (column.width) {
      th.style.width = column.width
      if (column.width.endsWith("rem")) th.style.minWidth = column.width
    }
    if (column.help) th.title = column.help
    if (column.axis) th.append(forest(column.axis, true))
    else if (column.go) {
      const arrow = { low: " \\u2191", high: " \\u2193" }[column.sorted] || ""
      const press = make("button")
      named(press, column.label + arrow)
      press.onclick = () => setTriggerValue("go", column.go)
      th.append(press)
      th.setAttribute("aria-sort", column.sorted === "low" ? "ascending" : column.sorted ? "descending" : "none")
    } else named(th, column.label)
    head.append(th)
  }
  const thead = make("thead"), body = make("tbody")
  thead.append(head)
  for (const row of data.rows) {
    const tr = make("tr", row.group ? "group" : "row")
    if (row.group) {
      const td = make("td", "", row.group)
      td.colSpan = data.columns.length
      tr.append(td)
      body.append(tr)
      continue
    }
    row.cells.forEach((cell, i) => {
      const td = make("td", data.columns[i].align || "")
      if (cell.help) td.title = cell.help
      if (cell.heat !== undefined) {
        td.dataset.heat = ""
        if (cell.heat === null) td.classList.add("none")
        else td.style.background = colour(cell.heat, data.legend && data.legend.diverging)
      }
      let inside = td
      if (cell.go) {
        inside = make("a")
        inside.href = cell.href || "#"
        inside.onclick = event => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          setTriggerValue("go", cell.go)
        }
        td.append(inside)
      }
      if (cell.forest) inside.append(forest(cell.forest, false))
      else {
        const flags = ["whole", "muted"].filter(name => cell[name])
        const shape = cell.clamp ? "clamp" : cell.lines ? "lines" : "word"
        inside.append(make("span", ["main", shape, cell.mark || "", ...flags].join(" "), cell.text))
      }
      if (cell.clamp) inside.querySelector(".main").dir = "auto"
      if (cell.sub) inside.append(make("span", "sub", cell.sub))
      tr.append(td)
    })
    body.append(tr)
  }
  table.append(thead, body)
  const notes = make("div", "notes")
  for (const note of data.notes || []) notes.append(make("p", "", note))
  root.replaceChildren(table)
  if (data.legend) {
    const legend = make("div", "legend"), bar = make("span", "bar"), d = data.legend.diverging
    bar.style.background = `linear-gradient(to right, ${d ? colour(-1, true) : colour(0)}, ${colour(0)}, ${colour(1)})`
    const words = ["low", "high", "text"].map(name => make("span", "", data.legend[name]))
    legend.append(words[0], bar, words[1], words[2])
    root.append(legend)
  }
  root.append(notes)
}
"""
)
_TABLE = st.components.v2.component("benchwright_paper_table", html="<div class='scroll'></div>", css=_CSS, js=_JS)


def show(
    columns: Sequence[Mapping[str, Any]],
    rows: Sequence[Mapping[str, Any]],
    key: str,
    *,
    caption: str = "",
    notes: Sequence[str] = (),
    legend: Mapping[str, Any] | None = None,
    shape: str = "",
) -> Any:
    """Draw it; returns the `go` of the cell or column head that was pressed, else None.

    A column: label, and at will align (left, center), help, width, go with sorted (low, high), axis (a scale for forest
    cells). A row: cells, or group (a line of its own). A cell: text, and at will sub, help, mark (best, second), muted, clamp
    (two lines), lines (as they are broken), whole (one line), go with href, heat (0 to 1, with a diverging legend -1 to 1;
    None = nothing there), forest. Shape: "" (as wide as the page), "narrow", or "fixed" (every column has its width; the
    table scrolls sideways)."""
    data = {
        "columns": list(columns),
        "rows": list(rows),
        "caption": caption,
        "notes": list(notes),
        "legend": legend,
        "shape": shape,
    }
    return _TABLE(data=data, key=key, on_go_change=lambda: None).go
