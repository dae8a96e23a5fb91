// The left side: documents drawn section by section, so that five megabytes open at once, with numbered sentences and with
// evidence as marks; it brings evidence on the screen.

const whenIdle = window.requestIdleCallback?.bind(window) ?? (act => setTimeout(() => act({ timeRemaining: () => 8, didTimeout: false }), 30))
const noIdle = window.cancelIdleCallback?.bind(window) ?? clearTimeout

class Paper {
  /** `told` hears {add(span), replace(n, span), evidence()} of the desk. */
  constructor(root, told) {
    this.told = told
    this.root = root
    const find = name => root.querySelector(`.${name}`)
    Object.assign(this, { scroller: find("scroller"), sheet: find("sheet"), pane: find("paper") })
    this.scrolls = new Map()
    this.current = 0
    this.watch = new IntersectionObserver(seen => {
      for (const { isIntersecting, target } of seen) if (isIntersecting) this.fill(target.section)
    }, { root: this.scroller, rootMargin: "1500px 0px" })
    find("earlier").onclick = () => this.jump(-1)
    find("later").onclick = () => this.jump(1)
    this.selecting = new Selecting(this)
    find("docs-list").onchange = event => this.show(event.target.value)
  }

  stop() {
    this.selecting.stop()
    this.watch.disconnect()
    noIdle(this.idle)
  }

  /** A new item: its documents, and the view at its first evidence. */
  open(documents) {
    this.documents = documents
    this.current = 0
    this.drawSwitch()
    const first = this.told.evidence()[0]
    const target = first?.document ?? documents[0]?.id
    if (!target) return this.blank("This item belongs to no document.")
    this.show(target).then(shown => { if (shown && first) this.jumpTo(0, { onlyIfHidden: true }) })
  }

  blank(words) {
    this.found = this.id = null
    this.root.querySelector(".title").textContent = ""
    this.root.querySelector(".size").textContent = ""
    this.sheet.replaceChildren(el("p", "faint empty", words))
  }

  /** Draw a document; resolves to false when another was asked for meanwhile, or it could not be had. */
  async show(id) {
    if (this.id === id && this.found) {
      this.marks()
      return true
    }
    if (this.id) this.scrolls.set(this.id, this.scroller.scrollTop)
    this.id = id
    this.found = null
    this.drawSwitch()
    this.sheet.replaceChildren(el("p", "faint empty", "Opening the document"))
    try {
      const found = await documentOf(id)
      if (this.id !== id) return false
      this.draw(found)
      return true
    } catch (error) {
      if (this.id !== id) return false
      const retry = el("button", "button", "Try again")
      retry.onclick = () => { this.id = null; this.show(id).then(shown => shown && this.told.evidence().length && this.jumpTo(0)) }
      const sorry = el("div", "empty")
      sorry.append(el("p", "", `The document could not be opened. ${error instanceof TypeError ? "No connection." : error.message}`), retry)
      this.id = null
      this.sheet.replaceChildren(sorry)
      return false
    }
  }

  draw(found) {
    this.found = found
    this.watch.disconnect()
    noIdle(this.idle)
    const title = this.root.querySelector(".title")
    title.replaceChildren(...foreign("span", "", found.title || "Untitled").childNodes)
    title.dir = "auto"
    title.title = found.title
    this.root.querySelector(".size").textContent = `${found.length.toLocaleString("en")} characters`
    const perLine = Math.max(20, this.scroller.clientWidth / (found.language === "zh" ? 15.5 : 7.4))
    this.sections = found.sections.map(section => {
      const node = el("div", "section")
      node.section = { ...section, node, filled: false }
      let lines = 0
      for (let n = section.first; n <= section.last; n++) {
        const { u, e } = found.blocks[n]
        lines += e > u ? Math.ceil((e - u) / perLine) + 0.45 : 0.5
      }
      node.style.containIntrinsicSize = `auto ${Math.round(lines * 24)}px`
      node.style.minHeight = `${Math.round(lines * 24)}px`
      return node.section
    })
    this.sheet.lang = found.language
    this.sheet.replaceChildren(...this.sections.map(section => section.node))
    for (const section of this.sections) this.watch.observe(section.node)
    this.scroller.scrollTop = this.scrolls.get(found.id) ?? 0
    const rest = [...this.sections]
    const later = deadline => {
      while (rest.length && (deadline.timeRemaining() > 4 || deadline.didTimeout)) {
        this.fill(rest.shift())
        if (deadline.didTimeout) break
      }
      if (rest.length) this.idle = whenIdle(later)
    }
    this.idle = whenIdle(later)
    this.marks()
  }

  fill(section) {
    if (section.filled) return
    section.filled = true
    section.node.style.minHeight = ""
    const blocks = []
    for (let n = section.first; n <= section.last; n++) blocks.push(this.block(n))
    section.node.replaceChildren(...blocks)
  }

