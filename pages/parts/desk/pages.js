// A document as it looks: one page of its PDF at a time, with boxes where spans stand on it. A picture is fetched when it is to
// be seen, and the browser keeps it.

const LEAFING = 90  // milliseconds: who leafs on fetches nothing on the way
const WIDTHS = [1000, 2000]  // pixels that a picture may have

const pagings = new Map()

/** Where each page of a document stands in its text, fetched once. */
const pagesOf = id => {
  if (!pagings.has(id)) {
    const asked = told(`/bench/pages/${encodeURIComponent(id)}`).then(answer => answer.json()).then(found => found.pages)
    asked.catch(() => pagings.delete(id))
    pagings.set(id, asked)
  }
  return pagings.get(id)
}

/** The answer, or an Error with the server's own sentence. */
const told = async (address, signal) => {
  const answer = await fetch(address, { signal })
  if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).message ?? `The server answered ${answer.status}.`)
  return answer
}

class PageView {
  constructor(place) {
    this.place = place
    this.spans = []
    this.current = 0
    this.point = null
    const small = (name, words, title) => {
      const button = el("button", `small ${name}`, words)
      Object.assign(button, { type: "button", title })
      button.setAttribute("aria-label", title)
      return button
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
    bar.append(this.before, el("span", "faint", "Page"), this.box, this.count, this.after, this.note, el("span", "grow"), this.zoomer)
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
      if (Number.isInteger(wanted) && wanted >= 1 && wanted <= this.pages?.length) this.turn(wanted)
      else this.box.value = this.page ?? ""
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

  /** A document, at the page of a code point; the same document stays where it is when none is given. */
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

  /** Bring a code point on the screen. */
  reveal(point) {
    if (!this.pages) return
    this.point = point
    this.turn(Math.max(1, lastUpTo(this.pages, point, page => page[0]) + 1))
  }

  step(by) {
    const wanted = (this.page ?? 1) + by
    if (this.pages && wanted >= 1 && wanted <= this.pages.length) this.turn(wanted)
  }

  turn(page) {
    const same = page === this.page
    this.page = page
    this.box.value = page
    this.before.disabled = page <= 1
    this.after.disabled = page >= this.pages.length
    if (same && this.drawn === this.name) return this.boxes()
    clearTimeout(this.soon)
    this.soon = setTimeout(() => this.fetch(), this.drawn ? LEAFING : 0)
  }

  get name() { return `${this.id}/${this.page}/${this.width}` }

  /** Pixels for the width that the page has on this screen. */
  get width() { return WIDTHS.find(width => width >= this.frame.clientWidth * window.devicePixelRatio) ?? WIDTHS.at(-1) }

  async fetch() {
    const { name, page, id } = this
    this.asked?.abort()
    this.asked = new AbortController()
    this.leaf.classList.add("waits")
    this.note.textContent = ""
    try {
      const answer = await told(`/bench/page/${page}/${encodeURIComponent(id)}?width=${this.width}`, this.asked.signal)
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
      if (error.name !== "AbortError" && this.name === name) this.sorry(error)
    }
  }

  sorry(error) {
    this.drawn = null
    this.leaf.classList.remove("waits")
    this.leaf.replaceChildren(el("p", "faint empty", error instanceof TypeError ? "The page could not be had: no connection." : error.message))
  }

  /** What is to be boxed: {start, end, n, kind}; `n` numbers evidence from 0. */
  marks(spans, current) {
    this.spans = spans
    this.current = current
    if (this.drawn && this.drawn === this.name) this.boxes()
  }

  /** Box what stands on the page that is drawn. */
  async boxes() {
    const { name, page, id } = this
    const [start, end] = this.pages[page - 1]
    const here = this.spans.filter(span => span.start < end && span.end > start)
    let found = { spans: [], more: false }
    const places = here.map(span => `${span.start}-${span.end}`).join(",")
    const boxing = this.boxing = {}
    try {
      if (here.length) found = await this.placed(`/bench/boxes/${page}/${encodeURIComponent(id)}?spans=${places}`)
      if (this.boxing !== boxing) return
      this.note.textContent = found.more ? "Not all boxes are drawn: there are too many." : ""
    } catch (error) {
      this.note.textContent = error instanceof TypeError ? "The boxes could not be had: no connection." : error.message
    }
    if (this.boxing !== boxing || this.drawn !== name || this.name !== name) return
    this.leaf.querySelectorAll(".span-box, .span-number").forEach(node => node.remove())
    this.leaf.append(...here.flatMap((span, n) => (found.spans[n] ?? []).map(box => this.drawBox(span, box))))
    this.leaf.append(...this.numbers(here.map((span, n) => [span, found.spans[n]?.[0]]).filter(([span, box]) => box && !span.kind)))
    if (this.point !== null) this.toPoint()
    this.point = null
  }

  /** What stands at an address; asked once for as long as nothing else is asked. */
  placed(address) {
    if (this.asking?.address !== address) this.asking = { address, found: told(address).then(answer => answer.json()) }
    this.asking.found.catch(() => { this.asking = null })
    return this.asking.found
  }

  /** The numbers of evidence in the page's margin, beside its first box; several at one height stand side by side. */
  numbers(firsts) {
    const heights = []
    return firsts.map(([span, [, top]]) => {
      const beside = heights.filter(other => Math.abs(other - top) < 0.02).length
      heights.push(top)
      const node = el("div", span.n === this.current ? "span-number current" : "span-number", String(span.n + 1))
      node.style.cssText = `top:${top * 100}%;inset-inline-start:${0.2 + 1.3 * beside}rem`
      return node
    })
  }

  drawBox(span, [left, top, right, bottom]) {
    const kind = span.kind ? span.kind : span.n === this.current ? "current" : ""
    const node = el("div", `span-box ${kind}`)
    node.span = span
    node.style.cssText = `left:${left * 100}%;top:${top * 100}%;width:${(right - left) * 100}%;height:${(bottom - top) * 100}%`
    if (!span.kind) node.dataset.evidence = span.n
    return node
  }

  /** Scroll the page, and nothing else, to what is asked for. */
  toPoint() {
    const all = [...this.leaf.querySelectorAll(".span-box")]
    const node = all.find(one => one.span.start === this.point) ?? all.find(one => one.span.n === this.current) ?? all[0]
    if (!node) return
    const [box, frame] = [node.getBoundingClientRect(), this.frame.getBoundingClientRect()]
    if (box.top < frame.top + 8 || box.bottom > frame.bottom - 8) this.frame.scrollTop += box.top - frame.top - frame.height * 0.3
  }

  /** The page as a whole, or as wide as there is room. */
  zoom() {
    this.whole = !this.whole
    this.zoomed()
    this.toPoint()
  }

  zoomed() {
    this.frame.classList.toggle("whole", Boolean(this.whole))
    this.zoomer.replaceChildren(this.whole ? "Fit width " : "Whole page ", el("kbd", "", "z"))
  }

  /** True when the key was one of the pages' own. */
  key(key) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    if (step) this.step(step)
    else if (key === "z") this.zoom()
    else return false
    return true
  }
}
