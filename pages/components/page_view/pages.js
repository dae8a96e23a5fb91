// Shows one page of a document's PDF at a time, as a picture, with boxes around spans of its text. A picture is fetched when
// its page is shown, and the browser caches it.

import { lastUpTo } from "../lib/document_cache.js"
import { button, el, findAll } from "../lib/dom.js"
import { get, getJson, reasonOf } from "../lib/requests.js"

const LEAFING = 90 // milliseconds: pages that a person only passes are not fetched

const WIDTHS = [1000, 2000] // maximum number of pixels of a picture

const INNER = 0.25 // share of the page's width: if a column begins further right, another column may be on its left

/** @typedef {[start: number, end: number]} PageRange in code points of the text */
/** @typedef {[left: number, top: number, right: number, bottom: number]} Box in shares of the page */
/** @typedef {{ spans: Box[][], starts?: number[], more: boolean }} Boxes */
/** @typedef {Omit<MarkedSpan, "document">} PageSpan */

/** @type {Map<string, Promise<PageRange[]>>} */
const pagings = new Map()

/** Return where each page of a document begins and ends in its text, fetched once. @param {string} id */
const pagesOf = id => {
  const held = pagings.get(id)
  if (held) return held
  const asked = getJson(`/bench/pages/${encodeURIComponent(id)}`).then(found => found.pages)
  asked.catch(() => pagings.delete(id))
  pagings.set(id, asked)
  return asked
}

