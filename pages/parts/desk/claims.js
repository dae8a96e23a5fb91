// The claims of a long answer, a row each: what it cites, the sentences that could found it, figures that stand nowhere in the
// evidence; each is supported, to be fixed, or dropped, and the marks go with the decision.

const MARKS = ["supported", "fix", "drop"]

class Claims {
  constructor(desk) {
    this.desk = desk
    this.part = desk.root.querySelector(".claims")
    this.list = desk.root.querySelector(".claims-list")
    this.toggle = desk.root.querySelector(".claims-toggle")
    this.toggle.onclick = () => this.open(this.list.hidden)
    this.rows = []
    this.marks = new Map()
  }

  /** A new item: is there more than one claim to look at? */
  draw(marks) {
    this.rows = []
    this.at = 0
    this.marks = new Map(marks ?? [])
    this.asked = false
    const { item, data } = this.desk
    const answer = item.answers[0] ?? ""
    this.part.hidden = !(data.claims?.length > 1 || (answer.match(/[.!?](?=\s+\S)|[。！？](?=\s*\S)/g) ?? []).length)
    this.list.hidden = true
    this.list.replaceChildren()
    this.title()
    if (!this.part.hidden && shown.has("claims", false)) this.open(true, false)
  }

  title() {
    const marked = [...this.marks.values()].length
    this.toggle.replaceChildren(el("span", "label", "Claims"), this.list.hidden ? " check one by one " : " ", el("kbd", "", "g"))
    this.toggle.setAttribute("aria-expanded", String(!this.list.hidden))
    const note = this.part.querySelector(".claims-note")
    const stale = this.desk.edited ? "of the stored answer" : ""
    note.textContent = [this.rows.length ? `${marked} of ${this.rows.length} marked` : "", stale].filter(Boolean).join(", ")
  }

  async open(wanted, focus = true) {
    if (this.part.hidden) return
    this.list.hidden = !wanted
    shown.keep("claims", wanted)
    this.title()
    if (!wanted) return
    if (focus) this.list.focus({ preventScroll: true })
    if (!this.asked) await this.fetch()
    if (focus) this.desk.fit.bring(this.part)
  }

  async fetch() {
    const { id, revision } = this.desk.item
    this.asked = true
    this.list.replaceChildren(el("li", "faint", "Looking for the claims"))
    try {
      const answer = await fetch(`/bench/claims/${encodeURIComponent(id)}?revision=${revision}`)
      const found = await answer.json()
      if (this.desk.item.id !== id || this.desk.item.revision !== revision) return
      if (!answer.ok) throw new Error(found.message ?? `The server answered ${answer.status}.`)
      this.rows = found.claims
      this.show()
    } catch (error) {
      if (this.desk.item.id !== id) return
      this.asked = false
      this.list.replaceChildren(el("li", "faint", `The claims could not be had: ${error instanceof TypeError ? "no connection" : error.message}`))
    }
  }

  show() {
    this.list.replaceChildren(...this.rows.map((row, n) => this.row(row, n)))
    if (!this.rows.length) this.list.append(el("li", "faint", "No claims were found in this answer."))
    this.title()
  }

  row(row, n) {
    const { desk } = this
    const mark = this.marks.get(row.claim)
    const node = el("li", ["claim", n === this.at ? "current" : "", mark ?? ""].join(" "))
    node.onclick = () => this.move(n, false)
    const words = el("p", "claim-text foreign")
    words.dir = "auto"
    const missing = (row.figures_not_found ?? []).filter(Boolean)
    let rest = row.claim
    while (rest) {
      const hit = missing.map(f => [rest.indexOf(f), f]).filter(([at]) => at >= 0).sort((a, b) => a[0] - b[0])[0]
      if (!hit) break
      write(words, rest.slice(0, hit[0]))
      words.append(Object.assign(write(el("span", "missing"), hit[1]), { title: "This figure is not in the evidence." }))
      rest = rest.slice(hit[0] + hit[1].length)
    }
    write(words, rest)
    const spans = el("div", "claim-spans")
    spans.append(...(row.evidence ?? []).map(span => this.link(span, "cites")), ...(row.candidates ?? []).map(span => this.link(span, "candidate")))
    const buttons = el("div", "claim-marks")
    buttons.append(...MARKS.map((name, index) => {
      const button = el("button", mark === name ? `small mark-${name} on` : `small mark-${name}`)
      button.type = "button"
      button.append(name, " ", el("kbd", "", String(index + 1)))
      button.setAttribute("aria-pressed", String(mark === name))
      button.disabled = !desk.mayEdit
      button.onclick = event => { event.stopPropagation(); this.at = n; this.set(name) }
      return button
    }))
    if (missing.length) buttons.append(el("span", "missing-note", `not in the evidence: ${missing.join(", ")}`))
    node.append(words, spans, buttons)
    return node
  }

  link(span, kind) {
    const button = el("button", `plain claim-span ${kind}`)
    button.type = "button"
    const words = el("span", "words foreign", "\u2026")
    button.append(el("span", "faint", kind === "cites" ? "cites" : "or"), words)
    documentOf(span.document).then(found => {
      words.replaceChildren()
      write(words, cut(found, span).slice(0, 240))
      const numbers = sentencesOf(found, span)
      if (numbers) button.append(el("span", "faint sentence-numbers", `s. ${numbers}`))
    }, () => { words.textContent = "The document could not be opened." })
    button.onclick = event => { event.stopPropagation(); this.desk.paper.lookAt(span) }
    return button
  }

  get focused() {
    const at = this.desk.root.getRootNode().activeElement
    return !this.list.hidden && Boolean(at) && this.list.contains(at)
  }

  move(n, jump = true) {
    if (!this.rows.length) return
    this.at = Math.max(0, Math.min(n, this.rows.length - 1))
    this.list.querySelectorAll(".claim").forEach((node, other) => node.classList.toggle("current", other === this.at))
    this.desk.fit.bring(this.list.children[this.at])
    const span = this.rows[this.at].evidence?.[0] ?? this.rows[this.at].candidates?.[0]
    if (jump && span) this.desk.paper.lookAt(span)
  }

  /** Mark the current claim; the same mark again takes it away. */
  set(name) {
    const row = this.rows[this.at]
    if (!row || !this.desk.mayEdit) return
    const fresh = this.marks.get(row.claim) !== name
    if (fresh) this.marks.set(row.claim, name)
    else this.marks.delete(row.claim)
    const node = this.row(row, this.at)
    this.list.children[this.at].replaceWith(node)
    this.list.focus({ preventScroll: true })
    this.title()
    this.desk.keepVisit()
    if (fresh) this.move(this.at + 1)
  }

  /** True when the key was one of the claims view's. */
  key(key) {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[key]
    if (step) this.move(this.at + step)
    else if (MARKS[Number(key) - 1]) this.set(MARKS[Number(key) - 1])
    else return false
    return true
  }

  get decided() {
    return [...this.marks].map(([claim, mark]) => ({ claim, mark }))
  }
}
