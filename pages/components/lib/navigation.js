// Handles button presses that open another entry: the sheet opens the entry by itself, or repeats the request to Streamlit
// until Streamlit answers. No further press counts before the next entry has been on the screen for a moment.

import { ItemSteps } from "./item_steps.js"
import { freshKey, waitAtMost } from "./requests.js"

const SETTLE_MS = 150
const ECHO_MS = 3_000
const FLUSH_MS = 1_500
let pressed = Date.now()

/** Return whether Streamlit is running a script for this page. */
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
 * Sends the button presses of a sheet that open another entry, each once.
 * @template {NavigatedSheet} Sheet
 */
export class Navigation {
  busy = false
  /** @type {{ to: string, item: string, n: number } | null} */
  going = null
  lastAnswered = 0
  shownAt = Infinity
  /** Key of the next press. */
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

  /** Note that the buttons are drawn: once they have been visible for a moment, a press counts, under a new key. */
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

  /** Make a new key, so that the next button press counts as another press. */
  renewKey() {
    this.key = freshKey()
    return this.key
  }

  get free() {
    return !this.busy && !this.going && performance.now() - this.shownAt >= SETTLE_MS
  }

  /** Note the entry that a press leads to; no other press counts until it is open. @param {string} to @param {string} item */
  lock(to, item) {
    pressed = Math.max(pressed + 1, Date.now())
    this.going = { to, item, n: pressed }
    this.sheet.buttons()
    return this.going
  }

  /** Let the page open the entry that a button press leads to. @param {string} to @param {string} item */
  go(to, item) {
    if (this.steps.isOn) this.steps.go(to, item)
    else this.ask(to, item)
  }

  /**
   * Ask Streamlit to open an entry, and accept no further press until it has answered.
   * @param {string} to @param {string} item
   */
  ask(to, item) {
    const { n } = this.lock(to, item)
    this.repeat({ to, item, n }, () => this.going?.n !== n)
  }

  /**
   * Tell Streamlit which item is on the screen while a person works on it; return the number of the request.
   * @param {string} to @param {string} item
   */
  tell(to, item) {
    pressed = Math.max(pressed + 1, Date.now())
    const n = pressed
    this.repeat({ to, item, n }, () => this.lastAnswered >= n)
    return n
  }

  /**
   * Repeat a request to Streamlit, under the same number, until it is answered.
   * @param {{ to: string, item: string, n: number }} went
   * @param {() => boolean} isAnswered
   * @private
   */
  repeat(went, isAnswered) {
    // the pause grows each time, so that a slow server can finish
    const tell = (/** @type {number} */ wait) => {
      this.sheet.setTriggerValue("went", went)
      setTimeout(again, wait, wait * 2)
    }
    // a request during a run of the page's script would end that run and begin another one with the old URL
    const again = (/** @type {number} */ wait) => {
      if (isAnswered() || this.sheet.gone) return
      if (isAtWork()) setTimeout(again, ECHO_MS, wait)
      else tell(wait)
    }
    tell(ECHO_MS)
  }

  /** Note the number of the last request that Python has answered. @param {number} n */
  answered(n) {
    this.lastAnswered = Math.max(this.lastAnswered, n)
    if (this.going && n >= this.going.n) this.going = null
  }

  /** Return whether there is another entry in the given direction. @param {"next" | "back"} to */
  leads(to) {
    return to !== "back" || Boolean(this.sheet.data.has_back) || this.hasPassed
  }

  /** Whether the sheet has shown another entry before, to which it can go back by itself. */
  get hasPassed() {
    return this.steps.isOn && this.steps.before !== undefined
  }

  /**
   * Take the data of a run of the page's script. Return whether the sheet should draw the data; it should not if the sheet has
   * opened another entry since then.
   * @param {import("./item_steps.js").SteppedData} data
   */
  receive(data) {
    this.answered(data.went ?? 0)
    return !this.steps.isPast(data)
  }

  /**
   * Send the typed text to the server, and wait for a short time; this browser keeps a copy until the server has stored the
   * text.
   */
  flushed() {
    return waitAtMost(this.sheet.keeper.flush(), FLUSH_MS)
  }

  /**
   * Store the text typed on this entry, and open the next entry with a notice, because somebody else took over this entry or
   * decided on it.
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
