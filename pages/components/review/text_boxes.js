// The text boxes for question and answer: their text, a notice if unsaved text was restored, and the way back to the earlier
// text.

import { button, el } from "../lib/dom.js"
import { newestDraft, subjectOf } from "../lib/drafts.js"
import { clock } from "../lib/text.js"

/** @typedef {"question" | "answer"} BoxName */

/** @type {BoxName[]} */
export const BOXES = ["question", "answer"]

/** @param {string} name @returns {name is BoxName} */
export const isBox = name => BOXES.some(box => box === name)

export class TextBoxes {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk
    /** Which text boxes the person has typed in. @type {Partial<Record<BoxName, boolean>>} */
    this.touch = {}
    for (const name of BOXES) {
      const box = this.box(name)
      box.oninput = () => {
        this.touch[name] = true
        this.grow(box)
        desk.touched()
      }
      box.onblur = () => desk.keeper.flush()
    }
  }

  /** @param {BoxName} name */
  box(name) {
    return this.desk.find(`field .${name}`, HTMLTextAreaElement)
  }

  /** Put the item's own text into the boxes. @param {ReviewItem} item */
  restart(item) {
    this.touch = {}
    this.desk.evidence = [...item.evidence]
    this.fill("question", item.question)
    this.fill("answer", item.answers[0] ?? "")
  }

  /**
   * @param {BoxName} name
   * @param {string} text
   */
  fill(name, text, touched = false) {
    const box = this.box(name)
    if (box.value !== text) box.value = text
    this.touch[name] = touched
    this.grow(box)
  }

  /** @param {HTMLTextAreaElement} box */
  grow(box) {
    if (CSS.supports("field-sizing", "content")) return
    box.style.height = "auto"
    box.style.height = `${box.scrollHeight + 2}px`
  }

  /** The text in the boxes; a box in which nobody typed gives the stored text exactly, which a text box may change. */
  get words() {
    const { item } = this.desk
    return {
      question: this.touch.question ? this.box("question").value : item.question,
      answer: this.touch.answer ? this.box("answer").value : (item.answers[0] ?? ""),
    }
  }

  get edited() {
    const { question, answer } = this.words
    const { item } = this.desk
    return question !== item.question || answer !== (item.answers[0] ?? "")
  }

  /** The person's unsent copy, from the server or this browser, whichever is newer; null if it equals the item's text. */
  newest() {
    const { data, item } = this.desk
    if (!data.person) return null
    const copy = newestDraft(data.person, subjectOf(data.blind ? "own" : "", item.id), data.scratch)
    if (!copy) return null
    const same =
      copy.question === item.question &&
      copy.answer === (item.answers[0] ?? "") &&
      JSON.stringify(copy.evidence) === JSON.stringify(item.evidence) &&
      (!copy.label_answers || this.desk.questions.isSame(copy.label_answers))
    return same ? null : copy
  }

  /** Put text that was typed before into the boxes again. @param {import("../lib/drafts.js").Draft} copy */
  bringBack(copy) {
    const { desk } = this
    this.fill("question", copy.question, copy.question !== desk.item.question)
    this.fill("answer", copy.answer, copy.answer !== (desk.item.answers[0] ?? ""))
    desk.evidence = copy.evidence
    if (copy.label_answers) desk.questions.open(copy.label_answers)
    desk.after()
    if (copy.revision !== desk.item.revision && !(desk.data.blind || desk.data.alone)) {
      desk.base = copy.revision
      desk.deciding.conflict(
        desk.item,
        `You wrote on revision ${copy.revision}; the item is at revision ${desk.item.revision} now. Nothing of yours is lost.`,
      )
      return
    }
    this.offerStored(`Your unsaved text of ${clock(copy.at, false)} is back.`)
    if (copy.local) desk.keeper.typed()
  }

  /**
   * Put the text of this person's own opinion into the boxes where it differs from the draft's.
   * @param {Pick<Opinion, "question" | "answers" | "evidence" | "labels">} opinion
   */
  ownWords({ question, answers, evidence, labels }) {
    const { desk } = this
    const answer = answers[0] ?? ""
    const same = question === desk.item.question && answer === (desk.item.answers[0] ?? "")
    if (
      same &&
      JSON.stringify(evidence) === JSON.stringify(desk.item.evidence) &&
      !desk.labels.differences(desk.item, { labels }).length
    )
      return
    this.fill("question", question, question !== desk.item.question)
    this.fill("answer", answer, answer !== (desk.item.answers[0] ?? ""))
    desk.labels.open(labels)
    desk.evidence = evidence
    desk.after()
    this.offerStored("The text of your opinion is in the boxes.")
  }

  /** Show a notice which says whose text is in the boxes, with a button that restores the stored text. @param {string} words */
  offerStored(words) {
    const { desk } = this
    const place = desk.find("back")
    const put = button("plain", "Put back the stored text")
    put.onclick = () => {
      this.restart(desk.item)
      desk.claims.asStored()
      desk.labels.open()
      desk.questions.open()
      place.hidden = true
      desk.touched()
    }
    place.replaceChildren(el("span", "", words), put)
    place.hidden = false
  }

  /** Replace the text in the boxes by what was typed in another tab. @param {OtherWords} typed */
  takeTyped({ question, answers, evidence, label_answers }) {
    this.fill("question", question, true)
    this.fill("answer", answers[0], true)
    this.desk.evidence = evidence ?? []
    if (label_answers) this.desk.questions.open(label_answers)
    this.desk.claims.asStored()
    this.desk.touched()
  }

  /** Restore the item's first text, by a model or a person, in place of all later changes. */
  putMachineBack() {
    const { machine } = this.desk.data
    if (!this.desk.mayEdit || !machine) return
    this.fill("question", machine.question, true)
    this.fill("answer", machine.answers?.[0] ?? "", true)
    this.desk.claims.asStored()
    this.desk.touched()
  }
}
