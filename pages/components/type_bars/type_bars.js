// Shows the response types of each system's answers as one bar: the width of a segment is the share of its type, and a click
// opens its answers.

import { button, el, find } from "../lib/dom.js"
import "./type_bars.css"

/**
 * @typedef {{ n: number, colour: string, ink: string, label: string, title: string, go: unknown, chosen: boolean }} Part
 * @typedef {{ name: string, parts: Part[], side: string }} Bar
 * @typedef {{ colour: string, text: string }} KeyLine
 */

/** @param {KeyLine} line */
const drawKey = ({ colour, text }) => {
  const [entry, square] = [el("span"), el("span", "square")]
  square.style.background = colour
  entry.append(square, el("span", "", text))
  return entry
}

/** @param {Bar} row @param {(go: unknown) => void} press */
const drawBar = ({ name, parts, side }, press) => {
  const [line, bar] = [el("div", "row"), el("div", "bar")]
  for (const part of parts) {
    const node = button(part.chosen ? "chosen" : "", part.label)
    node.style.cssText = `flex: ${part.n} 1 0; background: ${part.colour}; color: ${part.ink}`
    node.title = node.ariaLabel = part.title
    node.onclick = () => press(part.go)
    bar.append(node)
  }
  line.append(el("div", "name", name), parts.length ? bar : el("div", "none", "\u2013"), el("div", "side", side))
  return line
}

/** @param {import("../lib/component.js").StreamlitComponent} component */
export default ({ data, parentElement, setTriggerValue }) => {
  const key = el("div", "key")
  key.append(...data.key.map(drawKey))
  /** @type {Bar[]} */
  const rows = data.rows
  const bars = rows.map(row => drawBar(row, go => setTriggerValue("go", go)))
  find(parentElement, ".bars").replaceChildren(...bars, key)
}