export class PageView {
  /** The document. @type {string | null} */
  id = null
  /** @type {PageRange[] | null} */
  pages = null
  /** @type {number | null} */
  page = null
  /** Which page picture is on the screen, or null. @type {string | null} */
  drawn = null
  /** @type {PageSpan[]} */
  spans = []
  current = 0
  /** The code point to scroll to once the page is drawn, or null. @type {number | null} */
  point = null
  /** @type {string | null} */
  blob = null
  /** @type {AbortController | null} */
  asked = null
  /** @type {{ address: string, found: Promise<Boxes> } | null} */
  asking = null
  /** @type {object | null} */
  boxing = null
  /** The span that each box on the page stands for. @type {WeakMap<Element, PageSpan>} */
  spanOf = new WeakMap()
  whole = false
  soon = 0

  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place
    const small = (/** @type {string} */ name, /** @type {string} */ words, /** @type {string} */ title) => {
      const made = Object.assign(button(`small ${name}`, words), { title })
      made.setAttribute("aria-label", title)
      return made
    }
    this.before = small("page-before", "\u2039", "Page before (\u2190)")
    this.after = small("page-after", "\u203a", "Next page (\u2192)")
    this.zoomer = small("page-zoom", "", "Whole page or its width (z)")
    this.box = el("input", "page-number")
    Object.assign(this.box, { inputMode: "numeric", autocomplete: "off" })
    this.box.setAttribute("aria-label", "Page")
    this.count = el("span", "faint")
    this.note = el("span", "faint page-note")
    this.note.setAttribute("role", "status")
    const bar = el("div", "pages-bar")
    bar.append(
      this.before,
      el("span", "faint", "Page"),
      this.box,
      this.count,
      this.after,
      this.note,
      el("span", "grow"),
      this.zoomer,
    )
    this.frame = el("div", "pages-frame")
    this.frame.tabIndex = 0
    this.leaf = el("div", "leaf")
    this.frame.append(this.leaf)
    place.replaceChildren(bar, this.frame)
    this.before.onclick = () => this.step(-1)
    this.after.onclick = () => this.step(1)
    this.zoomer.onclick = () => this.zoom()
    this.box.onchange = () => {
      const wanted = Number(this.box.value)
      if (Number.isInteger(wanted) && wanted >= 1 && wanted <= (this.pages?.length ?? 0)) this.turn(wanted)
      else this.box.value = String(this.page ?? "")
      this.box.blur()
    }
    this.zoomed()
  }

  stop() {
    clearTimeout(this.soon)
    this.asked?.abort()
    if (this.blob) URL.revokeObjectURL(this.blob)
    this.blob = null
  }

  /**
   * Open a document at the page of a code point; without a code point, an open document stays at its page.
   * @param {string} id
   * @param {number} [point]
   */
  async open(id, point) {
    if (this.id !== id) {
      this.stop()
      this.id = id
      this.pages = this.page = this.drawn = null
      this.leaf.replaceChildren(el("p", "faint empty", "Opening the pages"))
      this.note.textContent = ""
    }
    try {
      const pages = await pagesOf(id)
      if (this.id !== id) return
      this.pages = pages
      this.count.textContent = `of ${pages.length.toLocaleString("en")}`
      if (point !== undefined) this.reveal(point)
      else if (!this.page) this.turn(1)
    } catch (error) {
      if (this.id === id) this.sorry(error)
    }
  }

  /** Scroll so that a code point is visible. @param {number} point */
  reveal(point) {
    if (!this.pages) return
    this.point = point
    this.turn(Math.max(1, lastUpTo(this.pages, point, page => page[0]) + 1))
  }

  /** @param {number} by */
  step(by) {
    const wanted = (this.page ?? 1) + by
    if (this.pages && wanted >= 1 && wanted <= this.pages.length) this.turn(wanted)
  }

  /** @param {number} page */
  turn(page) {
    const same = page === this.page
    this.page = page
    this.box.value = String(page)
    this.before.disabled = page <= 1
    this.after.disabled = page >= (this.pages?.length ?? 0)
    if (same && this.drawn === this.name) return this.boxes()
    clearTimeout(this.soon)
    this.soon = setTimeout(() => this.fetch(), this.drawn ? LEAFING : 0)
  }

  get name() {
    return `${this.id}/${this.page}/${this.width}`
  }

  /** Width in pixels that the page has on this screen. */
  get width() {
    return WIDTHS.find(width => width >= this.frame.clientWidth * window.devicePixelRatio) ?? WIDTHS.at(-1)
  }

  async fetch() {
    const { name, page, id } = this
    this.asked?.abort()
    this.asked = new AbortController()
    this.leaf.classList.add("waits")
    this.note.textContent = ""
    try {
      const answer = await get(`/bench/page/${page}/${encodeURIComponent(id ?? "")}?width=${this.width}`, this.asked.signal)
      const blob = URL.createObjectURL(await answer.blob())
      const image = el("img")
      image.alt = `Page ${page} as it looks`
      image.src = blob
      await image.decode()
      if (this.name !== name) return URL.revokeObjectURL(blob)
      if (this.blob) URL.revokeObjectURL(this.blob)
      this.blob = blob
      this.drawn = name
      this.leaf.classList.remove("waits")
      this.leaf.replaceChildren(image)
      this.frame.scrollTop = 0
      await this.boxes()
    } catch (error) {
      const isAborted = error instanceof DOMException && error.name === "AbortError"
      if (!isAborted && this.name === name) this.sorry(error)
    }
  }

  /** @param {unknown} error */
  sorry(error) {
    this.drawn = null
    this.leaf.classList.remove("waits")
    this.leaf.replaceChildren(
      el("p", "faint empty", error instanceof TypeError ? "The page could not be loaded: no connection." : reasonOf(error)),
    )
  }

  /**
   * Set the spans to draw boxes around: {start, end, n, kind}, where `n` numbers evidence from 0.
   * @param {PageSpan[]} spans
   * @param {number} current
   */
  marks(spans, current) {
    this.spans = spans
    this.current = current
    if (this.drawn && this.drawn === this.name) this.boxes()
  }

  /** Draw the boxes of the spans that are on the drawn page. */
  async boxes() {
    const { name, page, id } = this
    if (!this.pages || !page || !id) return
    const [start, end] = this.pages[page - 1]
    const here = this.spans.filter(span => span.start < end && span.end > start)
    /** @type {Boxes} */
    let found = { spans: [], more: false }
    const places = here.map(span => `${span.start}-${span.end}`).join(",")
    const boxing = {}
    this.boxing = boxing
    try {
      if (here.length) found = await this.placed(`/bench/boxes/${page}/${encodeURIComponent(id)}?spans=${places}`)
      if (this.boxing !== boxing) return
      this.note.textContent = found.more ? "Not all boxes are drawn: there are too many." : ""
    } catch (error) {
      this.note.textContent = error instanceof TypeError ? "The boxes could not be loaded: no connection." : reasonOf(error)
    }
    if (this.boxing !== boxing || this.drawn !== name || this.name !== name) return
    for (const node of findAll(this.leaf, ".span-box, .span-number")) node.remove()
    this.leaf.append(...here.flatMap((span, n) => (found.spans[n] ?? []).map(box => this.drawBox(span, box))))
    const firsts = here.flatMap((span, n) => {
      const box = found.spans[n]?.[0]
      return box && !span.kind ? [{ span, box, start: found.starts?.[n] }] : []
    })
    this.leaf.append(...this.numbers(firsts))
    if (this.point !== null) this.toPoint()
    this.point = null
  }

  /** Return the positions at an address, fetched once until another address is requested. @param {string} address */
  placed(address) {
    if (this.asking?.address !== address) this.asking = { address, found: getJson(address) }
    const { found } = this.asking
    found.catch(() => {
      this.asking = null
    })
    return found
  }

  /**
   * Draw the numbers of evidence in the margin beside the lines where it begins: in the left margin, or in the right one if
   * another column may stand left of the lines. Several numbers at one height stand side by side.
   * @param {{ span: PageSpan, box: Box, start?: number }[]} firsts
   */
  numbers(firsts) {
    /** @type {{ edge: number, top: number, beside: number }[]} */
    const places = []
    return firsts.map(({ span, box: [left, top], start }) => {
      const column = Math.min(start ?? left, left)
      const edge = column > INNER ? 1 : column
      const near = places.filter(other => Math.abs(other.edge - edge) < 0.1 && Math.abs(other.top - top) < 0.02)
      let beside = 0
      while (near.some(other => other.beside === beside)) beside++
      places.push({ edge, top, beside })
      const node = el("div", span.n === this.current ? "span-number current" : "span-number", String((span.n ?? 0) + 1))
      const across =
        edge === 1 ? `right:${0.2 + 1.3 * beside}rem` : `left:max(0.2rem, calc(${column * 100}% - ${1.5 + 1.3 * beside}rem))`
      node.style.cssText = `top:${top * 100}%;${across}`
      return node
    })
  }

  /**
   * @param {PageSpan} span
   * @param {Box} given
   */
  drawBox(span, [left, top, right, bottom]) {
    const kind = span.kind ? span.kind : span.n === this.current ? "current" : ""
    const node = el("div", `span-box ${kind}`)
    this.spanOf.set(node, span)
    node.style.cssText = `left:${left * 100}%;top:${top * 100}%;width:${(right - left) * 100}%;height:${(bottom - top) * 100}%`
    if (!span.kind) node.dataset.evidence = String(span.n)
    return node
  }

  /** Scroll only the page to the code point that was asked for. */
  toPoint() {
    const all = [...this.leaf.querySelectorAll(".span-box")]
    const node =
      all.find(one => this.spanOf.get(one)?.start === this.point) ??
      all.find(one => this.spanOf.get(one)?.n === this.current) ??
      all[0]
    if (!node) return
    const [box, frame] = [node.getBoundingClientRect(), this.frame.getBoundingClientRect()]
    if (box.top < frame.top + 8 || box.bottom > frame.bottom - 8)
      this.frame.scrollTop += box.top - frame.top - frame.height * 0.3
  }

  /** Switch between the whole page and the full width. */
  zoom() {
    this.whole = !this.whole
    this.zoomed()
    this.toPoint()
  }

  zoomed() {
    this.frame.classList.toggle("whole", Boolean(this.whole))
    this.zoomer.replaceChildren(this.whole ? "Fit width " : "Whole page ", el("kbd", "", "z"))
  }

  /** Handle a key of the page view; return whether it was one. @param {string} key */
  key(key) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    if (step) this.step(step)
    else if (key === "z") this.zoom()
    else return false
    return true
  }
}
