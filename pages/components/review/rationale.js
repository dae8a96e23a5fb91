// The text box for the reason of a decision between opinions. It keeps typed text, which is submitted with the decision.

import { DraftKeeper, newestDraft, subjectOf } from "../lib/drafts.js"
import { hideOtherWords, showOtherWords } from "../lib/other_words.js"

export class Rationale {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk
    this.on = "why"
    this.box = desk.find("because", HTMLTextAreaElement)
    this.keeper = new DraftKeeper(this)
    this.box.oninput = () => this.keeper.typed()
    this.box.onblur = () => this.keeper.flush()
  }

  // The values that the keeper of unsent text (`DraftKeeper`) needs.
  get item() {
    return this.desk.item
  }
  get data() {
    return this.desk.data
  }
  get gone() {
    return this.desk.gone
  }
  get base() {
    return this.desk.item.revision
  }
  get time() {
    return this.desk.time
  }
  get words() {
    return { question: this.box.value, answer: "" }
  }

  /** Open another item, with the text that was typed for it before. */
  open() {
    const { person, opinions } = this.data
    const copy = newestDraft(person, subjectOf(this.on, this.item.id), opinions?.why)
    this.keeper.knows(opinions?.why?.saved_at)
    hideOtherWords(this)
    this.box.value = copy?.question ?? ""
    this.saved("")
    if (copy?.local) this.keeper.typed()
  }

  /**
   * @param {OtherWords} theirs
   * @param {string} message
   */
  elsewhere(theirs, message) {
    showOtherWords(this, theirs, message)
  }

  /** @param {string} words */
  saved(words, trouble = false) {
    const place = this.desk.find("because-saved")
    place.textContent = words
    place.classList.toggle("trouble", trouble)
  }
}
