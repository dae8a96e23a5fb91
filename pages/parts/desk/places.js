// Where a person was in each document, and which document of an item was open: kept in this browser over items and reloads.

const placeKey = (person, document) => `${PREFIX}.place:${person}:${document}`
const openKey = (person, item) => `${PREFIX}.open:${person}:${item}:`  // goes with the item's other copies when it is decided
const REST = 250

class Places {
  constructor(paper) {
    this.paper = paper
    this.item = null
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

  /** The document that was open on this item. */
  get left() { return memory.get(openKey(this.paper.told.person(), this.item))?.document ?? null }

  /** Remember what is on the screen now. */
  keep() {
    clearTimeout(this.timer)
    const { found, sections, told } = this.paper
    if (!found || !this.paper.scroller.clientHeight) return
    const at = Date.now()
    memory.set(placeKey(told.person(), found.id), { ...sections.top, at })
    if (this.item) memory.set(openKey(told.person(), this.item), { document: found.id, at })
  }

  /** The item on the screen is done with. */
  done() { this.item = null }

  /** Go where the document was left. */
  back(document) {
    const place = memory.get(placeKey(this.paper.told.person(), document))
    if (place && Number.isFinite(place.point) && Number.isFinite(place.above)) this.paper.sections.goTo(place)
    else this.paper.scroller.scrollTop = 0
  }
}
