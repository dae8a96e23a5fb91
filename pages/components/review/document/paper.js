// The left side of the review desk: shows one of the item's documents at the position where the person left it, and scrolls to
// evidence.

import { documentOf } from "../../lib/document_cache.js"
import { el, find, findAll, foreign } from "../../lib/dom.js"
import { preferences } from "../../lib/preferences.js"
import { reasonOf } from "../../lib/requests.js"
import { PageView } from "../../page_view/pages.js"
import { FindBar } from "./find_bar.js"
import { ReadingPlaces } from "./reading_places.js"
import { DocumentSections } from "./sections.js"
import { SelectionBar } from "./selection.js"

/**
 * The values and functions that the document view gets from the desk.
 * @typedef {object} PaperHost
 * @property {() => Span[]} evidence
 * @property {() => boolean} mayEdit
 * @property {(spans: Span[]) => void} add
 * @property {(n: number, span: Span) => void} replace
 * @property {() => void} moved the current evidence is another
 * @property {() => string} person
 * @property {() => string} item
 * @property {(name: string) => void} enter
 * @property {(box: HTMLElement) => void} leave
 */

export class DocumentPane {
  /** @type {ReviewData["documents"]} */
  documents = []
  /** Id of the document that is open or being fetched, or null. @type {string | null} */
  id = null
  /** @type {import("../../lib/document_cache.js").CachedDocument | null} */
  found = null
  /** Number of the evidence that the pages showed when the person left them. */
  leftAt = -1

  /** @param {HTMLElement} root @param {PaperHost} host */
  constructor(root, host) {
    this.host = host
    this.root = root
    this.scroller = find(root, ".scroller")
    this.sheet = find(root, ".sheet")
    this.pane = find(root, ".paper")
    this.current = 0
    /** Spans that a claim or an opinion points to. @type {MarkedSpan[]} */
    this.look = []
    this.sections = new DocumentSections(this)
    this.finding = new FindBar(this)
    this.places = new ReadingPlaces(this)
    find(root, ".earlier").onclick = () => this.jump(-1)
    find(root, ".later").onclick = () => this.jump(1)
    this.selecting = new SelectionBar(this)
    this.pages = new PageView(find(root, ".pages"))
    find(root, ".view").onclick = () => this.turnView()
    const list = find(root, ".docs-list", HTMLSelectElement)
    list.onchange = () => this.show(list.value)
  }

  stop() {
    this.selecting.stop()
    this.pages.stop()
    this.sections.stop()
    this.places.stop()
  }

  /**
   * Open the documents of a new item at the position where this person left them, or else at the first evidence.
   * @param {ReviewData["documents"]} documents
   */
  open(documents) {
    this.places.keep()
    this.documents = documents
    this.current = 0
    this.look = []
    this.places.item = this.host.item()
    this.drawSwitch()
    const left = documents.find(one => one.id === this.places.left)
    const first = this.host.evidence()[0]
    const target = left?.id ?? first?.document ?? documents[0]?.id
    if (!target)
      return this.blank(
        "This item belongs to no document. If its answer was computed from tables, the function calls are beside it.",
      )
    if (target === this.id && this.found && left) this.places.back(target) // the document was drawn for another item
    this.show(target).then(shown => {
      if (shown && first && !left) this.jumpTo(0, { onlyIfHidden: true })
    })
  }

  /** @param {string} words */
  blank(words) {
    this.found = this.id = null
    this.drawView()
    find(this.root, ".title").textContent = ""
    find(this.root, ".size").textContent = ""
    this.sheet.replaceChildren(el("p", "faint empty", words))
  }

  /**
   * Draw a document. Resolves to false if another one was requested meanwhile, or if it could not be fetched.
   * @param {string} id
   */
  async show(id) {
    if (this.id === id && this.found) {
      this.marks()
      return true
    }
    this.places.keep()
    this.id = id
    this.found = null
    this.drawSwitch()
    this.drawView()
    this.sheet.replaceChildren(el("p", "faint empty", "Opening the document"))
    try {
      const found = await documentOf(id)
      if (this.id !== id) return false
      this.draw(found)
      return true
    } catch (error) {
      if (this.id !== id) return false
      const retry = el("button", "button", "Try again")
      retry.onclick = () => {
        this.id = null
        this.show(id).then(shown => {
          if (shown && this.host.evidence().length) this.jumpTo(0)
        })
      }
      const sorry = el("div", "empty")
      sorry.append(
        el("p", "", `The document could not be opened. ${error instanceof TypeError ? "No connection." : reasonOf(error)}`),
        retry,
      )
      this.id = null
      this.sheet.replaceChildren(sorry)
      return false
    }
  }

  /** @param {import("../../lib/document_cache.js").CachedDocument} found */
  draw(found) {
    this.found = found
    const title = find(this.root, ".title")
    title.replaceChildren(...foreign("span", "", found.title || "Untitled").childNodes)
    title.dir = "auto"
    title.title = found.title
    find(this.root, ".size").textContent = `${found.length.toLocaleString("en")} characters`
    this.sections.draw(found)
    this.finding.moved()
    if (!this.places.back(found.id)) this.scroller.scrollTop = 0
    this.drawView()
    this.marks()
    found.numbered.then(() => {
      if (this.found === found) this.sections.again()
    })
  }

