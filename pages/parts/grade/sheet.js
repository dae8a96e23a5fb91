// One answer to grade. The chosen mark and the comment are kept in this browser until they are stored, so that a reload loses
// neither; a press is told with a key of its own, so that it is stored once, and nothing is marked while the next one is awaited.

const COVERS = '[role="dialog"], [role="listbox"], [data-baseweb="popover"] [role="menu"]'
const REST = 60_000  // ms without a sign of life: nobody reads
const sheets = new WeakMap()

const make = (tag, kind, text = "") => Object.assign(document.createElement(tag), { className: kind, textContent: text })
const typesInto = node => /^(INPUT|TEXTAREA|SELECT)$/.test(node?.tagName ?? "") || node?.isContentEditable
const covered = root => [...document.querySelectorAll(COVERS)].some(node => !root.contains(node) && node.getClientRects().length)

const words = (kind, text, language, tag = "div") => {
  const made = make(tag, `foreign ${kind}`, text)
  made.dir = "auto"
  made.lang = language
  return made
}

/** An answer on the screen. */
class Sheet {
  constructor(root) {
    this.root = root
    this.at = null
    this.pressed = 0
  }

  get place() { return `benchwright:grade:${this.data.workspace}:${this.data.person}:${this.at}` }

  find(selector) { return this.root.querySelector(selector) }

  show(data) {
    this.data = data
    this.waits = this.waits && data.last < this.pressed && data.place === this.at
    if (data.place === this.at) return this.draw()
    this.at = data.place
    this.active = 0
    this.alive = performance.now()
    this.given = { mark: data.standing?.mark ?? "", comment: data.standing?.comment ?? "" }
    try {
      const kept = JSON.parse(localStorage.getItem(this.place))
      if (kept) this.given = kept
    } catch { /* a browser that keeps nothing has kept nothing */ }
    this.build()
    this.draw()
  }

  keep() {
    try { localStorage.setItem(this.place, JSON.stringify(this.given)) } catch { /* it stays on the screen alone */ }
  }

  build() {
    const { data } = this, { language, claim } = data
    const quotes = list => list.map(one => {
      const made = make("blockquote", "")
      const title = [one.number && `[${one.number}]`, one.title].filter(Boolean).join(" ")
      made.append(words("title", title, language), words("", one.text, language))
      return made
    })
    const asked = [make("div", "label", "Question"), words("question", data.question, language)]
    if (data.now) asked.push(make("div", "faint", `Asked at ${data.now}`))
    for (const [name, text] of Object.entries(data.inputs)) asked.push(make("div", "label", name), words("", text, language))
    if (data.golds.length) asked.push(make("div", "label", data.golds.length > 1 ? "Gold answers, any of them" : "Gold answer"))
    asked.push(...data.golds.map(gold => words("", gold, language)))
    if (data.evidence.length) asked.push(make("div", "label", `Evidence (${data.evidence.length})`), ...quotes(data.evidence))
    const answered = claim
      ? [make("div", "asks", claim.asks), make("div", "label", "Sentence"), words("claim", claim.sentence, language),
        make("div", "label", claim.passages.length ? `Passages (${claim.passages.length})` : "Text"),
        ...(claim.passages.length ? quotes(claim.passages) : [words("answer", claim.text, language)])]
      : [make("div", "label", "Answer to grade"),
        data.answer.trim() ? words("answer", data.answer, language) : make("div", "faint", "It answered with nothing.")]
    this.find(".asked").replaceChildren(...asked)
    this.find(".answered").replaceChildren(...answered)
    for (const side of this.root.querySelectorAll(".side")) side.scrollTop = 0
    const between = this.find(".between")
    between.hidden = !data.between.length
    between.replaceChildren(make("b", "", "Two who graded it differ. Yours decides."), ...data.between.map(one => {
      const line = make("div", "")
      line.append(make("span", "", one.mark + (one.comment ? ": " : "")), words("", one.comment, language, "span"))
      return line
    }))
    this.find(".marks").replaceChildren(...data.marks.map((mark, n) => {
      const made = make("button", "mark")
      made.type = "button"
      made.dataset.mark = mark.name
      made.setAttribute("role", "radio")
      const name = make("span", "name", mark.name)
      name.prepend(make("kbd", "", String(n + 1)))
      made.append(name, make("span", "about", mark.about))
      made.onclick = () => this.choose(mark.name)
      return made
    }))
    const comment = this.find(".comment")
    comment.value = this.given.comment
    comment.oninput = () => { this.given.comment = comment.value; this.keep() }
    this.find(".save").onclick = () => this.save()
    this.find(".skip").onclick = () => this.tell("skip")
    this.find(".undo").onclick = () => this.tell("undo")
  }

