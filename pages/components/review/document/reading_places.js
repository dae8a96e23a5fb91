// The person's reading position in the documents of each item, and the open document. This browser stores them, also after a
// reload, until the item is decided on.

import { memory } from "../../lib/browser_memory.js"
import { PREFIX } from "../../lib/drafts.js"

/**
 * @param {string} person
 * @param {string} item
 * @param {string} document
 */
const placeKey = (person, item, document) => `${PREFIX}.place:${person}:${item}:${document}`

/**
 * @param {string} person
 * @param {string} item
 */
const openKey = (person, item) => `${PREFIX}.open:${person}:${item}:`

const REST = 250

export class ReadingPlaces {
  /** @param {import("./paper.js").DocumentPane} paper */
  constructor(paper) {
    this.paper = paper
    /** @type {string | null} */
    this.item = null
    this.timer = 0
    this.heard = () => {
      clearTimeout(this.timer)
      this.timer = setTimeout(() => this.keep(), REST)
    }
    paper.scroller.addEventListener("scroll", this.heard, { passive: true })
  }

  stop() {
    this.keep()
    clearTimeout(this.timer)
    this.paper.scroller.removeEventListener("scroll", this.heard)
  }

  /** Id of the document that was open when the person left this item. */
  get left() {
    return memory.get(openKey(this.paper.host.person(), this.item ?? ""))?.document ?? null
  }

  /** Remember the document and position on the screen. */
  keep() {
    clearTimeout(this.timer)
    const { found, sections, host } = this.paper
    if (!found || !this.item || !this.paper.scroller.clientHeight) return
    const at = Date.now()
    memory.set(placeKey(host.person(), this.item, found.id), { ...sections.top, at })
    memory.set(openKey(host.person(), this.item), { document: found.id, at })
  }

  /** Forget the position in the item on the screen, because it is decided on. */
  done() {
    this.item = null
  }

  /**
   * Scroll to where this person left the document on this item; return false if they have not read it yet.
   * @param {string} document
   */
  back(document) {
    const place = memory.get(placeKey(this.paper.host.person(), this.item ?? "", document))
    const isKept = place && Number.isFinite(place.point) && Number.isFinite(place.above)
    if (isKept) this.paper.sections.goTo(place)
    return Boolean(isKept)
  }
}
