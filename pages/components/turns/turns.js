// Shows a system's thoughts, calls and observations turn by turn, with the gold answers marked in the observations.

import { el, find } from "../lib/dom.js"
import { scrollToMark } from "../lib/marks.js"
import "./turns.css"

/**
 * @typedef {[text: string, kind: "" | "gold" | "cut"][]} Pieces
 * @typedef {{ pieces: Pieces, title: string, trouble: string, gold: boolean }} Seen
 * @typedef {{ number: string, thought: Pieces, did: Pieces, label: string, seen: Seen[], places: string }} Turn
 */

/** @param {string} name @param {Pieces} pieces */
const drawText = (name, pieces) => {
  const node = el("div", name)
  node.dir = "auto"
  node.append(...pieces.map(([part, kind]) => el(kind === "gold" ? "mark" : "span", kind === "cut" ? "cut" : "", part)))
  return node
}

/** @param {string} label @param {HTMLElement} node */
const drawLine = (label, node) => {
  const [line, side] = [el("div", "line"), el("div")]
  side.append(node)
  line.append(el("div", "label", label), side)
  return line
}

/** @param {Seen} seen */
const drawSeen = ({ pieces, title, trouble, gold }) => {
  const box = el("div", ["seen", gold && "gold", trouble && "bad"].filter(Boolean).join(" "))
  const text = drawText("text", pieces)
  box.append(...(trouble ? [el("div", "trouble", trouble)] : []), ...(title ? [el("div", "title", title)] : []), text)
  scrollToMark(box, text)
  return box
}

/** @param {Turn} turn */
const drawTurn = ({ number, thought, did, label, seen, places }) => {
  const [box, side] = [el("div", "turn"), el("div")]
  if (thought.length) side.append(drawLine("Thinks", drawText("text", thought)))
  if (did.length) side.append(drawLine(label, drawText("text code", did)))
  side.append(...seen.map((one, place) => drawLine(place ? "" : "Sees", drawSeen(one))))
  if (places) side.append(drawLine("From", el("div", "places", places)))
  box.append(el("div", "number", number), side)
  return box
}

/** @param {import("../lib/component.js").StreamlitComponent} component */
export default ({ data, parentElement }) => find(parentElement, ".work").replaceChildren(...data.turns.map(drawTurn))
