// Shows the text in a box beside the text that the same person typed for this box in another tab; the person chooses one of the
// two.

import { button, el, foreign } from "./dom.js"

/** @typedef {{ box: HTMLTextAreaElement, line?: HTMLElement, keeper: import("./drafts.js").DraftKeeper }} BoxOwner `line`: what the box stands in where it shares one */

/** @param {BoxOwner} owner */
const lineOf = owner => owner.line ?? owner.box

/**
 * Show the person's words and the other words side by side; `taken` is called when the other words were put into the box.
 * @param {BoxOwner} owner
 * @param {OtherWords} theirs
 * @param {string} message
 */
export const showOtherWords = (owner, theirs, message, taken = () => {}) => {
  hideOtherWords(owner)
  const place = el("div", "notice other-words")
  place.setAttribute("role", "alert")
  const [mine, take] = [button("button keep-mine", "Keep mine"), button("button take-theirs", "Take the other")]
  const row = el("div", "row")
  row.append(mine, take)
  place.append(el("p", "", message), el("span", "label", "The other tab's text"), foreign("p", "theirs", theirs.question), row)
  const choose = (/** @type {string} */ words) => {
    owner.keeper.knows(theirs.saved_at)
    place.remove()
    owner.box.value = words
    owner.keeper.typed()
    owner.keeper.flush()
  }
  mine.onclick = () => choose(owner.box.value)
  take.onclick = () => {
    choose(theirs.question)
    taken()
  }
  lineOf(owner).after(place)
}

/** Hide the other words, because another item is open or the words were sent. @param {BoxOwner} owner */
export const hideOtherWords = owner => lineOf(owner).parentElement?.querySelector(":scope > .other-words")?.remove()
