// Draws the cells of a forest plot: the axis in the header of a column, and in each row an interval with its middle.

/**
 * @typedef {{ from: number, to: number, ticks: number[], is_plain?: boolean }} Axis
 * @typedef {{ from: number, to: number, low: number | null, mid: number, high: number | null, holds: boolean }} Interval
 */

/** Create an SVG node. @param {string} tag @param {Record<string, string | number>} attributes @param {string} [text] */
const draw = (tag, attributes, text) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value))
  if (text !== undefined) node.textContent = text
  return node
}

/** @param {string} x1 @param {string} x2 @param {number} y1 @param {number} y2 @param {Record<string, string | number>} ink */
const line = (x1, x2, y1, y2, ink) => draw("line", { x1, x2, y1, y2, stroke: "currentColor", ...ink })

/** Return a drawing of an axis, or of an interval on it. @param {Axis | Interval} plot */
export const forestPlot = plot => {
  const label = "ticks" in plot ? "scale" : `interval from ${plot.low} to ${plot.high}`
  const svg = draw("svg", { role: "img", "aria-label": label })
  /** @param {number} value */
  const at = value => `${((100 * (value - plot.from)) / (plot.to - plot.from)).toFixed(2)}%`
  svg.append(...("ticks" in plot ? drawAxis(plot, at) : drawInterval(plot, at)))
  return svg
}

/** @param {Axis} axis @param {(value: number) => string} at */
const drawAxis = ({ ticks, is_plain }, at) => [
  line("0%", "100%", 20, 20, { opacity: 0.6 }),
  ...ticks.flatMap(tick => {
    const place = { x: at(tick), y: 12, "text-anchor": "middle", "font-size": 11, "font-weight": 400, fill: "currentColor" }
    const text = tick > 0 && !is_plain ? `+${tick}` : String(tick).replace("-", "\u2212")
    return [line(at(tick), at(tick), 17, 20, { opacity: 0.6 }), draw("text", place, text)]
  }),
]

/** @param {Interval} interval @param {(value: number) => string} at */
const drawInterval = ({ low, mid, high, holds }, at) => {
  const parts = [line(at(0), at(0), -8, 32, { opacity: 0.45, "stroke-dasharray": "3 3" })]
  if (low !== null && high !== null) {
    /** @type {Record<string, string | number>} */
    const ink = holds ? { stroke: "var(--st-primary-color)", "stroke-width": 2.4 } : { opacity: 0.65, "stroke-width": 1.6 }
    parts.push(line(at(low), at(high), 12, 12, ink), ...[low, high].map(end => line(at(end), at(end), 8, 16, ink)))
  }
  const fill = holds ? "var(--st-primary-color)" : "var(--st-background-color)"
  const stroke = holds ? "var(--st-primary-color)" : "currentColor"
  return [...parts, draw("circle", { cx: at(mid), cy: 12, r: 4.2, fill, stroke, "stroke-width": 1.6 })]
}
