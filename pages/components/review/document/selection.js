// Turns text that is selected in the document into evidence, with the small bar above the selection or with a key.

import { textOf } from "../../lib/document_cache.js"
import { find } from "../../lib/dom.js"
import { points } from "../../lib/text.js"

export class SelectionBar {
  /** @param {import("./paper.js").DocumentPane} paper */
  constructor(paper) {
    this.paper = paper
    this.bar = find(paper.root, ".bar")
    this.replaceButton = find(paper.root, ".bar-replace")
    this.replaceButton.onclick = () => this.replace()
    find(paper.root, ".bar-add").onclick = () => this.add()
    this.bar.onmousedown = event => event.preventDefault() // the selection stays
    paper.scroller.onscroll = () => {
      if (!this.bar.hidden) this.place()
    }
    this.heard = () => this.place()
    document.addEventListener("selectionchange", this.heard)
  }

  stop() {
    document.removeEventListener("selectionchange", this.heard)
  }

  /**
   * The root that contains the document view; in Chromium a shadow root has its own selection.
   * @returns {ShadowRoot & { getSelection?: () => Selection | null }}
   */
  get shadow() {
    return /** @type {ShadowRoot} */ (this.paper.root.getRootNode())
  }

  /** The selected range inside the document view, or null. */
  get live() {
    const selection = this.shadow.getSelection?.()
    return selection?.rangeCount ? selection.getRangeAt(0) : null
  }

  /** Return the selected text as a span without white space at its ends, or null if no text of the document is selected. */
  span() {
    if (!this.paper.found) return null
    const composed = document.getSelection()?.getComposedRanges?.({ shadowRoots: [this.shadow] })[0]
    const range = [composed, this.live].find(
      one => one && this.paper.sheet.contains(one.startContainer) && this.paper.sheet.contains(one.endContainer),
    )
    if (!range) return null
    const ends = [
      this.paper.sections.pointOf(range.startContainer, range.startOffset),
      this.paper.sections.pointOf(range.endContainer, range.endOffset),
    ]
    const [one, other] = ends
    if (one === null || other === null) return null
    const [from, to] = [Math.min(one, other), Math.max(one, other)]
    const text = textOf(this.paper.found, { start: from, end: to })
    const start = from + points(text.match(/^\s*/)?.[0] ?? "")
    const end = to - points(text.match(/\s*$/)?.[0] ?? "")
    return end > start ? { document: this.paper.found.id, start, end } : null
  }

  clear() {
    document.getSelection()?.removeAllRanges()
    this.shadow.getSelection?.()?.removeAllRanges()
    this.bar.hidden = true
  }

  add() {
    const span = this.span()
    if (!span) return false
    this.clear()
    this.paper.host.add([span])
    return true
  }

  replace() {
    const span = this.span()
    if (!span) return
    this.clear()
    this.paper.host.replace(this.paper.current, span)
  }

  /** Place the small bar of buttons above the selection. */
  place() {
    const span = this.paper.host.mayEdit() ? this.span() : null
    this.bar.hidden = !span
    if (!span) return
    const count = this.paper.host.evidence().length
    const { replaceButton: replace } = this
    replace.hidden = !count
    replace.textContent = `Replace evidence ${this.paper.current + 1}`
    const box = this.live?.getBoundingClientRect()
    const pane = this.paper.pane.getBoundingClientRect()
    const frame = this.paper.scroller.getBoundingClientRect()
    if (!box?.height) return
    const wanted = box.top - this.bar.offsetHeight - 6
    const top = wanted < frame.top ? Math.min(box.bottom + 6, frame.bottom - this.bar.offsetHeight - 8) : wanted
    this.bar.style.top = `${top - pane.top}px`
    this.bar.style.left = `${Math.max(8, Math.min(box.left - pane.left, pane.width - this.bar.offsetWidth - 8))}px`
  }
}