  /** One block: text, numbered sentence starts, marks. */
  block(n) {
    const { u, e, p, n: size } = this.found.blocks[n]
    const node = el("div", u === e ? "block gap" : "block foreign")
    node.dir = "auto"
    node.block = n
    if (u === e) return node
    const text = this.found.text.slice(u, e)
    const inside = point => this.found.astral ? units(text, point - p) : point - p
    const starts = new Map()
    const sentences = this.found.sentences
    for (let s = Math.max(0, lastUpTo(sentences, p - 1, x => x[0]) + 1); s < sentences.length && sentences[s][0] < p + size; s++) {
      starts.set(inside(sentences[s][0]), s + 1)
    }
    const spans = this.spans.filter(span => span.start < p + size && span.end > p)
      .map(span => ({ ...span, from: inside(Math.max(p, span.start)), to: inside(Math.min(p + size, span.end)) }))
    const cuts = [...new Set([0, text.length, ...starts.keys(), ...spans.flatMap(s => [s.from, s.to])])].sort((a, b) => a - b)
    cuts.slice(0, -1).forEach((from, index) => {
      if (starts.has(from)) {
        const number = el("i", index ? "number inner" : "number")
        number.dataset.n = starts.get(from)
        node.append(number)
      }
      const over = spans.filter(span => span.from <= from && span.to > from)
      if (!over.length) return write(node, text.slice(from, cuts[index + 1]))
      const mark = el("mark", over.some(s => s.kind === "look") ? "look" : "")
      const shown = over.find(s => s.kind !== "look") ?? over[0]
      if (shown.kind !== "look") {
        mark.dataset.evidence = shown.n
        if (shown.start >= p && inside(shown.start) === from) mark.dataset.n = shown.n + 1
        mark.classList.toggle("current", shown.n === this.current)
      }
      node.append(write(mark, text.slice(from, cuts[index + 1])))
    })
    return node
  }

  /** Where spans begin to be marked on this document: the evidence, and what a claim points to. */
  get spans() {
    const evidence = this.told.evidence().map((span, n) => ({ ...span, n })).filter(span => span.document === this.id)
    return this.look?.document === this.id ? [...evidence, { ...this.look, kind: "look" }] : evidence
  }

  /** Draw the marks again where they changed. */
  marks() {
    const all = this.told.evidence()
    this.current = Math.min(this.current, Math.max(0, all.length - 1))
    this.root.querySelector(".jump").hidden = !all.length
    this.root.querySelector(".where").textContent = all.length ? `Evidence ${this.current + 1} of ${all.length}` : ""
    if (!this.found) return
    const spans = this.spans
    for (const section of this.sections) {
      const from = this.found.blocks[section.first].p
      const to = this.found.blocks[section.last].p + this.found.blocks[section.last].n
      const has = spans.some(span => span.start < to && span.end > from)
      if (section.filled && (has || section.marked)) {
        section.filled = false
        this.fill(section)
      }
      section.marked = has
    }
    this.selecting.place()
    this.told.moved()
  }

  jump(step) {
    const count = this.told.evidence().length
    if (count) this.jumpTo((this.current + step + count) % count)
  }

  /** Bring evidence n on the screen; in another document, that one is opened. */
  async jumpTo(n, { onlyIfHidden = false } = {}) {
    const span = this.told.evidence()[n]
    if (!span) return
    this.current = n
    if (!(await this.show(span.document))) return
    this.marks()
    this.reveal(span.start, onlyIfHidden)
  }

  /** Show what a claim points to. */
  async lookAt(span) {
    this.look = span
    if (!(await this.show(span.document))) return
    this.marks()
    this.reveal(span.start, true)
  }

  /** Scroll to a code point; sections near it find their true heights on the way, so it is done until it holds still. */
  reveal(point, onlyIfHidden) {
    const n = Math.max(0, lastUpTo(this.found.blocks, point, b => b.p))
    const section = this.sections.find(one => one.first <= n && n <= one.last)
    const id = this.id
    this.fill(section)
    let tries = 6
    const go = () => {
      if (this.id !== id) return
      const block = section.node.childNodes[n - section.first]
      const inBlock = [...block.querySelectorAll("mark")].find(mark => this.pointOf(mark, 0) >= point)
      const box = (inBlock?.getClientRects()[0]) ?? block.getBoundingClientRect()
      const frame = this.scroller.getBoundingClientRect()
      const offset = box.top - frame.top
      if (onlyIfHidden && offset > 8 && box.bottom < frame.bottom - 8) return
      onlyIfHidden = false
      const before = this.scroller.scrollTop
      this.scroller.scrollTop += offset - frame.height * 0.3
      if (--tries && Math.abs(this.scroller.scrollTop - before) > 1) requestAnimationFrame(go)
    }
    go()
  }

  /** The code point at a place of the DOM inside the text, or null. */
  pointOf(node, offset) {
    const start = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement
    const block = start?.closest(".block")
    if (block) {
      const range = document.createRange()
      range.setStart(block, 0)
      range.setEnd(node, offset)
      const { u, p } = this.found.blocks[block.block]
      const inside = range.toString().length
      return this.found.astral ? p + points(this.found.text.slice(u, u + inside)) : p + inside
    }
    if (!this.sheet.contains(start)) return null
    const child = start.childNodes[offset]
    const next = child?.block ?? child?.section?.first
    if (next !== undefined) return this.found.blocks[next].p
    const last = this.found.blocks[start.section?.last ?? this.found.blocks.length - 1]
    return last.p + last.n
  }

  drawSwitch() {
    const tabs = this.root.querySelector(".docs")
    const list = this.root.querySelector(".docs-list")
    const many = this.documents.length
    tabs.hidden = many < 2 || many > 3
    list.hidden = many < 4
    const withEvidence = new Set(this.told.evidence().map(span => span.document))
    const words = (one, n) => `${n + 1}. ${one.title || "Untitled"}`
    if (!tabs.hidden) {
      tabs.replaceChildren(...this.documents.map((one, n) => {
        const tab = foreign("button", withEvidence.has(one.id) ? "tab marked" : "tab", words(one, n))
        tab.type = "button"
        tab.title = one.title
        tab.setAttribute("role", "tab")
        tab.setAttribute("aria-selected", String(one.id === this.id))
        tab.onclick = () => this.show(one.id)
        return tab
      }))
    }
    if (!list.hidden) {
      list.replaceChildren(...this.documents.map((one, n) => {
        const option = el("option", "", words(one, n) + (withEvidence.has(one.id) ? " (evidence)" : ""))
        option.value = one.id
        option.selected = one.id === this.id
        return option
      }))
    }
  }
}
