// During qualification, the desk shows after each decision the injected error, the person's decision and the expected decision,
// before it opens the next item.

import { button, el, find, findAll, foreign, write } from "../lib/dom.js"

export class FeedbackNotice {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk
    this.place = find(desk.root, ".feedback")
  }

  get isOpen() {
    return !this.place.hidden
  }

  /**
   * Show what the server says about the decision on this item; null outside of qualification, and before the decision.
   * @param {QualificationFeedback | null} found
   */
  show(found) {
    this.place.hidden = !found
    this.desk.root.classList.toggle("told", Boolean(found))
    if (!found) return
    this.place.classList.toggle("right", found.is_right)
    const next = button("button primary onward", "Go on ")
    next.disabled = true
    next.append(el("kbd", "", "Enter"))
    next.onclick = () => this.next()
    const row = el("div", "row")
    row.append(next, el("span", "grow"), el("span", "faint", this.count(found)))
    this.place.replaceChildren(
      el("p", "verdict-line", found.is_right ? "Right." : "This decision is not the expected one."),
      ...this.lines(found),
      row,
    )
    this.desk.fit.bring(this.place)
    this.mayGoOn(this.desk.deciding.free)
  }

  /**
   * Set whether the button leads to the next item; once it does, it changes its label and takes the focus. @param {boolean} may
   */
  mayGoOn(may) {
    const [onward] = findAll(this.place, ".onward", HTMLButtonElement)
    if (!this.isOpen || onward.disabled === !may) return
    onward.disabled = !may
    if (may) onward.focus({ preventScroll: true })
  }

  /** @param {QualificationFeedback} feedback */
  lines({ flaw, where, why, gone, put, did, expected }) {
    const line = (/** @type {string} */ name, /** @type {Node[]} */ ...nodes) => {
      const node = el("p", "told-line")
      node.append(el("span", "faint", name), ...nodes)
      return node
    }
    const rows = [
      line("Injected error", el("span", "", where ? `${flaw}, in the ${where}` : flaw)),
      line("What was changed", foreign("span", "", why)),
    ]
    if (gone || put) {
      const words = el("span", "diff-line foreign")
      words.dir = "auto"
      if (gone) words.append(write(el("del"), gone), " ")
      if (put) words.append(write(el("ins"), put))
      rows.push(line("Words", words))
    }
    return [...rows, line("You", foreign("span", "", did)), line("Expected", el("span", "", expected))]
  }

  /** @param {QualificationFeedback} feedback */
  count({ done, n, right, passing }) {
    if (done < n) return `${done} of ${n} done, ${right} right, ${passing} needed to pass`
    return right >= passing
      ? `Qualification passed: ${right} of ${n} right`
      : `${right} of ${n} right, ${passing} needed: another round follows`
  }

  next() {
    if (this.desk.deciding.free) this.desk.deciding.go("decided", this.desk.item.id)
  }
}
