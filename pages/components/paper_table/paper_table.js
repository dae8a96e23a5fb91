// A table as papers print it. Every text is shown as plain text. A click on a cell or column header that has a field `go`
// returns this field.

import { el, find } from "../lib/dom.js"
import { forestPlot } from "./forest_plot.js"
import "./paper_table.css"

/**
 * @typedef {{ label: string, align?: string, help?: string, width?: string, go?: unknown, sorted?: "low" | "high" | null,
 *   axis?: import("./forest_plot.js").Axis }} Column
 * @typedef {{ text: string, sub?: string, help?: string, mark?: string, muted?: boolean, clamp?: boolean, lines?: boolean,
 *   whole?: boolean, go?: unknown, href?: string, heat?: number | null, forest?: import("./forest_plot.js").Interval }} Cell
 * @typedef {{ cells: Cell[], group?: undefined } | { group: string }} Row
 * @typedef {{ low: string, high: string, text: string, diverging: boolean }} Legend
 * @typedef {{ columns: Column[], rows: Row[], caption: string, notes: string[], legend: Legend | null, shape: string }} Table
 * @typedef {(go: unknown) => void} Press
 */

const WARM = "#c4622d"
const DARKEST_PERCENT = 58
const ARROWS = { low: " \u2191", high: " \u2193" }

/** Return the background colour of a cell for a heat from -1 to 1. @param {number} heat @param {boolean} [isDiverging] */
const colour = (heat, isDiverging = false) => {
  const ink = isDiverging && heat < 0 ? WARM : "var(--st-primary-color)"
  return `color-mix(in oklab, ${ink} ${Math.round(Math.abs(heat) * DARKEST_PERCENT)}%, var(--st-background-color))`
}

/**
 * Put a name into a node so that a long name can break after its punctuation.
 * @param {HTMLElement} node @param {string} text
 */
const writeName = (node, text) => {
  for (const part of text.split(/(?<=[_.])|(?=@)/)) node.append(part, document.createElement("wbr"))
}

/** @param {Column} column @param {Press} press */
const drawHead = (column, press) => {
  const head = el("th", column.align ?? "")
  if (column.width) {
    head.style.width = column.width
    if (column.width.endsWith("rem")) head.style.minWidth = column.width
  }
  if (column.help) head.title = column.help
  if (column.axis) head.append(forestPlot(column.axis))
  else if (column.go) {
    const sort = Object.assign(el("button"), { type: "button", onclick: () => press(column.go) })
    writeName(sort, column.label + (column.sorted ? ARROWS[column.sorted] : ""))
    head.append(sort)
    head.ariaSort = column.sorted === "low" ? "ascending" : column.sorted ? "descending" : "none"
  } else writeName(head, column.label)
  return head
}

/** @param {Cell} cell @param {Column} column @param {Table} table @param {Press} press */
const drawCell = (cell, column, table, press) => {
  const node = el("td", column.align ?? "")
  if (cell.help) node.title = cell.help
  if (cell.heat !== undefined) {
    node.dataset.heat = ""
    if (cell.heat === null) node.classList.add("none")
    else node.style.background = colour(cell.heat, table.legend?.diverging)
  }
  /** @type {HTMLElement} */
  let inside = node
  if (cell.go) {
    inside = Object.assign(el("a"), {
      href: cell.href || "#",
      /** @param {MouseEvent} event */
      onclick: event => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        press(cell.go)
      },
    })
    node.append(inside)
  }
  if (cell.forest) inside.append(forestPlot(cell.forest))
  else {
    const shape = cell.clamp ? "clamp" : cell.lines ? "lines" : "word"
    const names = ["main", shape, cell.mark, cell.whole && "whole", cell.muted && "muted"]
    const text = el("span", names.filter(Boolean).join(" "), cell.text)
    if (cell.clamp) text.dir = "auto"
    inside.append(text)
  }
  if (cell.sub) inside.append(el("span", "sub", cell.sub))
  return node
}

/** @param {Row} row @param {Table} table @param {Press} press */
const drawRow = (row, table, press) => {
  if (row.group === undefined) {
    const line = el("tr", "row")
    line.append(...row.cells.map((cell, i) => drawCell(cell, table.columns[i], table, press)))
    return line
  }
  const line = el("tr", "group")
  line.append(Object.assign(el("td", "", row.group), { colSpan: table.columns.length }))
  return line
}

/** @param {Legend} legend */
const drawLegend = ({ low, high, text, diverging }) => {
  const line = el("div", "legend")
  const bar = el("span", "bar")
  const ends = [diverging ? colour(-1, true) : colour(0), colour(0), colour(1)]
  bar.style.background = `linear-gradient(to right, ${ends.join(", ")})`
  line.append(el("span", "", low), bar, el("span", "", high), el("span", "", text))
  return line
}

/** @param {import("../lib/component.js").StreamlitComponent} component */
export default ({ data, parentElement, setTriggerValue }) => {
  /** @type {Table} */
  const table = data
  /** @type {Press} */
  const press = go => setTriggerValue("go", go)
  const node = el("table", table.shape)
  if (table.shape === "fixed") node.style.minWidth = `calc(${table.columns.map(column => column.width ?? "").join(" + ")})`
  if (table.caption) node.append(el("caption", "", table.caption))
  const head = el("tr")
  head.append(...table.columns.map(column => drawHead(column, press)))
  const [top, body, notes] = [el("thead"), el("tbody"), el("div", "notes")]
  top.append(head)
  body.append(...table.rows.map(row => drawRow(row, table, press)))
  node.append(top, body)
  notes.append(...table.notes.map(note => el("p", "", note)))
  find(parentElement, ".scroll").replaceChildren(node, ...(table.legend ? [drawLegend(table.legend)] : []), notes)
}
