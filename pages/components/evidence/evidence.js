// Shows the retrieved passages beside the gold evidence, and marks the text that both contain.

import { el, find } from "../lib/dom.js"
import { scrollToMark } from "../lib/marks.js"
import "./evidence.css"

/**
 * @typedef {{ number: string, title: string, place: string, document: Span | null, href: string, hit: boolean, cover: string,
 *   pieces: [text: string, isMarked: boolean][], hidden: string }} Card
 * @typedef {{ title: string, cards: Card[], empty: string }} CardColumn
 */

/** @param {Card} card @param {(document: Span) => void} open */
const drawCard = (card, open) => {
  const [box, head, text] = [el("article", card.hit ? "card hit" : "card"), el("div", "head"), el("div", "text")]
  head.append(el("span", "number", card.number), el("span", "title", card.title), el("span", "place", card.place))
  const { document } = card
  if (document) {
    const link = Object.assign(el("a", "", "Open document"), { href: card.href })
    link.onclick = event => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      open(document)
    }
    head.append(link)
  }
  head.append(el("span", card.hit ? "cover" : "cover no", card.cover))
  text.dir = "auto"
  text.append(...card.pieces.map(([part, isMarked]) => el(isMarked ? "mark" : "span", "", part)))
  box.append(head, text)
  if (card.hidden) box.append(el("div", "left-out", card.hidden))
  scrollToMark(text, text)
  return box
}

/** @param {import("../lib/component.js").StreamlitComponent} component */
export default ({ data, parentElement, setTriggerValue }) => {
  /** @type {CardColumn[]} */
  const columns = data.columns
  const sides = columns.map(({ title, cards, empty }) => {
    const side = el("section")
    side.append(el("h4", "", title), ...(empty ? [el("p", "place", empty)] : []))
    side.append(...cards.map(card => drawCard(card, document => setTriggerValue("open", document))))
    return side
  })
  find(parentElement, ".both").replaceChildren(...sides)
}
