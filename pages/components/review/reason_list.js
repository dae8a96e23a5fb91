// The list of reasons for discarding or skipping an item, with a line for another reason: digits choose a reason, Enter
// discards or skips, Esc closes the list.

import { button, el, findAll, focused } from "../lib/dom.js"

/** @typedef {"discard" | "skip"} Ending */

const ENDINGS = {
  discard: { asks: "Why is it discarded", does: "Discard", back: "Keep" },
  skip: { asks: "Why do you skip it", does: "Skip", back: "Stay" },
}

export class ReasonList {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk
    this.place = desk.find("discard")
    desk.find("discard-open").onclick = () => (this.isOpen ? this.close() : this.open("discard"))
    desk.find("skip-open").onclick = () => (this.isOpen ? this.close() : this.open("skip"))
    desk.find("confirm").onclick = () => this.confirm()
    desk.find("cancel").onclick = () => this.close()
  }

  /** @type {Ending} */
  ending = "discard"
  reason = ""

  get isOpen() {
    return !this.place.hidden
  }

  get reasons() {
    return (this.ending === "skip" ? this.desk.data.skip_reasons : this.desk.data.reasons) ?? []
  }

  /**
   * Whether the item can be skipped: it must wait for a review on a desk without opinions, and there must be reasons to choose
   * from.
   */
  get maySkip() {
    const { data, seen, opinions } = this.desk
    return Boolean(data.skip_reasons?.length) && seen === "drafted" && !opinions.isOn
  }

  /** @param {Ending} ending */
  open(ending) {
    const { desk } = this
    if (!desk.deciding.mayDecide || (ending === "skip" && !this.maySkip)) return
    this.ending = ending
    this.reason = ""
    const { asks, does, back } = ENDINGS[ending]
    desk.find("discard .label").textContent = asks
    desk.find("discard-does").textContent = does.toLowerCase()
    desk.find("confirm").textContent = does
    desk.find("confirm").classList.toggle("danger", ending === "discard")
    desk.find("cancel").textContent = back
    desk.say("")
    desk.find("comment", HTMLInputElement).value = ""
    desk.find("reasons").replaceChildren(
      ...this.reasons.map((words, n) => {
        const choice = button("small reason")
        choice.setAttribute("role", "radio")
        choice.setAttribute("aria-checked", "false")
        if (n < 9) choice.append(el("kbd", "", String(n + 1)), " ")
        choice.append(words)
        choice.onclick = () => this.choose(n)
        return choice
      }),
    )
    this.place.hidden = false
    this.place.focus({ preventScroll: true })
    if (ending === "discard") desk.opinions.chooseReason()
  }

  /** @param {number} n */
  choose(n) {
    const reason = this.reasons[n]
    if (reason === undefined) return
    this.reason = reason
    findAll(this.desk.root, ".reasons .reason").forEach((choice, other) =>
      choice.setAttribute("aria-checked", String(other === n)),
    )
    this.place.focus({ preventScroll: true })
  }

  confirm() {
    const comment = this.desk.find("comment", HTMLInputElement).value.trim()
    if (!this.reason && !comment) return this.desk.say("Choose a reason, or write one.")
    if (this.ending === "skip") this.desk.deciding.skip([this.reason, comment].filter(Boolean).join(": "))
    else this.desk.deciding.decide("discard", this.reason ? { reason: this.reason, comment } : { reason: comment })
  }

  close(refocus = true) {
    const open = this.isOpen
    this.place.hidden = true
    if (open && refocus) focused(this.desk.root)?.blur()
  }
}