  draw() {
    const { data, given } = this
    for (const made of this.root.querySelectorAll(".mark")) {
      made.classList.toggle("chosen", made.dataset.mark === given.mark)
      made.setAttribute("aria-checked", String(made.dataset.mark === given.mark))
      made.disabled = !data.needed || this.waits
    }
    this.find(".save").disabled = !given.mark || !data.person || !data.needed || this.waits
    this.find(".undo").disabled = this.find(".skip").disabled = !data.person || this.waits
    this.find(".said").textContent = !data.person ? "Give your name in the sidebar: nothing can be stored without one."
      : data.needed ? "" : "Others have graded this one: go on with the next."
  }

  choose(mark) {
    if (this.waits || !this.data.needed) return
    this.given.mark = this.given.mark === mark ? "" : mark
    this.keep()
    this.draw()
  }

  save() {
    if (!this.find(".save").disabled) this.tell("save")
  }

  tell(what) {
    if (this.waits || !this.data.person) return
    this.waits = true
    this.pressed = Math.max(this.pressed, this.data.last, Date.now()) + 1
    this.setTriggerValue("pressed", {
      n: this.pressed, what, place: this.at, key: `${this.at}/${this.data.person}/${this.pressed}`, ...this.given,
      seconds: Math.round(this.active / 100) / 10,
    })
    if (what === "save") try { localStorage.removeItem(this.place) } catch { /* nothing was kept */ }
    this.draw()
  }

  /** A sign of life: the time since the last one was active, unless it was long. */
  lives() {
    const now = performance.now()
    if (!document.hidden && now - this.alive < REST) this.active += now - this.alive
    this.alive = now
  }

  key(event) {
    const { key } = event
    const mark = /^[1-9]$/.test(key) ? this.data.marks[Number(key) - 1] : null
    const acts = {
      Enter: () => this.save(), u: () => this.tell("undo"), n: () => this.tell("skip"), c: () => this.find(".comment").focus(),
    }
    const act = mark ? () => this.choose(mark.name) : acts[key.length === 1 ? key.toLowerCase() : key]
    if (!act) return false
    if (!event.repeat) act()
    return true
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".desk")
  const sheet = sheets.get(parentElement) ?? new Sheet(root)
  sheets.set(parentElement, sheet)
  sheet.root = root
  sheet.setTriggerValue = setTriggerValue
  sheet.show(data)
  const heard = event => {
    sheet.lives()
    if (event.isComposing || event.defaultPrevented || covered(root)) return
    const at = event.composedPath()[0]
    let used = false
    if (typesInto(at)) {
      if (!root.contains(at)) return
      if (event.key === "Escape") { at.blur(); used = true }
      else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { at.blur(); sheet.save(); used = true }
    } else if (!(event.ctrlKey || event.metaKey || event.altKey)) {
      if (event.key === "Enter" && at?.closest?.("button, summary, a[href]")) return
      used = sheet.key(event)
    }
    if (used) { event.preventDefault(); event.stopPropagation() }
  }
  const lives = () => sheet.lives()
  document.addEventListener("keydown", heard, true)
  for (const name of ["pointermove", "pointerdown", "wheel"]) document.addEventListener(name, lives, { passive: true })
  return () => {
    document.removeEventListener("keydown", heard, true)
    for (const name of ["pointermove", "pointerdown", "wheel"]) document.removeEventListener(name, lives)
  }
}
