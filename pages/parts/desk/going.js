// Where a press leads: told to Streamlit until it is answered; and nothing is pressed again before the next sheet has been on the
// screen for a moment.

const SETTLE = 150
const ECHO = 3_000
let pressed = Date.now()

/** Whether Streamlit runs a script for this page. */
const isAtWork = () => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "running"

/** Of a sheet with `data`, `item`, `keeper` (what is typed) and buttons(); `gone` once it has left the page. */
class Going {
  constructor(sheet) {
    this.sheet = sheet
    this.busy = false
    this.going = null
    this.shownAt = Infinity
    this.key = ""
  }

  /** What there is to press on is drawn: from when it has been visible for a moment, it takes presses, under a key of its own. */
  appeared() {
    const key = this.key = freshKey()
    this.shownAt = Infinity
    const begin = () => requestAnimationFrame(() => requestAnimationFrame(() => {
      if (this.key !== key) return
      this.shownAt = performance.now()
      this.sheet.buttons()
      setTimeout(() => this.sheet.buttons(), SETTLE + 10)
    }))
    if (document.visibilityState === "visible") begin()
    else document.addEventListener("visibilitychange", begin, { once: true })
  }

  get free() {
    return !this.busy && !this.going && performance.now() - this.shownAt >= SETTLE
  }

  /** Tell Streamlit where to go; told again until its answer has come, under the same number. */
  go(to, item) {
    const n = pressed = Math.max(pressed + 1, Date.now())
    this.going = { to, item, n }
    const tell = wait => {  // each time later, so that a slow server comes to an end
      this.sheet.setTriggerValue("went", { to, item, n })
      setTimeout(again, wait, wait * 2)
    }
    const again = wait => {  // told while a script is on its way, it would end that one, and begin under the old address
      if (this.going?.n !== n || this.sheet.gone) return
      if (isAtWork()) setTimeout(again, ECHO, wait)
      else tell(wait)
    }
    tell(ECHO)
    this.sheet.buttons()
  }

  /** The number of the last press that Python has answered. */
  answered(n) {
    if (this.going && n >= this.going.n) this.going = null
  }

  /** Whether there is something that way: next or back. */
  leads(to) {
    return to !== "back" || this.sheet.data.has_back
  }

  /** Next or back: what was typed goes to the store first, for a moment at most; a copy stays here until it is there. */
  async leave(to) {
    const { sheet } = this
    if (!this.free || !this.leads(to)) return
    this.busy = true
    sheet.buttons()
    await Promise.race([sheet.keeper.flush(), new Promise(go => setTimeout(go, 1500))])
    this.busy = false
    this.go(to, sheet.item.id)
  }
}
