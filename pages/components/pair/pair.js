// The sheet on which a person decides on two drafts from the same document excerpt (window), side by side.

import { mount } from "../lib/component.js"
import { el, find, findAll, button as makeButton } from "../lib/dom.js"
import { Sheet } from "../sheet/sheet.js"
import "./pair.css"

/** @typedef {"left" | "right"} Place */

/** @type {Place[]} */
const PLACES = ["left", "right"]
const BETTER = [
  ["left", "1 is better", "←"],
  ["same", "Alike", "0"],
  ["right", "2 is better", "→"],
]

/**
 * @param {string} words
 * @param {string} key
 * @param {string} kind
 * @param {() => void} act
 */
const button = (words, key, kind, act) => {
  const made = makeButton(`button ${kind}`, `${words} `)
  if (key) made.append(el("kbd", "", key))
  made.onclick = act
  return made
}

/** The sheet of a pair of drafts: one draft is selected, and the keys act on it. */
class DraftPair extends Sheet {
  /** @type {Place} */
  taken = "left"
  /** @type {Place | null} */
  reasonsOf = null

  /** @override */
  start() {
    const { data } = this
    this.taken = data.left ? "left" : "right"
    this.reasonsOf = null
    return { left: this.first("left"), right: this.first("right"), preference: data.standing?.preference ?? "" }
  }

  /** @param {Place} place */
  first(place) {
    const draft = this.data[place],
      said = this.data.standing?.[place]
    if (!draft) return null
    return {
      decision: said?.decision ?? "",
      reason: said?.reason ?? "",
      question: said?.question ?? draft.question,
      answer: said?.answer ?? draft.answer,
    }
  }

  /** @override */
  build() {
    const { data } = this
    const paper = this.find(".paper")
    paper.lang = data.language
    paper.replaceChildren(
      ...data.text.flatMap((/** @type {any} */ line) => {
        const row = el("div", line.marks.length ? "line marked" : "line")
        const words = el("div", "foreign", line.text)
        words.dir = "auto"
        row.append(el("span", "where", line.marks.length ? line.marks.join(" ") : ""), words)
        return line.title ? [el("div", "title foreign", line.title), row] : [row]
      }),
    )
    for (const place of PLACES) this.card(place)
    this.find(".prefer").replaceChildren(
      ...BETTER.map(([place, words, key]) => {
        const made = button(words, key, "", () => this.prefer(place))
        made.dataset.better = place
        made.setAttribute("role", "radio")
        return made
      }),
    )
    this.find(".prefer").hidden = !(data.left && data.right)
    const first = findAll(paper, ".marked")[0]
    paper.scrollTop = first ? Math.max(0, first.offsetTop - paper.offsetTop - 60) : 0
  }

  /** @param {Place} place */
  card(place) {
    const draft = this.data[place],
      card = this.find(`[data-place=${place}]`)
    const number = place === "left" ? "1" : "2"
    card.lang = this.data.language
    card.onpointerdown = () => this.take(place)
    if (!draft)
      return card.replaceChildren(el("p", "faint", "The other side has no draft for this text. Decide only on this draft."))
    const head = el("div", "head")
    head.append(el("b", "", `Draft ${number}`), el("kbd", "", number), el("span", "state"))
    const boxes = ["question", "answer"].flatMap(name => {
      const box = el("textarea", name)
      box.value = this.given[place][name]
      box.dir = "auto"
      box.spellcheck = false
      box.setAttribute("aria-label", `${name} of draft ${number}`)
      box.onfocus = () => this.take(place)
      box.oninput = () => {
        this.given[place][name] = box.value
        this.keep()
        this.draw()
      }
      return [el("div", "label", name === "question" ? "Question" : "Answer"), box]
    })
    const inputs = Object.entries(/** @type {Record<string, string>} */ (draft.inputs)).flatMap(([name, text]) => [
      el("div", "label", name),
      el("div", "foreign", text),
    ])
    const quotes = el("div", "quotes")
    quotes.append(
      ...draft.evidence.map((/** @type {any} */ one) => {
        const quote = el("blockquote", "foreign", one.text)
        quote.dir = "auto"
        return quote
      }),
    )
    const row = el("div", "row"),
      why = el("div", "why")
    row.append(
      button("Accept", "a", "accept", () => this.decide("accept", place)),
      button("Discard", "x", "discard", () => this.decide("discard", place)),
    )
    why.hidden = true
    card.replaceChildren(head, ...boxes, ...inputs, el("div", "label", `Evidence (${draft.evidence.length})`), quotes, row, why)
  }