  get onPages() {
    return !this.pages.place.hidden
  }

  /** Draw the document's text, or its pages as pictures if it has them and the reader prefers them. */
  drawView() {
    const has = Boolean(this.found && this.documents.find(one => one.id === this.id)?.has_pages)
    const on = has && preferences.get("pages", false)
    const button = find(this.root, ".view")
    button.hidden = !has
    button.replaceChildren(on ? "Text " : "Pages ", el("kbd", "", "p"))
    button.title = on ? "The text, to select evidence in ( p )" : "The pages as they look ( p )"
    this.scroller.hidden = on
    this.pages.place.hidden = !on
    if (!on || !this.id) return
    this.selecting.bar.hidden = true
    const one = this.spans.find(span => span.n === this.current) ?? this.spans[0]
    this.pages.marks(this.spans, this.current)
    this.pages.open(this.id, this.pages.id === this.id && this.leftAt === this.current ? undefined : one?.start)
  }

  /** Switch between text and pages; both show the same place. */
  turnView() {
    if (!this.found || find(this.root, ".view").hidden) return
    const was = this.onPages
    preferences.set("pages", !was)
    this.leftAt = this.current
    this.drawView()
    const [start, end] = this.pages.pages?.[(this.pages.page ?? 0) - 1] ?? []
    if (!was || start === undefined || end === undefined) return
    const one = this.spans.find(span => span.n === this.current && span.start >= start && span.start < end)
    this.reveal(one?.start ?? start, true)
  }

  /** Return the marked spans of this document: the evidence, and what a claim or an opinion points to. */
  /** @returns {MarkedSpan[]} */
  get spans() {
    const evidence = this.host.evidence().map((span, n) => ({ ...span, n }))
    return [...evidence, ...this.look].filter(span => span.document === this.id)
  }

  /** Draw the marks again where they changed. */
  marks() {
    const all = this.host.evidence()
    this.current = Math.min(this.current, Math.max(0, all.length - 1))
    find(this.root, ".jump").hidden = !all.length
    find(this.root, ".where").textContent = all.length ? `Evidence ${this.current + 1} of ${all.length}` : ""
    if (!this.found) return
    const { spans } = this
    this.sections.again((section, from, to) => {
      const had = section.marked
      section.marked = spans.some(span => span.start < to && span.end > from)
      return had || section.marked
    })
    if (this.onPages) this.pages.marks(spans, this.current)
    else this.selecting.place()
    this.host.moved()
  }

  /** @param {number} step */
  jump(step) {
    const count = this.host.evidence().length
    if (count) this.jumpTo((this.current + step + count) % count)
  }

  /** Scroll to the nth evidence; open its document if it is in another one. @param {number} n */
  async jumpTo(n, { onlyIfHidden = false } = {}) {
    const span = this.host.evidence()[n]
    if (!span) return
    this.current = n
    if (!(await this.show(span.document))) return
    this.marks()
    this.reveal(span.start, onlyIfHidden)
  }

  /** Mark all spans that a claim or an opinion points to, and scroll to the nth. @param {Span[]} spans */
  async lookAt(spans, n = 0) {
    this.look = spans.map((span, other) => ({ kind: "look", ...span, isNow: other === n }))
    if (!spans[n] || !(await this.show(spans[n].document))) return
    this.marks()
    this.reveal(spans[n].start, true)
  }

  /**
   * Scroll so that a code point is visible.
   * @param {number} point
   * @param {boolean} onlyIfHidden
   */
  reveal(point, onlyIfHidden) {
    if (this.onPages) return this.pages.reveal(point)
    const at = (/** @type {HTMLElement} */ block) =>
      findAll(block, "mark").find(mark => (this.sections.pointOf(mark, 0) ?? -1) >= point)
    this.sections.reveal(this.sections.blockAt(point), at, onlyIfHidden)
  }

  drawSwitch() {
    const tabs = find(this.root, ".docs")
    const list = find(this.root, ".docs-list")
    const many = this.documents.length
    tabs.hidden = many < 2 || many > 3
    list.hidden = many < 4
    const withEvidence = new Set(this.host.evidence().map(span => span.document))
    const words = (/** @type {{ title: string }} */ one, /** @type {number} */ n) => `${n + 1}. ${one.title || "Untitled"}`
    if (!tabs.hidden) {
      tabs.replaceChildren(
        ...this.documents.map((one, n) => {
          const tab = foreign("button", withEvidence.has(one.id) ? "tab marked" : "tab", words(one, n))
          tab.type = "button"
          tab.title = one.title
          tab.setAttribute("role", "tab")
          tab.setAttribute("aria-selected", String(one.id === this.id))
          tab.onclick = () => this.show(one.id)
          return tab
        }),
      )
    }
    if (!list.hidden) {
      list.replaceChildren(
        ...this.documents.map((one, n) => {
          const option = el("option", "", words(one, n) + (withEvidence.has(one.id) ? " (evidence)" : ""))
          option.value = one.id
          option.selected = one.id === this.id
          return option
        }),
      )
    }
  }
}
