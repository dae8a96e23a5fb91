// The sheet for one answer to grade: the question with gold answers and evidence on one side, the system's answer on the other,
// and the marks below.

import { mount } from "../lib/component.js"
import { button, el, findAll } from "../lib/dom.js"
import { Sheet } from "../sheet/sheet.js"
import "./marking.css"

/**
 * @param {string} kind
 * @param {string} text
 * @param {string} language
 * @param {"div" | "span"} tag
 */
const words = (kind, text, language, tag = "div") => {
  const made = el(tag, `foreign ${kind}`, text)
  made.dir = "auto"
  made.lang = language
  return made
}

/** The sheet of one answer to grade. */
class AnswerToGrade extends Sheet {
  /** @override */
  start() {
    const { standing } = this.data
    return { mark: standing?.mark ?? "", comment: standing?.comment ?? "" }
  }

  /** @override */
  build() {
    const { data } = this
    const { language, claim } = data
    const quotes = (/** @type {any[]} */ list) =>
      list.map(one => {
        const made = el("blockquote", "")
        const title = [one.number && `[${one.number}]`, one.title].filter(Boolean).join(" ")
        made.append(words("title", title, language), words("", one.text, language))
        return made
      })
    const asked = [el("div", "label", "Question"), words("question", data.question, language)]
    if (data.now) asked.push(el("div", "faint", `Asked at ${data.now}`))
    for (const [name, text] of Object.entries(/** @type {Record<string, string>} */ (data.inputs)))
      asked.push(el("div", "label", name), words("", text, language))
    if (data.golds.length) asked.push(el("div", "label", data.golds.length > 1 ? "Gold answers, any of them" : "Gold answer"))
    asked.push(...data.golds.map((/** @type {string} */ gold) => words("", gold, language)))
    if (data.evidence.length) asked.push(el("div", "label", `Evidence (${data.evidence.length})`), ...quotes(data.evidence))
    const answered = claim
      ? [
          el("div", "asks", claim.asks),
          el("div", "label", claim.unit),
          words("claim", claim.sentence, language),
          el("div", "label", claim.passages.length ? `Passages (${claim.passages.length})` : "Text"),
          ...(claim.passages.length ? quotes(claim.passages) : [words("answer", claim.text, language)]),
        ]
      : [
          el("div", "label", "Answer to grade"),
          data.answer.trim() ? words("answer", data.answer, language) : el("div", "faint", "The system gave an empty answer."),
        ]
    this.find(".asked").replaceChildren(...asked)
    this.find(".answered").replaceChildren(...answered)
    for (const side of findAll(this.root, ".side")) side.scrollTop = 0
    const between = this.find(".between")
    between.hidden = !data.between.length
    between.replaceChildren(
      el("b", "", "Two people graded this answer differently. Your mark decides."),
      ...data.between.map((/** @type {any} */ one) => {
        const line = el("div", "")
        line.append(el("span", "", one.mark + (one.comment ? ": " : "")), words("", one.comment, language, "span"))
        return line
      }),
    )
    this.find(".marks").replaceChildren(
      ...data.marks.map((/** @type {any} */ mark, /** @type {number} */ n) => {
        const made = button("mark")
        made.dataset.mark = mark.name
        made.setAttribute("role", "radio")
        const name = el("span", "name", mark.name)
        name.prepend(el("kbd", "", String(n + 1)))
        made.append(name, el("span", "about", mark.about))
        made.onclick = () => this.choose(mark.name)
        return made
      }),
    )
    const comment = this.find(".comment", HTMLTextAreaElement)
    comment.value = this.given.comment
    comment.oninput = () => {
      this.given.comment = comment.value
      this.keep()
    }
  }

  /** @override */
  draw() {
    const { data, given } = this
    for (const made of findAll(this.root, ".mark", HTMLButtonElement)) {
      made.classList.toggle("chosen", made.dataset.mark === given.mark)
      made.setAttribute("aria-checked", String(made.dataset.mark === given.mark))
      made.disabled = !data.needed || this.waits
    }
    this.foot(given.mark && data.needed, data.needed ? "" : "Other people have graded this answer: go on with the next.")
  }

  /** @param {string} mark */
  choose(mark) {
    if (this.waits || !this.data.needed) return
    this.given.mark = this.given.mark === mark ? "" : mark
    this.keep()
    this.draw()
  }

  /** @override */
  confirm() {
    this.save()
  }

  /** @override */
  acts() {
    const marks = this.data.marks
      .slice(0, 9)
      .map((/** @type {any} */ { name }, /** @type {number} */ n) => [n + 1, () => this.choose(name)])
    return { c: () => this.find(".comment").focus(), ...Object.fromEntries(marks) }
  }
}

export default mount(parent => new AnswerToGrade(parent))
