// Two drafts of one window, decided on side by side. What is typed and decided is kept in this browser until it is stored, so that
// a reload loses no word; a press is told with a key of its own, so that it is stored once.

const PLACES = ["left", "right"]
const BETTER = [["left", "1 is better", "←"], ["same", "Alike", "0"], ["right", "2 is better", "→"]]
const COVERS = '[role="dialog"], [role="listbox"], [data-baseweb="popover"] [role="menu"]'
const REST = 60_000  // ms without a sign of life: nobody reads
const sheets = new WeakMap()

const make = (tag, kind, text = "") => Object.assign(document.createElement(tag), { className: kind, textContent: text })
const typesInto = node => /^(INPUT|TEXTAREA|SELECT)$/.test(node?.tagName ?? "") || node?.isContentEditable
const covered = root => [...document.querySelectorAll(COVERS)].some(node => !root.contains(node) && node.getClientRects().length)

const button = (words, key, kind, act) => {
  const made = make("button", `button ${kind}`, `${words} `)
  made.type = "button"
  if (key) made.append(make("kbd", "", key))
  made.onclick = act
  return made
}

/** A pair on the screen. */
class Sheet {
  constructor(root) {
    this.root = root
    this.pair = null
    this.pressed = 0
  }

  get place() { return `benchwright:trial:${this.data.workspace}:${this.data.person}:${this.pair}` }

  show(data) {
    this.data = data
    this.waits = this.waits && data.last < this.pressed && data.pair === this.pair
    if (data.pair === this.pair) return this.draw()
    this.pair = data.pair
    this.taken = data.left ? "left" : "right"
    this.reasonsOf = null
    this.active = 0
    this.alive = performance.now()
    this.given = { left: this.start("left"), right: this.start("right"), preference: data.standing?.preference ?? "" }
    try {
      const kept = JSON.parse(localStorage.getItem(this.place))
      if (kept) this.given = kept
    } catch { /* a browser that keeps nothing has kept nothing */ }
    this.build()
    this.draw()
  }

  start(place) {
    const draft = this.data[place], said = this.data.standing?.[place]
    if (!draft) return null
    return {
      decision: said?.decision ?? "", reason: said?.reason ?? "", question: said?.question ?? draft.question,
      answer: said?.answer ?? draft.answer,
    }
  }

  find(selector) { return this.root.querySelector(selector) }

  keep() {
    try { localStorage.setItem(this.place, JSON.stringify(this.given)) } catch { /* it stays on the screen alone */ }
  }

  build() {
    const { data } = this
    const paper = this.find(".paper")
    paper.lang = data.language
    paper.replaceChildren(...data.text.flatMap(line => {
      const row = make("div", line.marks.length ? "line marked" : "line")
      const words = make("div", "foreign", line.text)
      words.dir = "auto"
      row.append(make("span", "where", line.marks.length ? line.marks.join(" ") : ""), words)
      return line.title ? [make("div", "title foreign", line.title), row] : [row]
    }))
    for (const place of PLACES) this.card(place)
    this.find(".prefer").replaceChildren(...BETTER.map(([place, words, key]) => {
      const made = button(words, key, "", () => this.prefer(place))
      made.dataset.better = place
      made.setAttribute("role", "radio")
      return made
    }))
    this.find(".prefer").hidden = !(data.left && data.right)
    this.find(".save").onclick = () => this.save()
    this.find(".skip").onclick = () => this.tell("skip")
    this.find(".undo").onclick = () => this.tell("undo")
    const first = paper.querySelector(".marked")
    paper.scrollTop = first ? Math.max(0, first.offsetTop - paper.offsetTop - 60) : 0
  }

  card(place) {
    const draft = this.data[place], card = this.find(`[data-place=${place}]`)
    const number = place === "left" ? "1" : "2"
    card.lang = this.data.language
    card.onpointerdown = () => this.take(place)
    if (!draft) return card.replaceChildren(make("p", "faint", "The other draft came to nothing here. Decide on this one alone."))
    const head = make("div", "head")
    head.append(make("b", "", `Draft ${number}`), make("kbd", "", number), make("span", "state"))
    const boxes = ["question", "answer"].flatMap(name => {
      const box = make("textarea", name)
      box.value = this.given[place][name]
      box.dir = "auto"
      box.spellcheck = false
      box.setAttribute("aria-label", `${name} of draft ${number}`)
      box.onfocus = () => this.take(place)
      box.oninput = () => { this.given[place][name] = box.value; this.keep(); this.draw() }
      return [make("div", "label", name === "question" ? "Question" : "Answer"), box]
    })
    const inputs = Object.entries(draft.inputs).flatMap(([name, text]) => [make("div", "label", name), make("div", "foreign", text)])
    const quotes = make("div", "quotes")
    quotes.append(...draft.evidence.map(one => {
      const quote = make("blockquote", "foreign", one.text)
      quote.dir = "auto"
      return quote
    }))
    const row = make("div", "row"), why = make("div", "why")
    row.append(button("Accept", "a", "accept", () => this.decide("accept", place)),
      button("Discard", "x", "discard", () => this.decide("discard", place)))
    why.hidden = true
    card.replaceChildren(head, ...boxes, ...inputs, make("div", "label", `Evidence (${draft.evidence.length})`), quotes, row, why)
  }

