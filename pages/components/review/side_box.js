// A box beside the draft that loses nothing of what is typed: the comment, and why it is decided so between opinions.

import { DraftKeeper, newestDraft, subjectOf } from "../lib/drafts.js"
import { hideOtherWords, showOtherWords } from "../lib/other_words.js"

export class SideBox {
  /**
   * @param {import("./desk.js").Desk} desk
   * @param {string} on
   * @param {HTMLTextAreaElement} box
   * @param {HTMLElement} told where the box says what became of its words
   */
  constructor(desk, on, box, told) {
    this.desk = desk
    this.on = on
    this.box = box
    this.told = told
    this.keeper = new DraftKeeper(this)
    this.box.oninput = () => this.keeper.typed()
    this.box.onblur = () => this.keeper.flush()
  }

  // What a keeper asks of whose words it keeps.
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

  /**
   * Show what was typed for the item before; `kept` is what the server has of it.
   * @param {StoredDraft | null} [kept]
   */
  fill(kept) {
    const copy = newestDraft(this.data.person, subjectOf(this.on, this.item.id), kept)
    this.keeper.knows(kept?.saved_at)
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
    this.told.textContent = words
    this.told.classList.toggle("trouble", trouble)
  }
}
