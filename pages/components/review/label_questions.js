// The project's label questions, which a person answers beside the item by keyboard, by mouse or as text. Answers are stored
// like typed text, and submitted with the decision.

import { button, el, find, findAll, focused, foreign } from "../lib/dom.js"

/** @param {LabelAnswer | LabelAnswers | undefined} a @param {LabelAnswer | LabelAnswers | undefined} b */
const sameAnswer = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** @param {LabelAnswer | undefined} answer */
const answerWords = answer => (Array.isArray(answer) ? answer.join(", ") : String(answer ?? "\u2013"))

export class LabelQuestions {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk
    this.part = find(desk.root, ".questions-part")
    this.list = find(desk.root, ".questions-list")
    /** @type {LabelAnswers} */
    this.given = {}
  }

  /** The nodes of the questions on the screen. */
  get places() {
    return /** @type {HTMLElement[]} */ ([...this.list.children])
  }

  get rows() {
    return this.desk.data?.label_questions ?? []
  }

  /** The person's stored answers to this item or, without a decision, the answers that the item came with. */
  get stored() {
    return this.clean(this.desk.data?.decision?.label_answers ?? this.desk.item?.labels?.label_answers ?? {})
  }

  /** Open a new item, or this item with other answers. */
  open(answers = this.stored) {
    this.given = this.clean(answers ?? {})
    this.draw()
  }

  /** Return those answers that fit the questions as they are now. @param {LabelAnswers} answers */
  clean(answers) {
    /** @type {LabelAnswers} */
    const found = {}
    for (const row of this.rows) {
      const answer = answers[row.name]
      if (row.kind === "text" && typeof answer === "string" && answer.trim()) found[row.name] = answer
      else if (
        row.kind === "rating" &&
        typeof answer === "number" &&
        Number.isInteger(answer) &&
        answer >= 1 &&
        answer <= row.top
      )
        found[row.name] = answer
      else if (row.kind === "one" && typeof answer === "string" && row.choices.includes(answer)) found[row.name] = answer
      else if (row.kind === "several" && Array.isArray(answer)) {
        const chosen = row.choices.filter(choice => answer.includes(choice))
        if (chosen.length) found[row.name] = chosen
      }
    }
    return found
  }

  /** All answers on the screen, or null if there are no questions. */
  get values() {
    return this.rows.length ? this.clean(this.given) : null
  }

  /** @param {LabelAnswers | null | undefined} answers */
  isSame(answers) {
    return sameAnswer(this.clean(answers ?? {}), this.values ?? {})
  }

  get changed() {
    return !sameAnswer(this.values ?? {}, this.stored)
  }

  /** Index of the first required question without an answer, or -1. */
  get missing() {
    const values = this.values ?? {}
    return this.rows.findIndex(row => row.required && values[row.name] === undefined)
  }

  draw() {
    this.drawn = JSON.stringify(this.rows)
    this.part.hidden = !this.rows.length
    this.list.replaceChildren(...this.rows.map((row, n) => this.row(row, n)))
    this.enable(this.desk.mayEdit)
  }

  /** Draw the label questions again only if they have changed, so that the person's question keeps the focus. */
  refresh() {
    if (this.drawn !== JSON.stringify(this.rows)) this.open(this.given)
  }

  /**
   * @param {LabelQuestion} row
   * @param {number} n
   */
  row(row, n) {
    const place = el("div", "ask")
    place.tabIndex = 0
    place.dataset.name = row.name
    const text = foreign("span", "ask-text", row.text)
    text.id = `desk-ask-${n}`
    const head = el("div", "ask-head")
    head.append(text)
    if (row.required) head.append(el("span", "chip ask-required", "required"))
    if (row.kind === "several") head.append(el("span", "faint", "any number"))
    place.setAttribute("role", row.kind === "one" || row.kind === "rating" ? "radiogroup" : "group")
    place.setAttribute("aria-labelledby", text.id)
    if (row.required) place.setAttribute("aria-required", "true")
    place.append(head, row.kind === "text" ? this.box(row) : this.choices(row))
    return place
  }

  /** @param {LabelQuestion} row */
  choices(row) {
    const line = el("div", row.kind === "rating" ? "ask-choices rating" : "ask-choices")
    this.optionsOf(row).forEach((value, at) => {
      const choice = button("small choice")
      choice.tabIndex = -1
      choice.setAttribute("role", row.kind === "several" ? "checkbox" : "radio")
      if (row.kind !== "rating" && at < 9) choice.append(el("kbd", "", String(at + 1)), " ")
      choice.append(foreign("span", "", String(value)))
      choice.onclick = () => this.choose(row, value)
      line.append(choice)
    })
    this.mark(row, line)
    return line
  }

  /** @param {LabelQuestion} row */
  box(row) {
    const box = el("textarea", "ask-words")
    box.rows = 1
    box.dir = "auto"
    box.setAttribute("aria-labelledby", `desk-ask-${this.rows.indexOf(row)}`)
    box.value = String(this.given[row.name] ?? "")
    box.oninput = () => {
      this.given[row.name] = box.value
      this.desk.touched()
    }
    box.onblur = () => this.desk.keeper.flush()
    return box
  }

  /** @param {LabelQuestion} row @returns {(string | number)[]} */
  optionsOf(row) {
    return row.kind === "rating" ? Array.from({ length: row.top }, (_, n) => n + 1) : row.choices
  }

  /**
   * Mark the chosen answers of a question without drawing it again.
   * @param {LabelQuestion} row
   * @param {HTMLElement} line
   */
  mark(row, line) {
    const answer = this.given[row.name]
    const options = this.optionsOf(row)
    findAll(line, ".choice").forEach((choice, at) => {
      const isOn =
        row.kind === "several" ? Array.isArray(answer) && answer.some(one => one === options[at]) : answer === options[at]
      choice.setAttribute("aria-checked", String(isOn))
    })
  }

  /**
   * Choose an answer, or take the choice back if it was chosen.
   * @param {LabelQuestion} row
   * @param {string | number} value
   */
  choose(row, value, isKept = false) {
    if (!this.desk.mayEdit) return
    const now = this.given[row.name]
    if (row.kind === "several") {
      const before = Array.isArray(now) ? now : []
      const isOn = before.some(one => one === value)
      this.given[row.name] = row.choices.filter(choice => (choice === value ? !isOn : before.includes(choice)))
    } else if (now === value && !isKept) delete this.given[row.name]
    else this.given[row.name] = value
    this.settled(row)
  }

  /** @param {LabelQuestion} row */
  settled(row) {
    const place = this.places[this.rows.indexOf(row)]
    if (row.kind === "text") find(place, "textarea", HTMLTextAreaElement).value = String(this.given[row.name] ?? "")
    else this.mark(row, find(place, ".ask-choices"))
    this.desk.touched()
  }

  /** Index of the question that has the focus, or -1. */
  get at() {
    const active = focused(this.desk.root)
    return this.places.findIndex(place => place.contains(active))
  }

  /** @param {number} n */
  focus(n) {
    const place = this.places[n]
    if (!place) return
    place.focus({ preventScroll: true })
    this.desk.fit.bring(place)
  }

  /** Go to the first question without an answer or, from a question, to the next one. */
  turn() {
    if (!this.rows.length) return
    const values = this.values ?? {}
    const open = this.rows.findIndex(row => values[row.name] === undefined)
    this.focus(this.at >= 0 ? (this.at + 1) % this.rows.length : Math.max(0, open))
  }

  /** Move the focus from a question's text box to the question itself. @param {HTMLElement} box */
  leave(box) {
    this.places.find(place => place.contains(box))?.focus({ preventScroll: true })
  }

  /**
   * Handle a key of a label question; return whether it was one.
   * @param {string} key
   * @param {boolean} isRepeat
   */
  key(key, isRepeat) {
    const { at } = this
    const row = this.rows[at]
    if (!row) return false
    const digit = /^[0-9]$/.test(key) ? Number(key) || 10 : 0
    const options = row.kind === "text" ? [] : this.optionsOf(row)
    if (digit) {
      if (!isRepeat && options[digit - 1] !== undefined) this.choose(row, options[digit - 1], row.kind !== "several")
    } else if (key === "ArrowDown" || key === "ArrowUp") this.focus(at + (key === "ArrowDown" ? 1 : -1))
    else if ((key === "ArrowLeft" || key === "ArrowRight") && options.length) this.move(row, key === "ArrowRight" ? 1 : -1)
    else if (key === "Backspace" || key === "Delete") {
      delete this.given[row.name]
      if (this.desk.mayEdit) this.settled(row)
    } else if (key === "Escape") focused(this.desk.root)?.blur()
    else if (key === "Enter" && row.kind === "text") find(this.places[at], "textarea").focus()
    else if (key === "Enter" && this.onChoice < 0) this.focus(at + 1)
    else return false
    return true
  }

  /** Index of the focused choice within its question; -1 if the question itself has the focus. */
  get onChoice() {
    const active = focused(this.desk.root)
    return active?.classList.contains("choice") ? [...(active.parentElement?.children ?? [])].indexOf(active) : -1
  }

  /**
   * Move to the next choice; in a question with a single choice it is chosen at once, as with radio buttons.
   * @param {LabelQuestion} row
   * @param {number} step
   */
  move(row, step) {
    const options = this.optionsOf(row)
    const from =
      this.onChoice >= 0
        ? this.onChoice
        : row.kind === "several"
          ? -1
          : options.indexOf(/** @type {string | number} */ (this.given[row.name]))
    const to = from < 0 && step < 0 ? options.length - 1 : (from + step + options.length) % options.length
    findAll(this.places[this.at], ".choice")[to].focus({ preventScroll: true })
    if (row.kind !== "several") this.choose(row, options[to], true)
  }

  /**
   * Return [question, first answer, second answer] for each question with two different answers.
   * @param {LabelAnswers | null | undefined} a
   * @param {LabelAnswers | null | undefined} b
   */
  differences(a, b) {
    const [had, has] = [this.clean(a ?? {}), this.clean(b ?? {})]
    return this.rows
      .filter(({ name }) => !sameAnswer(had[name], has[name]))
      .map(({ name, text }) => [text, answerWords(had[name]), answerWords(has[name])])
  }

  /**
   * Return the answers of an opinion, one per line; answers that differ from those of other opinions are highlighted.
   * @param {{ label_answers?: LabelAnswers }} one
   * @param {{ label_answers?: LabelAnswers }[]} every
   */
  answerLines(one, every) {
    const lines = this.rows
      .filter(({ name }) => one.label_answers?.[name] !== undefined)
      .map(row => {
        const answers = every.map(other => other.label_answers?.[row.name]).filter(answer => answer !== undefined)
        const differs = row.kind !== "text" && answers.some(answer => !sameAnswer(answer, one.label_answers?.[row.name]))
        const line = el("p", differs ? "opinion-answer differs" : "opinion-answer")
        line.append(foreign("span", "faint", row.text), " ", foreign("b", "", answerWords(one.label_answers?.[row.name])))
        return line
      })
    return lines
  }

  /** @param {boolean} may */
  enable(may) {
    findAll(this.list, "button", HTMLButtonElement).forEach(choice => {
      choice.disabled = !may
    })
    findAll(this.list, "textarea", HTMLTextAreaElement).forEach(box => {
      box.readOnly = !may
    })
  }
}