  draw() {
    const { data, given } = this
    for (const place of PLACES) {
      const card = this.find(`[data-place=${place}]`), own = given[place]
      card.classList.toggle("taken", place === this.taken && Boolean(own))
      if (!own) continue
      const edited = own.question !== data[place].question || own.answer !== data[place].answer
      const state = card.querySelector(".state")
      state.textContent = own.decision === "accept" ? (edited ? "Accept, edited" : "Accept")
        : own.decision ? `Discard${own.reason ? `: ${own.reason}` : ""}` : edited ? "Edited" : ""
      state.className = `state ${own.decision}`
      for (const name of ["accept", "discard"]) card.querySelector(`button.${name}`).classList.toggle("chosen", own.decision === name)
      const why = card.querySelector(".why")
      why.hidden = this.reasonsOf !== place
      if (!why.hidden) {
        why.replaceChildren(...data.reasons.map((reason, n) =>
          button(reason, n < 9 ? String(n + 1) : "", own.reason === reason ? "chosen" : "", () => this.because(n))))
      }
    }
    for (const made of this.root.querySelectorAll("[data-better]")) {
      made.classList.toggle("chosen", made.dataset.better === given.preference)
      made.setAttribute("aria-checked", String(made.dataset.better === given.preference))
    }
    const isWhole = PLACES.every(place => !given[place] || given[place].decision)
    this.find(".save").disabled = !isWhole || !data.person || this.waits
    this.find(".undo").disabled = this.find(".skip").disabled = !data.person || this.waits
    this.find(".said").textContent = data.person ? "" : "Give your name in the sidebar: nothing can be stored without one."
  }

  take(place) {
    if (!this.given[place] || this.taken === place) return
    this.taken = place
    this.reasonsOf = null
    this.draw()
  }

  decide(decision, place = this.taken) {
    const own = this.given[place]
    this.taken = place
    own.decision = decision
    if (decision === "accept") own.reason = ""
    this.reasonsOf = decision === "discard" ? place : null
    const other = PLACES.find(one => one !== place && this.given[one] && !this.given[one].decision)
    if (decision === "accept" && other) this.taken = other
    this.keep()
    this.draw()
  }

  because(n) {
    const own = this.given[this.reasonsOf]
    if (!own || !this.data.reasons[n]) return
    own.reason = this.data.reasons[n]
    const other = PLACES.find(one => one !== this.reasonsOf && this.given[one] && !this.given[one].decision)
    this.reasonsOf = null
    if (other) this.taken = other
    this.keep()
    this.draw()
  }

  prefer(place) {
    this.given.preference = this.given.preference === place ? "" : place
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
      n: this.pressed, what, pair: this.pair, key: `${this.pair}/${this.data.person}/${this.pressed}`, ...this.given,
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
    if (this.reasonsOf) {
      if (/^[1-9]$/.test(key)) return this.because(Number(key) - 1) ?? true
      if (key === "Escape") { this.reasonsOf = null; this.draw(); return true }
    }
    const box = name => this.find(`[data-place=${this.taken}] textarea.${name}`)?.focus() ?? true
    const acts = {
      1: () => this.take("left"), 2: () => this.take("right"), a: () => this.decide("accept"), x: () => this.decide("discard"),
      ArrowLeft: () => this.prefer("left"), ArrowRight: () => this.prefer("right"), 0: () => this.prefer("same"),
      q: () => box("question"), w: () => box("answer"), u: () => this.tell("undo"), n: () => this.tell("skip"),
      Enter: () => this.save(),
    }
    if (key.startsWith("Arrow") || key === "0") { if (this.find(".prefer").hidden) return false }
    const act = acts[key.length === 1 ? key.toLowerCase() : key]
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
      else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { at.blur(); sheet.decide("accept"); used = true }
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
