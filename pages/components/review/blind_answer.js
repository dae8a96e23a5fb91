// Shows an item whose drafted answer is hidden. The server sends the drafted answer only after the person has stored an own
// answer, which then stands beside the drafted one; or, of an item that is answered without its draft, after the decision.

import { find, relabel, write } from "../lib/dom.js"
import { forget } from "../lib/drafts.js"
import { persist } from "../lib/requests.js"
import { clock } from "../lib/text.js"

export class BlindAnswer {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk
    this.notice = find(desk.root, ".blind-notice")
    this.mine = find(desk.root, ".own-answer")
    find(this.mine, ".use-own").onclick = () => this.use()
  }

  /** Draw the review desk in the form that it has before, or after, the drafted answer is shown. */
  draw() {
    const { data, root } = this.desk
    const [blind, alone] = [Boolean(data.blind), Boolean(data.alone)]
    root.classList.toggle("blind", blind)
    root.classList.toggle("alone", alone)
    this.notice.hidden = !blind
    find(root, ".alone-notice").hidden = !alone
    relabel(find(root, ".answer-label"), blind || alone ? "Your own answer" : undefined)
    relabel(find(root, ".accept"), blind ? "Show the draft" : undefined)
    this.mine.hidden = blind || !data.own_answer
    if (blind || !data.own_answer) return
    const words = find(this.mine, ".own-words")
    words.replaceChildren()
    write(words, data.own_answer.text)
    find(this.mine, ".use-own", HTMLButtonElement).disabled = !this.desk.mayEdit
  }

  use() {
    const { desk } = this
    if (!desk.mayEdit || !desk.data.own_answer) return
    desk.setAnswer(desk.data.own_answer.text)
  }

  /** Store the person's own answer; the response contains the draft's answer. */
  async reveal() {
    const { desk } = this
    const { deciding, keeper } = desk
    if (!deciding.mayDecide) return
    const text = desk.words.answer
    if (!text.trim()) {
      desk.say("Write your own answer first; the draft's is shown after that.")
      return desk.enter("answer")
    }
    deciding.busy = true
    desk.say("")
    desk.buttons()
    await keeper.hold()
    const { person } = desk.data
    const item = desk.item.id
    desk.saved("storing your answer")
    const body = { person, item, answer: text, seconds: desk.time.seconds }
    const answer = await persist("/bench/own", body, why => desk.saved(`not stored yet: ${why}, trying again`, true))
    deciding.busy = false
    if (desk.item.id !== item) return
    if (answer.status !== 200) {
      keeper.release()
      desk.saved("")
      desk.say(answer.body.message ?? `Your answer was not stored: the server answered ${answer.status}.`)
      return desk.buttons()
    }
    keeper.done()
    forget(person, `own:${item}`)
    desk.keepVisit()
    const { position, note, bar, visit } = desk.data // the response describes the step to the item, not the item itself
    desk.data = { ...desk.data, blind: false, ...answer.body.desk, position, note, bar, visit }
    desk.open(desk.data.item)
    desk.saved(`your answer stored ${clock(Date.now())}`)
  }
}
