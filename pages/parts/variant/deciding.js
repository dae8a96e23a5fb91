// From a press to a stored decision or word: one request under one key that is repeated until it is answered, and nothing is
// pressed again before the next variant is on the screen.

const SETTLE = 150
const ECHO = 3_000
let pressed = Date.now()

class Deciding {
  constructor(sheet) {
    this.sheet = sheet
    this.busy = false
    this.going = null
    this.key = ""
    this.shownAt = Infinity
  }

  appeared() {
    this.key = freshKey()
    this.shownAt = performance.now()
    setTimeout(() => this.sheet.buttons(), SETTLE + 10)
  }

  get free() { return !this.busy && !this.going && performance.now() - this.shownAt >= SETTLE }

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

  answered(n) { if (this.going && n >= this.going.n) this.going = null }

  /** Accept or discard, or the two answers on a variant of a sample. */
  async send(path, more) {
    const { sheet } = this
    if (!this.free || !sheet.mayDecide) return
    this.busy = true
    sheet.say("")
    sheet.buttons()
    await sheet.keeper.hold()
    const body = {
      key: this.key, person: sheet.data.person, item: sheet.item.id, applied: sheet.answers.applied, kept: sheet.answers.kept,
      comment: sheet.find("remark").value, seconds: sheet.time.seconds, tab: TAB, ...more,
    }
    sheet.saved("storing")
    const answer = await persist(path, body, why => sheet.saved(`not stored yet: ${why}, trying again`, true))
    this.busy = false
    if (answer.status === 200 && answer.body.ok) {
      forget(body.person, `variant:${body.item}`)
      sheet.keeper.done()
      sheet.dropAnswers()
      sheet.receipt = `stored ${clock(Date.now())}`
      this.go("saved", body.item)
      return
    }
    sheet.keeper.release()
    sheet.saved("")
    sheet.say(answer.body.message ?? `Nothing was stored: the server answered ${answer.status}.`)
    if (answer.body.kind === "changed") this.go("changed", body.item)
    sheet.buttons()
  }

  async undo() {
    const { sheet } = this
    if (!this.free || !sheet.data.has_undo || !sheet.data.person) return
    this.busy = true
    sheet.buttons()
    const { person, sample } = sheet.data
    const body = { person, key: freshKey(), sample: sample ?? "" }
    const answer = await persist("/bench/variant/undo", body, why => sheet.saved(`not undone yet: ${why}, trying again`, true))
    this.busy = false
    if (answer.status === 200) {
      sheet.receipt = "taken back"
      return this.go("undone", answer.body.item)
    }
    sheet.say(answer.body.message ?? `Nothing was undone: the server answered ${answer.status}.`)
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
