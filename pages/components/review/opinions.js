// Several people's opinions beside the draft, without names. Each opinion shows its changes; a key marks its evidence in the
// document, another copies its text into the boxes. The person's decision is then a decision between the opinions.

import { differenceLine } from "../lib/diff_view.js"
import { button, el, find, foreign } from "../lib/dom.js"
import { forget } from "../lib/drafts.js"
import { Rationale } from "./rationale.js"

const WHOLE_OPINION = 20_000 // characters of an equal stretch: a person who decides between opinions reads all of it

export class OpinionList {
  /** What the opinions are compared with: "" the draft, otherwise an opinion. */
  against = ""
  /** Index of the opinion whose text is in the boxes, or null. @type {number | null} */
  loaded = null
  /** Index of the opinion whose evidence is marked in the document, or null. @type {number | null} */
  shown = null
  drawn = ""

  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk
    this.part = find(desk.root, ".opinions")
    this.list = find(this.part, ".opinions-list")
    this.because = new Rationale(desk)
  }

  get given() {
    return this.desk.data?.opinions?.given ?? []
  }

  /** Whether this desk shows opinions that a person decides between. */
  get isOn() {
    return Boolean(this.desk.data?.opinions)
  }
  get isOpen() {
    return Boolean(this.desk.data?.opinions?.is_open)
  }

  /** Whether a person can decide here; between opinions, only while nobody has decided between them yet. */
  get mayDecide() {
    return !this.isOn || this.isOpen
  }

  /** Open a new item, or the same item after it was decided on or reopened. */
  open() {
    this.part.hidden = !this.isOn
    this.against = ""
    this.loaded = this.shown = null
    if (!this.isOn) return
    this.because.open()
    this.draw()
  }

  draw() {
    if (!this.isOn) return
    find(this.part, ".because-line").hidden = !this.isOpen
    this.because.box.readOnly = !this.desk.data.person
    const names = ["", ...this.given.map(one => one.letter)]
    find(this.part, ".against").replaceChildren(
      ...names.map(letter => {
        const press = button("small", letter || "draft")
        press.setAttribute("role", "radio")
        press.setAttribute("aria-checked", String(this.against === letter))
        press.onclick = () => this.compare(letter)
        return press
      }),
    )
    const scrolled = this.lines.map(line => line.scrollTop)
    this.list.replaceChildren(...this.given.map((one, n) => this.row(one, n)))
    if (this.drawn === `${this.desk.item.id} ${this.against}`)
      this.lines.forEach((line, n) => {
        line.scrollTop = scrolled[n] ?? 0
      })
    this.drawn = `${this.desk.item.id} ${this.against}`
  }

  /** The lines that show differences; a long line has its own scroll bar, and keeps its position when it is drawn again. */
  get lines() {
    return [...this.list.querySelectorAll(".diff-line")]
  }

  /**
   * @param {Opinion} one
   * @param {number} n
   */
  row(one, n) {
    const node = el("li", ["opinion", this.shown === n && "current"].filter(Boolean).join(" "))
    node.dataset.letter = one.letter
    const head = el("div", "opinion-head")
    const edited =
      one.question !== this.draft.question ||
      one.answers[0] !== this.draft.answers[0] ||
      this.desk.labels.differences(this.draft, one).length
    const said = one.decision === "discard" ? "discarded" : edited ? "accepted, edited" : "accepted"
    head.append(
      el("span", "badge", one.letter),
      el("span", `chip ${one.decision === "discard" ? "discarded" : "accepted"}`, said),
    )
    if (one.person) head.append(foreign("b", "", one.person))
    if (typeof one.seconds === "number") {
      const seconds = Math.max(1, Math.round(one.seconds))
      const time = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
      head.append(el("span", one.is_fast ? "chip warn" : "faint", one.is_fast ? `decided in ${time}` : time))
    }
    head.append(el("span", "grow"))
    if (this.isOpen) head.append(this.take(one, n))
    node.append(head)
    for (const words of [one.reason, one.comment].filter(Boolean)) node.append(foreign("p", "opinion-why", words))
    node.append(...this.differences(one), this.evidence(one, n), ...this.desk.questions.answerLines(one, this.given))
    if (this.loaded === n && one.decision === "discard")
      node.append(el("p", "faint", "The opinion's text is in the boxes; x discards the item with the opinion's reason."))
    else if (this.loaded === n) node.append(el("p", "faint", "The opinion's text is in the boxes."))
    node.onclick = event => {
      if (!(event.target instanceof Element && event.target.closest("button"))) this.look(n)
    }
    return node
  }

  /**
   * @param {Opinion} one
   * @param {number} n
   */
  take(one, n) {
    const press = button("small take-opinion")
    press.append(`Take ${one.letter} `, el("kbd", "", String(n + 1)))
    press.disabled = !this.desk.mayEdit
    press.onclick = () => this.load(n)
    return press
  }

  get draft() {
    return this.desk.item
  }

  /** What an opinion is compared with: the draft, or another opinion. */
  get other() {
    return this.given.find(one => one.letter === this.against) ?? this.draft
  }

  /** @param {Opinion} one */
  differences(one) {
    const { other } = this
    if (one === other)
      return [
        ["Question", one.question],
        ["Answer", one.answers[0] ?? ""],
      ].map(([name, text]) => differenceLine(name, text, text, WHOLE_OPINION))
    const pairs = [
      ["Question", other.question, one.question],
      ["Answer", other.answers[0] ?? "", one.answers[0] ?? ""],
    ]
    const changed = [...pairs.filter(([, before, after]) => before !== after), ...this.desk.labels.differences(other, one)]
    if (changed.length) return changed.map(([name, before, after]) => differenceLine(name, before, after, WHOLE_OPINION))
    return [el("p", "faint", this.against ? `The same text as ${this.against}.` : "The same text as the draft.")]
  }

  /**
   * Draw how the opinion's evidence differs from what it is compared with; a click marks it in the document.
   * @param {Opinion} one
   * @param {number} n
   */
  evidence(one, n) {
    const { added, missing } = compareSpans(this.other.evidence, one.evidence)
    const counts = [added.length && `${added.length} added`, missing.length && `${missing.length} left out`]
      .filter(Boolean)
      .join(", ")
    const same = one === this.other ? `${one.evidence.length} ${one.evidence.length === 1 ? "place" : "places"}` : "the same"
    const press = button("plain opinion-evidence", `Evidence: ${counts || same}`)
    press.title = "Show it in the document ( o )"
    press.onclick = () => this.look(n)
    return press
  }

  /** Mark in the document how the evidence of an opinion differs. @param {number} n */
  look(n) {
    this.shown = n
    const one = this.given[n]
    const other = one === this.other ? this.draft : this.other
    const { added, missing } = compareSpans(other.evidence, one.evidence)
    const spans = [...added.map(span => ({ ...span, kind: "added" })), ...missing.map(span => ({ ...span, kind: "left-out" }))]
    this.desk.paper.lookAt(spans)
    if (!spans.length) this.desk.paper.marks()
    this.draw()
    this.desk.fit.bring(/** @type {HTMLElement} */ (this.list.children[n]))
  }

  /** @param {string} letter */
  compare(letter) {
    this.against = letter
    this.draw()
    if (this.shown !== null) this.look(this.shown)
  }

  /**
   * Put the words and evidence of an opinion into the boxes; the person's own words in them are kept aside.
   * @param {number} n
   */
  load(n) {
    const { desk } = this
    const one = this.given[n]
    if (!one || !this.isOpen || !desk.mayEdit) return
    const aside = this.isOwn()
      ? {
          ...desk.words,
          evidence: [...desk.evidence],
          labels: { ...desk.labels.chosen },
          label_answers: desk.questions.values,
          loaded: this.loaded,
        }
      : null
    this.loaded = n
    this.fill(one.question, one.answers[0] ?? "", one.evidence, one.labels, one.label_answers)
    this.look(n)
    if (aside) this.offerBack(aside)
  }

  /**
   * @param {string} question
   * @param {string} answer
   * @param {Span[]} evidence
   * @param {Record<string, string>} labels
   * @param {LabelAnswers | null} [label_answers]
   */
  fill(question, answer, evidence, labels, label_answers) {
    const { desk } = this
    desk.boxes.fill("question", question, question !== desk.item.question)
    desk.boxes.fill("answer", answer, answer !== (desk.item.answers[0] ?? ""))
    desk.claims.asStored()
    desk.labels.open(labels)
    if (label_answers) desk.questions.open(label_answers)
    desk.setEvidence(evidence)
  }

  /** Return whether the boxes contain anything that neither the draft nor an opinion says. */
  isOwn() {
    const { desk } = this
    const { question, answer } = desk.words
    return ![this.draft, ...this.given].some(
      one =>
        one.question === question &&
        (one.answers[0] ?? "") === answer &&
        !Object.values(compareSpans(one.evidence, desk.evidence)).flat().length &&
        !desk.labels.differences(one, { labels: desk.labels.values ?? {} }).length &&
        desk.questions.isSame(one.label_answers),
    )
  }

  /** @param {any} aside */
  offerBack(aside) {
    const place = this.desk.find("back")
    const put = button("plain", "Put them back")
    put.onclick = () => {
      this.loaded = aside.loaded
      this.fill(aside.question, aside.answer, aside.evidence, aside.labels, aside.label_answers)
      this.draw()
    }
    place.replaceChildren(el("span", "", "Your own text was put aside."), put)
    place.hidden = false
  }

  /** Open the list of reasons, with the reason of the loaded opinion chosen. */
  chooseReason() {
    const one = this.loaded === null ? undefined : this.given[this.loaded]
    if (one?.decision !== "discard") return
    const n = this.desk.data.reasons.indexOf(one.reason)
    if (n >= 0) this.desk.discard.choose(n)
    else this.desk.find("comment", HTMLInputElement).value = one.reason
  }

  /**
   * Handle a key of the opinions; return whether it was one.
   * @param {string} key
   * @param {boolean} isRepeat
   */
  key(key, isRepeat) {
    if (!this.isOn) return false
    const n = /^[1-9]$/.test(key) ? Number(key) - 1 : -1
    if (n >= 0) {
      if (!isRepeat) this.load(n)
    } else if (key === "o") this.look(((this.shown ?? -1) + 1) % this.given.length)
    else if (key === "v") this.compare(this.given[this.given.findIndex(one => one.letter === this.against) + 1]?.letter ?? "")
    else if (key === "y" && this.isOpen) this.desk.enter("because")
    else return false
    return true
  }

  // The request of a decision: its path and its fields.
  get address() {
    return this.isOn ? "/bench/adjudicate" : "/bench/decide"
  }

  /**
   * Return the request of a decision, with the reason for it and the opinions that the person saw.
   * @template {{ comment: string }} Body
   * @param {Body} body
   */
  withReason(body) {
    if (!this.isOn) return body
    const why = this.because.box.value.trim()
    return { ...body, comment: [body.comment, why].filter(Boolean).join("\n"), seen: this.desk.data.opinions?.seen }
  }

  hold() {
    return this.isOn ? this.because.keeper.hold() : null
  }

  release() {
    if (this.isOn) this.because.keeper.release()
  }

  /** @param {{ person: string, item: string }} body */
  done({ person, item }) {
    if (!this.isOn) return
    forget(person, `why:${item}`)
    this.because.keeper.done()
  }

  leave() {
    this.because.keeper.leave()
  }
}

/**
 * Return the spans that only the second list contains, and the spans that only the first list contains.
 * @param {Span[]} before
 * @param {Span[]} after
 */
const compareSpans = (before, after) => {
  const place = (/** @type {Span} */ span) => `${span.document}:${span.start}:${span.end}`
  const [had, has] = [new Set(before.map(place)), new Set(after.map(place))]
  return { added: after.filter(span => !had.has(place(span))), missing: before.filter(span => !has.has(place(span))) }
}
