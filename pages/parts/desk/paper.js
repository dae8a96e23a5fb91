// The left side: which of the item's documents is on the screen and where it was left; it brings evidence on the screen.

class Paper {
  /** `told` hears {add(span), replace(n, span), evidence(), person(), item()} of the desk. */
  constructor(root, told) {
    this.told = told
    this.root = root
    const find = name => root.querySelector(`.${name}`)
    Object.assign(this, { scroller: find("scroller"), sheet: find("sheet"), pane: find("paper") })
    this.current = 0
    this.look = []
    this.sections = new Sections(this)
    this.finding = new Finding(this)
    this.places = new Places(this)
    find("earlier").onclick = () => this.jump(-1)
    find("later").onclick = () => this.jump(1)
    this.selecting = new Selecting(this)
    this.pages = new PageView(find("pages"))
    find("view").onclick = () => this.turnView()
    find("docs-list").onchange = event => this.show(event.target.value)
  }

  stop() {
    this.selecting.stop()
    this.pages.stop()
    this.sections.stop()
    this.places.stop()
  }

  /** A new item: its documents, and the view where this person left it, or else at its first evidence. */
  open(documents) {
    this.places.keep()
    this.documents = documents
    this.current = 0
    this.look = []
    this.places.item = this.told.item()
    this.drawSwitch()
    const left = documents.find(one => one.id === this.places.left)
    const first = this.told.evidence()[0]
    const target = left?.id ?? first?.document ?? documents[0]?.id
    if (!target) return this.blank("This item belongs to no document. If its answer was reckoned from tables, the calls stand beside it.")
    this.show(target).then(shown => { if (shown && first && !left) this.jumpTo(0, { onlyIfHidden: true }) })
  }

  blank(words) {
    this.found = this.id = null
    this.drawView()
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
    const title = this.root.querySelector(".title")
    title.replaceChildren(...foreign("span", "", found.title || "Untitled").childNodes)
    title.dir = "auto"
    title.title = found.title
    this.root.querySelector(".size").textContent = `${found.length.toLocaleString("en")} characters`
    this.sections.draw(found)
    this.finding.moved()
    this.places.back(found.id)
    this.drawView()
    this.marks()
    found.numbered.then(() => { if (this.found === found) this.sections.again() })
  }

  get onPages() { return !this.pages.place.hidden }

  /** The document's text, or its pages where it has some and they are what the reader likes. */
  drawView() {
    const has = Boolean(this.found && this.documents.find(one => one.id === this.id)?.has_pages)
    const on = has && shown.has("pages", false)
    const button = this.root.querySelector(".view")
    button.hidden = !has
    button.replaceChildren(on ? "Text " : "Pages ", el("kbd", "", "p"))
    button.title = on ? "The text, to select evidence in ( p )" : "The pages as they look ( p )"
    this.scroller.hidden = on
    this.pages.place.hidden = !on
    if (!on) return
    this.selecting.bar.hidden = true
    const one = this.spans.find(span => span.n === this.current) ?? this.spans[0]
    this.pages.marks(this.spans, this.current)
    this.pages.open(this.id, this.pages.id === this.id && this.leftAt === this.current ? undefined : one?.start)
  }

  /** From the text to the pages or back; each shows what was to be seen on the other. */
  turnView() {
    if (!this.found || this.root.querySelector(".view").hidden) return
    const was = this.onPages
    shown.keep("pages", !was)
    this.leftAt = this.current
    this.drawView()
    const [start, end] = this.pages.pages?.[this.pages.page - 1] ?? []
    if (!was || start === undefined) return
    const one = this.spans.find(span => span.n === this.current && span.start >= start && span.start < end)
    this.reveal(one?.start ?? start, true)
  }

  /** Where this document is marked: the evidence, and what a claim points to. */
  get spans() {
    const evidence = this.told.evidence().map((span, n) => ({ ...span, n }))
    return [...evidence, ...this.look].filter(span => span.document === this.id)
  }

  /** Draw the marks again where they changed. */
  marks() {
    const all = this.told.evidence()
    this.current = Math.min(this.current, Math.max(0, all.length - 1))
    this.root.querySelector(".jump").hidden = !all.length
    this.root.querySelector(".where").textContent = all.length ? `Evidence ${this.current + 1} of ${all.length}` : ""
    if (!this.found) return
    const { spans } = this
    this.sections.again((section, from, to) => {
      const had = section.marked
      section.marked = spans.some(span => span.start < to && span.end > from)
      return had || section.marked
    })
    if (this.onPages) this.pages.marks(spans, this.current)
    else this.selecting.place()
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

  /** Show what a claim points to: all of it is marked, and the view goes to the nth. */
  async lookAt(spans, n = 0) {
    this.look = spans.map((span, other) => ({ kind: "look", ...span, isNow: other === n }))
    if (!spans[n] || !(await this.show(spans[n].document))) return
    this.marks()
    this.reveal(spans[n].start, true)
  }

  /** Bring a code point on the screen. */
  reveal(point, onlyIfHidden) {
    if (this.onPages) return this.pages.reveal(point)
    const at = block => [...block.querySelectorAll("mark")].find(mark => this.sections.pointOf(mark, 0) >= point)
    this.sections.reveal(this.sections.blockAt(point), at, onlyIfHidden)
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
