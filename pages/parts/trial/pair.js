// Two drafts of one window, decided on side by side.

const PLACES = ["left", "right"]
const BETTER = [["left", "1 is better", "←"], ["same", "Alike", "0"], ["right", "2 is better", "→"]]

const button = (words, key, kind, act) => {
  const made = make("button", `button ${kind}`, `${words} `)
  made.type = "button"
  if (key) made.append(make("kbd", "", key))
  made.onclick = act
  return made
}

/** A pair on the screen: one draft of it is taken up, and the keys are its. */
class Pair extends Sheet {
  start() {
    const { data } = this
    this.taken = data.left ? "left" : "right"
    this.reasonsOf = null
    return { left: this.first("left"), right: this.first("right"), preference: data.standing?.preference ?? "" }
  }

  first(place) {
    const draft = this.data[place], said = this.data.standing?.[place]
    if (!draft) return null
    return {
      decision: said?.decision ?? "", reason: said?.reason ?? "", question: said?.question ?? draft.question,
      answer: said?.answer ?? draft.answer,
    }
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
    this.foot(isWhole)
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

  confirm() { this.decide("accept") }

  acts() {
    if (this.reasonsOf) {
      const reasons = this.data.reasons.slice(0, 9).map((_, n) => [n + 1, () => this.because(n)])
      return { ...this.ways(), ...Object.fromEntries(reasons), Escape: () => { this.reasonsOf = null; this.draw() } }
    }
    return { 1: () => this.take("left"), 2: () => this.take("right"), ...this.ways() }
  }

  ways() {
    const box = name => this.find(`[data-place=${this.taken}] textarea.${name}`)?.focus()
    return {
      a: () => this.decide("accept"), x: () => this.decide("discard"), q: () => box("question"), w: () => box("answer"),
      ...(this.find(".prefer").hidden ? {} : {
        ArrowLeft: () => this.prefer("left"), ArrowRight: () => this.prefer("right"), 0: () => this.prefer("same"),
      }),
    }
  }
}

export default shown(Pair)
