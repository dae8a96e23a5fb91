// The text of a document, drawn section by section; of a long document, the page contains only the sections near the visible
// part. Sentences have their numbers in the margin. Evidence, passages of a claim, and search matches are marked.

import { lastUpTo } from "../../lib/document_cache.js"
import { el, write } from "../../lib/dom.js"
import { points, units } from "../../lib/text.js"

// characters: a shorter text is drawn completely when there is time, so that the browser's own search finds all of it
const WHOLE = 300_000

const NEAR = "1500px 0px"

const whenIdle =
  window.requestIdleCallback?.bind(window) ?? (act => setTimeout(() => act({ timeRemaining: () => 8, didTimeout: false }), 30))

/** @type {(handle: number) => void} */
const noIdle = window.cancelIdleCallback?.bind(window) ?? clearTimeout

/**
 * A section on the page: whether its blocks are drawn, and whether it contains a mark.
 * @typedef {import("../../lib/document_cache.js").Section & { node: HTMLElement, filled: boolean, marked?: boolean }} DrawnSection
 * @typedef {Pick<MarkedSpan, "n" | "kind" | "isNow"> & { from: number, to: number, isStart?: boolean }} Mark a piece of a block
 */

export class DocumentSections {
  /** @type {import("../../lib/document_cache.js").CachedDocument} */
  found
  /** @type {DrawnSection[]} */
  list = []
  /** The section, and the block of the document, that a node belongs to. @type {WeakMap<Node, DrawnSection>} */
  sectionOf = new WeakMap()
  /** @type {WeakMap<Node, number>} */
  blockOf = new WeakMap()
  isLong = false
  idle = 0

  /** @param {import("./paper.js").DocumentPane} paper */
  constructor(paper) {
    this.paper = paper
    this.watch = new IntersectionObserver(seen => this.turned(seen), { root: paper.scroller, rootMargin: NEAR })
  }

  stop() {
    this.watch.disconnect()
    noIdle(this.idle)
  }

  /** @param {import("../../lib/document_cache.js").CachedDocument} found */
  draw(found) {
    this.stop()
    this.found = found
    this.isLong = found.length > WHOLE
    const perLine = Math.max(20, this.paper.scroller.clientWidth / (found.language === "zh" ? 15.5 : 7.4))
    this.list = found.sections.map(section => {
      const node = el("div", "section")
      const drawn = { ...section, node, filled: false }
      this.sectionOf.set(node, drawn)
      let lines = 0
      for (let n = section.first; n <= section.last; n++) {
        const { u, e } = found.blocks[n]
        lines += e > u ? Math.ceil((e - u) / perLine) + 0.45 : 0.5
      }
      this.hold(drawn, Math.round(lines * 24))
      return drawn
    })
    this.paper.sheet.lang = found.language
    this.paper.sheet.replaceChildren(...this.list.map(section => section.node))
    for (const section of this.list) this.watch.observe(section.node)
    if (this.isLong) return
    const rest = [...this.list]
    const later = (/** @type {Pick<IdleDeadline, "timeRemaining" | "didTimeout">} */ deadline) => {
      while (rest.length && (deadline.timeRemaining() > 4 || deadline.didTimeout)) {
        this.fill(/** @type {DrawnSection} */ (rest.shift()))
        if (deadline.didTimeout) break
      }
      if (rest.length) this.idle = whenIdle(later)
    }
    this.idle = whenIdle(later)
  }

  /**
   * Draw the sections that come near the visible part; in a long document, clear those that leave it, unless text is selected.
   * @param {IntersectionObserverEntry[]} seen
   */
  turned(seen) {
    const stays = this.isLong && this.paper.selecting.span()
    for (const { isIntersecting, target, boundingClientRect } of seen) {
      const section = this.sectionOf.get(target)
      if (!section) continue
      if (isIntersecting) this.fill(section)
      else if (this.isLong && section.filled && !stays) {
        section.filled = false
        this.hold(section, boundingClientRect.height)
        target.replaceChildren()
      }
    }
  }

  /** Keep the height of a section that is not drawn. @param {DrawnSection} section @param {number} height */
  hold({ node }, height) {
    node.style.containIntrinsicSize = `auto ${height}px`
    node.style.minHeight = `${height}px`
  }

  /** @param {DrawnSection} section */
  fill(section) {
    if (section.filled) return
    section.filled = true
    section.node.style.minHeight = ""
    const blocks = []
    for (let n = section.first; n <= section.last; n++) blocks.push(this.block(n))
    section.node.replaceChildren(...blocks)
  }

  /**
   * Draw again the drawn sections for which `asked(section, from, to)` is true; `from` and `to` are code points.
   * @param {(section: DrawnSection, from: number, to: number) => boolean | undefined} asked
   */
  again(asked = () => true) {
    for (const section of this.list) {
      const last = this.found.blocks[section.last]
      if (!asked(section, this.found.blocks[section.first].p, last.p + last.n) || !section.filled) continue
      section.filled = false
      this.fill(section)
    }
  }

