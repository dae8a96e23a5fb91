// A text box of the desk besides the draft, for a comment or for the reason of a decision. It keeps text that was typed and not
// sent.

import { DraftKeeper, newestDraft, subjectOf } from "../lib/drafts.js"
import { hideOtherWords, showOtherWords } from "../lib/other_words.js"

export class SideBox {
  /**
   * @param {import("./desk.js").Desk} desk
   * @param {string} on
   * @param {HTMLTextAreaElement} box
   * @param {HTMLElement} told the element that says whether the text was saved
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

  /**
   * Show the text that was typed for this item earlier; `kept` is the copy that the server stored.
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
