// Text that is selected in the document becomes evidence: by the small bar above it, or by a key.

class Selecting {
  constructor(paper) {
    this.paper = paper
    this.bar = paper.root.querySelector(".bar")
    this.replaceButton = paper.root.querySelector(".bar-replace")
    this.replaceButton.onclick = () => this.replace()
    paper.root.querySelector(".bar-add").onclick = () => this.add()
    this.bar.onmousedown = event => event.preventDefault()  // the selection stays
    paper.scroller.onscroll = () => { if (!this.bar.hidden) this.place() }
    this.heard = () => this.place()
    document.addEventListener("selectionchange", this.heard)
  }

  stop() { document.removeEventListener("selectionchange", this.heard) }

  /** The selected text as a span, white space at its ends left out; null when nothing of the document is selected. */
  span() {
    if (!this.paper.found) return null
    const shadow = this.paper.root.getRootNode()
    const selection = document.getSelection()
    const range = [
      selection.getComposedRanges?.({ shadowRoots: [shadow] })[0],
      shadow.getSelection?.()?.rangeCount ? shadow.getSelection().getRangeAt(0) : null,
    ].find(one => one && this.paper.sheet.contains(one.startContainer) && this.paper.sheet.contains(one.endContainer))
    if (!range) return null
    const ends = [this.paper.sections.pointOf(range.startContainer, range.startOffset), this.paper.sections.pointOf(range.endContainer, range.endOffset)]
    if (ends.includes(null)) return null
    const [from, to] = [Math.min(...ends), Math.max(...ends)]
    const text = cut(this.paper.found, { start: from, end: to })
    const start = from + points(text.match(/^\s*/)[0])
    const end = to - points(text.match(/\s*$/)[0])
    return end > start ? { document: this.paper.found.id, start, end } : null
  }

  clear() {
    document.getSelection().removeAllRanges()
    this.paper.root.getRootNode().getSelection?.()?.removeAllRanges()
    this.bar.hidden = true
  }

  add() {
    const span = this.span()
    if (!span) return false
    this.clear()
    this.paper.told.add([span])
    return true
  }

  replace() {
    const span = this.span()
    if (!span) return
    this.clear()
    this.paper.told.replace(this.paper.current, span)
  }

  /** The small bar above a selection. */
  place() {
    const span = this.paper.told.mayEdit() ? this.span() : null
    this.bar.hidden = !span
    if (!span) return
    const count = this.paper.told.evidence().length
    const { replaceButton: replace } = this
    replace.hidden = !count
    replace.textContent = `Replace evidence ${this.paper.current + 1}`
    const shadow = this.paper.root.getRootNode()
    const live = shadow.getSelection?.()?.rangeCount ? shadow.getSelection().getRangeAt(0) : null
    const box = live?.getBoundingClientRect()
    const pane = this.paper.pane.getBoundingClientRect()
    const frame = this.paper.scroller.getBoundingClientRect()
    if (!box?.height) return
    const wanted = box.top - this.bar.offsetHeight - 6
    const top = wanted < frame.top ? Math.min(box.bottom + 6, frame.bottom - this.bar.offsetHeight - 8) : wanted
    this.bar.style.top = `${top - pane.top}px`
    this.bar.style.left = `${Math.max(8, Math.min(box.left - pane.left, pane.width - this.bar.offsetWidth - 8))}px`
  }
}
