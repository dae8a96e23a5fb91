// Sends a decision or judgement to the server with one request under one key, which is repeated until the server answers.

import { forget, TAB } from "../lib/drafts.js"
import { Navigation } from "../lib/navigation.js"
import { freshKey, persist } from "../lib/requests.js"
import { clock } from "../lib/text.js"

/** @extends {Navigation<import("./variant.js").VariantSheet>} */
export class VariantDecisions extends Navigation {
  /**
   * Send the decision to accept or discard, or the two answers on a variant of a sample.
   * @param {string} path
   * @param {object} more
   */
  async send(path, more) {
    const { sheet } = this
    if (!this.free || !sheet.mayDecide) return
    this.busy = true
    sheet.say("")
    sheet.buttons()
    await sheet.keeper.hold()
    const body = {
      key: this.key,
      person: sheet.data.person,
      item: sheet.item.id,
      applied: sheet.answers.applied,
      kept: sheet.answers.kept,
      comment: sheet.remark.value,
      seconds: sheet.time.seconds,
      tab: TAB,
      onward: this.steps.onward,
      ...more,
    }
    sheet.saved("storing")
    const answer = await persist(path, body, why => sheet.saved(`not stored yet: ${why}, trying again`, true))
    this.busy = false
    if (answer.status === 200 && answer.body.ok) {
      forget(body.person, `variant:${body.item}`)
      sheet.keeper.done()
      sheet.dropAnswers()
      sheet.receipt = `stored ${clock(Date.now())}`
      this.steps.goOn("saved", body.item, answer.body.desk)
      return
    }
    sheet.keeper.release()
    sheet.saved("")
    if (answer.status === 409 && answer.body.taken_by) return this.passOn(answer.body.taken_by)
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
}