  /** Return the node of one block: its text, sentence numbers and marks. @param {number} n */
  block(n) {
    const { u, e, p, n: size } = this.found.blocks[n]
    const node = el("div", u === e ? "block gap" : "block foreign")
    node.dir = "auto"
    this.blockOf.set(node, n)
    if (u === e) return node
    const text = this.found.text.slice(u, e)
    const inside = (/** @type {number} */ point) => (this.found.astral ? units(text, point - p) : point - p)
    /** @type {Map<number, number>} */
    const starts = new Map()
    const sentences = this.found.sentences
    for (
      let s = Math.max(0, lastUpTo(sentences, p - 1, x => x[0]) + 1);
      s < sentences.length && sentences[s][0] < p + size;
      s++
    ) {
      starts.set(inside(sentences[s][0]), s + 1)
    }
    const spans = this.paper.spans
      .filter(span => span.start < p + size && span.end > p)
      .map(span => ({
        ...span,
        from: inside(Math.max(p, span.start)),
        to: inside(Math.min(p + size, span.end)),
        isStart: span.start >= p,
      }))
    /** @type {Mark[]} */
    const marks = [...spans, ...this.paper.finding.within(u, e)]
    const cuts = [...new Set([0, text.length, ...starts.keys(), ...marks.flatMap(mark => [mark.from, mark.to])])].sort(
      (a, b) => a - b,
    )
    cuts.slice(0, -1).forEach((from, index) => {
      if (starts.has(from)) {
        const number = el("i", index ? "number inner" : "number")
        number.dataset.n = String(starts.get(from))
        node.append(number)
      }
      const over = marks.filter(span => span.from <= from && span.to > from)
      const words = text.slice(from, cuts[index + 1])
      if (over.length) node.append(write(this.mark(over, from), words))
      else write(node, words)
    })
    return node
  }

  /**
   * Return the mark for a piece of text that these spans cover.
   * @param {Mark[]} over
   * @param {number} from
   */
  mark(over, from) {
    const kinds = new Set(over.flatMap(span => (span.kind ? [span.kind, ...(span.isNow ? [`${span.kind}-now`] : [])] : [])))
    const made = el("mark", [...kinds].join(" "))
    const evidence = over.find(span => !span.kind)
    if (!evidence) return made
    made.dataset.evidence = String(evidence.n)
    if (evidence.isStart && evidence.from === from) made.dataset.n = String((evidence.n ?? 0) + 1)
    made.classList.toggle("current", evidence.n === this.paper.current)
    return made
  }

  /**
   * Scroll to a place in block n: to the node that `pick` finds in it, or to the block.
   * @param {number} n
   * @param {(block: HTMLElement) => HTMLElement | undefined} pick
   * @param {boolean} onlyIfHidden
   */
  reveal(n, pick, onlyIfHidden) {
    this.settle(n, block => {
      const box = pick(block)?.getClientRects()[0] ?? block.getBoundingClientRect()
      const frame = this.paper.scroller.getBoundingClientRect()
      const offset = box.top - frame.top
      if (onlyIfHidden && offset > 8 && box.bottom < frame.bottom - 8) return 0
      onlyIfHidden = false
      return offset - frame.height * 0.3
    })
  }

  /** The code point at the upper edge of the visible part, and how far above the edge its block begins. */
  get top() {
    const edge = this.paper.scroller.getBoundingClientRect().top
    const section =
      this.list[
        Math.max(
          0,
          lastUpTo(this.list, edge, one => one.node.getBoundingClientRect().top),
        )
      ]
    if (!section) return null
    const node = [...section.node.children].find(block => block.getBoundingClientRect().bottom > edge)
    const { p } = this.found.blocks[(node && this.blockOf.get(node)) ?? section.first]
    return { point: p, above: Math.round(edge - (node ?? section.node).getBoundingClientRect().top) }
  }

  /** @param {{ point: number, above: number }} place */
  goTo({ point, above }) {
    const edge = this.paper.scroller.getBoundingClientRect().top
    this.settle(this.blockAt(point), block => block.getBoundingClientRect().top + above - edge)
  }

  /** @param {number} point */
  blockAt(point) {
    return Math.max(
      0,
      lastUpTo(this.found.blocks, point, block => block.p),
    )
  }

  /**
   * Scroll by the distance that `missing` returns for block n, and repeat this until the distance is zero, because nearby
   * sections change their heights when they are drawn.
   * @param {number} n
   * @param {(block: HTMLElement) => number} missing
   */
  settle(n, missing) {
    const { scroller, id } = this.paper
    const section = this.list[lastUpTo(this.list, n, one => one.first)]
    let tries = 6
    const go = () => {
      if (this.paper.id !== id || !section.node.isConnected) return
      this.fill(section)
      const before = scroller.scrollTop
      scroller.scrollTop += missing(/** @type {HTMLElement} */ (section.node.children[n - section.first]))
      if (--tries && Math.abs(scroller.scrollTop - before) > 1) requestAnimationFrame(go)
    }
    go()
  }

  /**
   * Return the code point at a position of the DOM inside the text, or null.
   * @param {Node} node
   * @param {number} offset
   */
  pointOf(node, offset) {
    const start = node instanceof Element ? node : node.parentElement
    const block = start?.closest(".block")
    const { blocks, text, astral } = this.found
    if (block) {
      const range = document.createRange()
      range.setStart(block, 0)
      range.setEnd(node, offset)
      const { u, p } = blocks[this.blockOf.get(block) ?? 0]
      const inside = range.toString().length
      return astral ? p + points(text.slice(u, u + inside)) : p + inside
    }
    if (!start || !this.paper.sheet.contains(start)) return null
    const child = start.childNodes[offset]
    const next = child && (this.blockOf.get(child) ?? this.sectionOf.get(child)?.first)
    if (next !== undefined) return blocks[next].p
    const last = blocks[this.sectionOf.get(start)?.last ?? blocks.length - 1]
    return last.p + last.n
  }
}
