// Sends a rewrite to the server with one request, which is repeated until the server answers. The same text sent twice makes
// one rewrite, so that repeating is safe.

import { forget, TAB } from "../lib/drafts.js"
import { Navigation } from "../lib/navigation.js"
import { persist } from "../lib/requests.js"
import { clock } from "../lib/text.js"

/** @extends {Navigation<import("./rewrite.js").RewriteSheet>} */
export class RewriteSaving extends Navigation {
  async save() {
    const { sheet } = this
    if (!this.free || !sheet.mayWrite) return
    if (!sheet.box.value.trim()) return sheet.say("The box is empty: write the question in your own words, or go on with n.")
    const reason = sheet.find("keep-it", HTMLInputElement).checked ? sheet.find("reason", HTMLInputElement).value.trim() : ""
    if (!sheet.find("near").hidden && sheet.find("keep-it", HTMLInputElement).checked && !reason)
      return sheet.say("Say why you keep this rewrite.")
    this.busy = true
    sheet.say("")
    sheet.buttons()
    await sheet.keeper.hold()
    const body = {
      person: sheet.data.person,
      item: sheet.item.id,
      revision: sheet.item.revision,
      text: sheet.box.value,
      reason,
      seconds: sheet.time.seconds,
      tab: TAB,
      onward: this.steps.onward,
    }
    sheet.saved("storing")
    const answer = await persist("/bench/rewrite", body, why => sheet.saved(`not stored yet: ${why}, trying again`, true))
    this.busy = false
    if (answer.status === 200 && answer.body.ok) {
      forget(body.person, `rewrite:${body.item}`)
      sheet.keeper.done()
      sheet.receipt = `stored ${clock(Date.now())}`
      sheet.saved(sheet.receipt)
      this.steps.goOn("saved", body.item, answer.body.desk)
      return
    }
    sheet.keeper.release()
    sheet.saved("")
    if (answer.body.kind === "near") {
      sheet.near(answer.body.message)
      sheet.say("Not stored: change the words, or tick the box above and give the reason.")
    } else sheet.say(answer.body.message ?? `Nothing was stored: the server answered ${answer.status}.`)
    if (answer.body.kind === "changed") this.go("changed", body.item)
    sheet.buttons()
  }
}