  /** @override */
  draw() {
    const { data, given } = this
    for (const place of PLACES) {
      const card = this.find(`[data-place=${place}]`),
        own = given[place]
      card.classList.toggle("taken", place === this.taken && Boolean(own))
      if (!own) continue
      const edited = own.question !== data[place].question || own.answer !== data[place].answer
      const state = find(card, ".state")
      state.textContent =
        own.decision === "accept"
          ? edited
            ? "Accept, edited"
            : "Accept"
          : own.decision
            ? `Discard${own.reason ? `: ${own.reason}` : ""}`
            : edited
              ? "Edited"
              : ""
      state.className = `state ${own.decision}`
      for (const name of ["accept", "discard"]) find(card, `button.${name}`).classList.toggle("chosen", own.decision === name)
      const why = find(card, ".why")
      why.hidden = this.reasonsOf !== place
      if (!why.hidden) {
        why.replaceChildren(
          ...data.reasons.map((/** @type {string} */ reason, /** @type {number} */ n) =>
            button(reason, n < 9 ? String(n + 1) : "", own.reason === reason ? "chosen" : "", () => this.because(n)),
          ),
        )
      }
    }
    for (const made of findAll(this.root, "[data-better]")) {
      made.classList.toggle("chosen", made.dataset.better === given.preference)
      made.setAttribute("aria-checked", String(made.dataset.better === given.preference))
    }
    const isWhole = PLACES.every(place => !given[place] || given[place].decision)
    this.foot(isWhole)
  }

  /** @param {Place} place */
  take(place) {
    if (!this.given[place] || this.taken === place) return
    this.taken = place
    this.reasonsOf = null
    this.draw()
  }

  /**
   * @param {"accept" | "discard"} decision
   * @param {Place} place
   */
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

  /** @param {number} n */
  because(n) {
    if (!this.reasonsOf) return
    const own = this.given[this.reasonsOf]
    if (!own || !this.data.reasons[n]) return
    own.reason = this.data.reasons[n]
    const other = PLACES.find(one => one !== this.reasonsOf && this.given[one] && !this.given[one].decision)
    this.reasonsOf = null
    if (other) this.taken = other
    this.keep()
    this.draw()
  }

  /** @param {string} place */
  prefer(place) {
    this.given.preference = this.given.preference === place ? "" : place
    this.keep()
    this.draw()
  }

  /** @override */
  confirm() {
    this.decide("accept")
  }

  /** @override */
  acts() {
    if (this.reasonsOf) {
      const reasons = this.data.reasons
        .slice(0, 9)
        .map((/** @type {string} */ _, /** @type {number} */ n) => [n + 1, () => this.because(n)])
      return {
        ...this.ways(),
        ...Object.fromEntries(reasons),
        Escape: () => {
          this.reasonsOf = null
          this.draw()
        },
      }
    }
    return { 1: () => this.take("left"), 2: () => this.take("right"), ...this.ways() }
  }

  ways() {
    const box = (/** @type {string} */ name) => findAll(this.root, `[data-place=${this.taken}] textarea.${name}`)[0]?.focus()
    return {
      a: () => this.decide("accept"),
      x: () => this.decide("discard"),
      q: () => box("question"),
      w: () => box("answer"),
      ...(this.find(".prefer").hidden
        ? {}
        : {
            ArrowLeft: () => this.prefer("left"),
            ArrowRight: () => this.prefer("right"),
            0: () => this.prefer("same"),
          }),
    }
  }
}

export default mount(parent => new DraftPair(parent))
