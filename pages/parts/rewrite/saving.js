// From a press to a stored rewrite: one request that is repeated until it is answered, and nothing is pressed again before the
// next question is on the screen. The same words sent twice are one rewrite, so that a repeat does no harm.

const SETTLE = 150
const ECHO = 3_000
let pressed = Date.now()

class Saving {
  constructor(sheet) {
    this.sheet = sheet
    this.busy = false
    this.going = null
    this.shownAt = Infinity
  }

  appeared() {
    this.shownAt = performance.now()
    setTimeout(() => this.sheet.buttons(), SETTLE + 10)
  }

  get free() {
    return !this.busy && !this.going && performance.now() - this.shownAt >= SETTLE
  }

  /** Tell Streamlit where to go; told again until its answer has come, under the same number. */
  go(to, item) {
    const n = pressed = Math.max(pressed + 1, Date.now())
    this.going = { n }
    const tell = () => {
      if (this.going?.n !== n || this.sheet.gone) return
      this.sheet.setTriggerValue("went", { to, item, n })
      setTimeout(tell, ECHO)
    }
    tell()
    this.sheet.buttons()
  }

  answered(n) {
    if (this.going && n >= this.going.n) this.going = null
  }

  async save() {
    const { sheet } = this
    if (!this.free || !sheet.mayWrite) return
    if (!sheet.box.value.trim()) return sheet.say("The box is empty: write the question in your own words, or go on with n.")
    const reason = sheet.find("keep-it").checked ? sheet.find("reason").value.trim() : ""
    if (!sheet.find("near").hidden && sheet.find("keep-it").checked && !reason) return sheet.say("Say why it is kept.")
    this.busy = true
    sheet.say("")
    sheet.buttons()
    await sheet.keeper.hold()
    const body = {
      person: sheet.data.person, item: sheet.item.id, revision: sheet.item.revision, text: sheet.box.value, reason,
      seconds: sheet.time.seconds, tab: TAB,
    }
    sheet.saved("storing")
    const answer = await persist("/bench/rewrite", body, why => sheet.saved(`not stored yet: ${why}, trying again`, true))
    this.busy = false
    if (answer.status === 200 && answer.body.ok) {
      forget(body.person, `rewrite:${body.item}`)
      sheet.keeper.done()
      sheet.receipt = `stored ${clock(Date.now())}`
      sheet.saved(sheet.receipt)
      this.go("saved", body.item)
      return
    }
    sheet.keeper.release()
    sheet.saved("")
    if (answer.body.kind === "near") sheet.near(answer.body.message)
    else sheet.say(answer.body.message ?? `Nothing was stored: the server answered ${answer.status}.`)
    if (answer.body.kind === "changed") this.go("changed", body.item)
    sheet.buttons()
  }

  /** Next or back: what was typed goes to the store first, for a moment at most; a copy stays here until it is there. */
  async leave(to) {
    const { sheet } = this
    if (!this.free || (to === "back" && !sheet.data.has_back)) return
    this.busy = true
    sheet.buttons()
    await Promise.race([sheet.keeper.flush(), new Promise(go => setTimeout(go, 1500))])
    this.busy = false
    this.go(to, sheet.item.id)
  }
}
