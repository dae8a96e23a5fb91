// Where a press leads: the sheet goes there by itself, or tells Streamlit until it is answered; and nothing is pressed again before
// the next sheet has been on the screen for a moment.

import { ItemSteps } from "./item_steps.js"
import { freshKey, waitAtMost } from "./requests.js"

const SETTLE_MS = 150
const ECHO_MS = 3_000
const FLUSH_MS = 1_500
let pressed = Date.now()

/** Whether Streamlit runs a script for this page. */
const isAtWork = () => {
  /** @type {HTMLElement | null} */
  const app = document.querySelector('[data-testid="stApp"]')
  return app?.dataset.testScriptState === "running"
}

/**
 * @typedef {object} Navigated
 * @property {{ person: string, has_back?: boolean }} data
 * @property {{ flush(): Promise<void> }} keeper what is typed
 * @property {boolean} [hasOwnWords] whether there is anything typed
 * @property {import("./lost_entry.js").LostEntry | null} [lost] the entry before, which somebody else took over
 * @property {(words: string) => void} say
 * @typedef {import("./item_steps.js").SteppedSheet & Navigated} NavigatedSheet
 */

/**
 * The presses of a sheet that lead away from it.
 * @template {NavigatedSheet} Sheet
 */
export class Navigation {
  busy = false
  /** @type {{ to: string, item: string, n: number } | null} */
  going = null
  lastAnswered = 0
  shownAt = Infinity
  /** Of the press that comes next. */
  key = ""

  /**
   * @param {Sheet} sheet
   * @param {import("./item_steps.js").StepPlace} place
   */
  constructor(sheet, place) {
    /** @protected */
    this.sheet = sheet
    this.steps = new ItemSteps(sheet, this, place)
  }

  /** What there is to press on is drawn: from when it has been visible for a moment, it takes presses, under a key of its own. */
  appeared() {
    const key = this.renewKey()
    this.shownAt = Infinity
    const start = () => {
      if (this.key !== key) return
      this.shownAt = performance.now()
      this.sheet.buttons()
      setTimeout(() => this.sheet.buttons(), SETTLE_MS + 10)
    }
    const begin = () => requestAnimationFrame(() => requestAnimationFrame(start))
    if (document.visibilityState === "visible") begin()
    else document.addEventListener("visibilitychange", begin, { once: true })
  }

  /** What is pressed from now on is another press. */
  renewKey() {
    this.key = freshKey()
    return this.key
  }

  get free() {
    return !this.busy && !this.going && performance.now() - this.shownAt >= SETTLE_MS
  }

  /** Where a press leads; nothing else is pressed until it is there. @param {string} to @param {string} item */
  lock(to, item) {
    pressed = Math.max(pressed + 1, Date.now())
    this.going = { to, item, n: pressed }
    this.sheet.buttons()
    return this.going
  }

  /** Go where a press leads. @param {string} to @param {string} item */
  go(to, item) {
    if (this.steps.isOn) this.steps.go(to, item)
    else this.ask(to, item)
  }

  /** Tell Streamlit where to go, and press nothing before it has. @param {string} to @param {string} item */
  ask(to, item) {
    const { n } = this.lock(to, item)
    this.repeat({ to, item, n }, () => this.going?.n !== n)
  }

  /** Tell Streamlit which item is on the screen, while it is worked on; returns the number. @param {string} to @param {string} item */
  tell(to, item) {
    pressed = Math.max(pressed + 1, Date.now())
    const n = pressed
    this.repeat({ to, item, n }, () => this.lastAnswered >= n)
    return n
  }

  /**
   * Tell Streamlit until its answer has come, under the same number.
   * @param {{ to: string, item: string, n: number }} went
   * @param {() => boolean} isAnswered
   * @private
   */
  repeat(went, isAnswered) {
    // each time later, so that a slow server comes to an end
    const tell = (/** @type {number} */ wait) => {
      this.sheet.setTriggerValue("went", went)
      setTimeout(again, wait, wait * 2)
    }
    // told while a script is on its way, it would end that one, and begin under the old address
    const again = (/** @type {number} */ wait) => {
      if (isAnswered() || this.sheet.gone) return
      if (isAtWork()) setTimeout(again, ECHO_MS, wait)
      else tell(wait)
    }
    tell(ECHO_MS)
  }

  /** The number of the last press that Python has answered. @param {number} n */
  answered(n) {
    this.lastAnswered = Math.max(this.lastAnswered, n)
    if (this.going && n >= this.going.n) this.going = null
  }

  /** Whether there is something that way. @param {"next" | "back"} to */
  leads(to) {
    return to !== "back" || Boolean(this.sheet.data.has_back) || this.hasPassed
  }

  /** Whether the sheet has shown another entry before, to which it goes back by itself. */
  get hasPassed() {
    return this.steps.isOn && this.steps.before !== undefined
  }

  /**
   * A run of the script drew this; whether the sheet draws it too, because it has not gone on since.
   * @param {import("./item_steps.js").SteppedData} data
   */
  receive(data) {
    this.answered(data.went ?? 0)
    return !this.steps.isPast(data)
  }

  /** What was typed goes to the store, for a moment at most; a copy stays here until it is there. */
  flushed() {
    return waitAtMost(this.sheet.keeper.flush(), FLUSH_MS)
  }

  /**
   * Somebody else took this entry over, or decided on it: what is typed on it is kept, and the sheet goes on to the next and says so.
   * @param {string} by
   */
  async passOn(by) {
    const { sheet } = this
    this.busy = true
    sheet.say("")
    sheet.saved("")
    sheet.buttons()
    const lost = { by, hasWords: Boolean(sheet.hasOwnWords) }
    await this.flushed()
    this.busy = false
    sheet.lost = lost
    this.go("taken", sheet.item.id)
  }

  /** @param {"next" | "back"} to */
  async leave(to) {
    const { sheet } = this
    if (!this.free || !this.leads(to)) return
    this.busy = true
    sheet.buttons()
    await this.flushed()
    this.busy = false
    this.go(to, sheet.item.id)
  }
}
