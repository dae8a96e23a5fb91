// Finds text in the whole document on the screen; the browser's own search finds only the parts that are drawn.

import { lastUpTo, unitAt } from "../../lib/document_cache.js"
import { find, findAll } from "../../lib/dom.js"

const MOST_HITS = 10_000

const SEARCH_AFTER = 150

/** @typedef {{ kind: string, isNow: boolean, from: number, to: number }} Mark a piece of a block, in UTF-16 units */

export class FindBar {
  /** Positions of the matches in UTF-16 units. @type {[number, number][]} */
  hits = []
  more = false
  asked = ""
  at = 0
  timer = 0

  /** @param {import("./paper.js").DocumentPane} paper */
  constructor(paper) {
    this.paper = paper
    this.bar = find(paper.root, ".find-bar")
    this.box = find(this.bar, ".find-words", HTMLInputElement)
    this.box.oninput = () => {
      clearTimeout(this.timer)
      this.timer = setTimeout(() => this.search(), SEARCH_AFTER)
    }
    find(paper.root, ".find-open").onclick = () => this.open()
    find(this.bar, ".find-earlier").onclick = () => this.step(-1)
    find(this.bar, ".find-later").onclick = () => this.step(1)
    find(this.bar, ".find-close").onclick = () => this.close()
  }

  get isOpen() {
    return !this.bar.hidden
  }

  open() {
    if (this.paper.onPages) this.paper.turnView()
    this.bar.hidden = false
    this.paper.host.enter("find-words")
    this.box.select()
    if (this.box.value) this.search()
  }

  close() {
    clearTimeout(this.timer)
    this.bar.hidden = true
    this.paper.host.leave(this.box)
    this.asked = ""
    this.hits = []
    this.paper.sections.again()
  }

  /** Search the newly opened document for the same text. */
  moved() {
    this.asked = ""
    this.hits = []
    if (this.isOpen && this.box.value) this.search()
  }

  /** Find all matches; any white space matches any other. The current match is the first one in or after the visible text. */
  search() {
    clearTimeout(this.timer)
    const { found, sections } = this.paper
    const words = this.box.value.trim()
    if (!found || words === this.asked) return
    this.asked = words
    this.hits = []
    this.more = false
    if (words) {
      const pattern = new RegExp(
        words
          .split(/\s+/)
          .map(word => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
          .join("\\s+"),
        "giu",
      )
      for (const hit of found.text.matchAll(pattern)) {
        this.more = this.hits.length === MOST_HITS
        if (this.more) break
        this.hits.push([hit.index, hit.index + hit[0].length])
      }
    }
    const from = sections.top ? unitAt(found, sections.top.point) : 0
    const first = this.hits.findIndex(([start]) => start >= from)
    this.at = Math.max(0, first)
    this.show()
  }

  /** @param {number} by */
  step(by) {
    clearTimeout(this.timer)
    if (this.box.value.trim() !== this.asked) return this.search()
    if (!this.hits.length) return
    this.at = (this.at + by + this.hits.length) % this.hits.length
    this.show()
  }

  show() {
    const many = this.hits.length
    const count = `${(this.at + 1).toLocaleString("en")} of ${this.more ? "more than " : ""}${many.toLocaleString("en")}`
    find(this.bar, ".find-count").textContent = many ? count : this.asked ? "not found" : ""
    const { sections, found } = this.paper
    sections.again()
    if (!many || !found) return
    const n = Math.max(
      0,
      lastUpTo(found.blocks, this.hits[this.at][0], block => block.u),
    )
    sections.reveal(n, block => findAll(block, ".hit-now")[0], true)
  }

  /**
   * Return the matches between two positions of the text (UTF-16 units), as marks of a block there.
   * @param {number} from
   * @param {number} to
   */
  within(from, to) {
    /** @type {Mark[]} */
    const marks = []
    for (
      let n = Math.max(
        0,
        lastUpTo(this.hits, from, hit => hit[1]),
      );
      n < this.hits.length && this.hits[n][0] < to;
      n++
    ) {
      const [start, end] = this.hits[n]
      if (end > from)
        marks.push({ kind: "hit", isNow: n === this.at, from: Math.max(start, from) - from, to: Math.min(end, to) - from })
    }
    return marks
  }
}
