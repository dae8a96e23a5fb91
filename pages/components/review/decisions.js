// Sends a decision to the server: each button press has one key and one request, which is repeated until the server answers. If
// somebody else changed the item, both texts are shown.

import { markedText, scrollToMarked } from "../lib/diff_view.js"
import { button, el, find } from "../lib/dom.js"
import { forget, TAB } from "../lib/drafts.js"
import { Navigation } from "../lib/navigation.js"
import { freshKey, persist } from "../lib/requests.js"
import { clock } from "../lib/text.js"

const HUGE = 50_000 // characters: nobody types a longer answer

/** @extends {Navigation<import("./desk.js").Desk>} */
export class Decisions extends Navigation {
  /** A very long answer that the person was asked to confirm. */
  asked = ""

  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    super(desk, { path: "/bench/next", name: "item" })
    this.desk = desk
    this.spent = ""
    /** @type {OtherWords | ReviewItem | null} */
    this.theirs = null
  }

  /** Id and revision of the item on the screen, which a decision is about. */
  get subject() {
    const { item } = this.desk
    return `${item.id}:${item.revision}`
  }

  get mayDecide() {
    const { desk } = this
    const others = this.theirs || desk.holding.other || desk.feedback.isOpen
    return this.free && desk.opinions.mayDecide && !others && Boolean(desk.data.person) && this.spent !== this.subject
  }

  /**
   * @param {string} decision
   * @param {{ reason?: string, comment?: string }} [why]
   */
  async decide(decision, { reason = "", comment = "" } = {}) {
    const { desk } = this
    if (decision === "accept" && desk.data.blind) return desk.blind.reveal()
    if (this.free && desk.holding.isLost) return this.passOn(desk.holding.other?.by ?? "")
    if (!this.mayDecide) return
    const subject = this.subject
    const words = desk.words
    if (decision === "accept" && !this.acceptable(words)) return
    this.busy = true
    desk.say("")
    desk.buttons()
    await Promise.all([desk.keeper.hold(), desk.opinions.hold()])
    const stored = desk.item
    const body = desk.opinions.withReason({
      key: this.key,
      person: desk.data.person,
      item: stored.id,
      revision: desk.base,
      status: desk.seen,
      decision,
      reason,
      comment,
      question: words.question,
      answer: words.answer,
      evidence: desk.evidence,
      claims: desk.claims.decided,
      labels: desk.labels.values,
      label_answers: desk.questions.values,
      seconds: desk.time.seconds,
      guideline: desk.card.guideline.version,
      tab: TAB,
      onward: this.steps.onward,
    })
    desk.saved("storing the decision")
    const answer = await persist(desk.opinions.address, body, why => desk.saved(`not stored yet: ${why}, trying again`, true))
    this.busy = false
    if (answer.status === 200 && answer.body.ok) {
      this.spent = subject
      this.renewKey() // text typed from now on is not part of the decision
      forget(body.person, body.item)
      desk.holding.forget()
      desk.paper.places.done()
      desk.keeper.done()
      desk.opinions.done(body)
      const left = decision === "accept" ? desk.claims.left : ""
      desk.receipt = [
        `${decision}ed`,
        answer.body.told,
        left,
        desk.comments.isTyped && "a comment is not sent",
        clock(Date.now()), // last, because the end of a long line is cut
      ]
        .filter(Boolean)
        .join(", ")
      desk.saved(desk.receipt)
      desk.discard.close()
      if (answer.body.feedback) {
        desk.feedback.show(answer.body.feedback)
        this.appeared() // a second press does not skip it
        desk.buttons()
        return
      }
      this.steps.goOn("decided", body.item, answer.body.desk)
      return
    }
    this.renewKey()
    desk.keeper.release()
    desk.opinions.release()
    desk.saved("")
    if (answer.status === 409 && answer.body.taken_by) return this.passOn(answer.body.taken_by)
    if (answer.status === 409 && answer.body.theirs)
      this.conflict(answer.body.theirs, answer.body.message, { decision, reason, comment })
    else desk.say(answer.body.message ?? `The decision was not stored: the server answered ${answer.status}.`)
    desk.buttons()
  }

  /** @param {{ question: string, answer: string }} words */
  acceptable({ question, answer }) {
    const { desk } = this
    const frame = desk.item.is_frame && answer.trim() === (desk.item.answers[0] ?? "").trim()
    if (!question.trim()) desk.say("There is no question: write one, or discard the item.")
    else if (frame) desk.say("This is a frame to fill: write the answer in your own words (w), then accept.")
    else if (!answer.trim()) desk.say("There is no answer: write one, or discard the item.")
    else if (desk.data.alone && !desk.evidence.length)
      desk.say(
        "There is no evidence yet: select the passage that proves your answer and press e, or type its sentence numbers (s).",
      )
    else if (desk.questions.missing >= 0) {
      const open = desk.questions.missing
      desk.questions.focus(open)
      desk.say(`This question is required, answer it first: ${desk.questions.rows[open].text}`)
    } else if (this.isHuge(answer))
      desk.say(
        `The answer has ${answer.length.toLocaleString("en")} characters: more than a pasted page. Accept again to store it all the same.`,
      )
    else return true
    return false // the focus moves to no text box, so that the next keys still act on the desk
  }

  /**
   * Return whether a typed or pasted answer is so long that the person has to confirm it; once asked, it is accepted.
   * @param {string} answer
   */
  isHuge(answer) {
    if (answer.length < HUGE || answer === (this.desk.item.answers[0] ?? "") || answer === this.asked) return false
    this.asked = answer
    return true
  }

  /**
   * Show two texts of one item, the person's own and the other one, of which the person chooses one. With `isScratch` nobody
   * submitted the other text: the same person typed it in another tab.
   * @param {OtherWords | ReviewItem} other
   * @param {string} [message]
   * @param {{ decision: string, reason: string, comment: string } | null} [again] the decision that they stand in the way of
   */
  conflict(other, message, again = null) {
    const theirs = /** @type {OtherWords} */ (other)
    const { desk } = this
    this.theirs = theirs
    const place = find(desk.root, ".conflict")
    const text = (/** @type {string} */ name, /** @type {string} */ mine, /** @type {string} */ other) => {
      const row = el("div", "versus")
      const [left, right] = [el("div"), el("div")]
      left.append(el("span", "label", `Your ${name}`), markedText("mine", other, mine))
      right.append(
        el("span", "label", `${theirs.isScratch ? "The other tab's" : "Their"} ${name}`),
        markedText("theirs", mine, other),
      )
      row.append(left, right)
      return row
    }
    const spans = theirs.evidence ?? []
    const same = JSON.stringify(spans) === JSON.stringify(desk.evidence)
    const mine = button("button keep-mine", again ? `Keep mine and ${again.decision}` : "Keep mine")
    const take = button("button take-theirs", theirs.isScratch ? "Take the other" : "Take theirs")
    mine.onclick = () => {
      if (theirs.isScratch) desk.keeper.knows(theirs.saved_at)
      else desk.base = theirs.revision
      desk.seen = theirs.status ?? desk.seen
      this.spent = ""
      this.hideConflict()
      desk.touched()
      if (again) this.decide(again.decision, again)
    }
    take.onclick = () => {
      this.hideConflict()
      if (!theirs.isScratch) return desk.take(theirs)
      desk.keeper.knows(theirs.saved_at)
      desk.boxes.takeTyped(theirs)
    }
    const row = el("div", "row")
    row.append(mine, take)
    place.replaceChildren(
      el(
        "p",
        "",
        message ||
          `${theirs.by || "Someone"} changed this item since you opened it: it is at revision ${theirs.revision} now. Nothing of yours is lost.`,
      ),
      text("question", desk.words.question, theirs.question),
      text("answer", desk.words.answer, theirs.answers?.[0] ?? ""),
      ...(same
        ? []
        : [el("p", "faint", `The evidence differs, too: ${desk.evidence.length} of yours, ${spans.length} of theirs.`)]),
      ...desk.labels
        .differences({ labels: desk.labels.values ?? {} }, theirs)
        .map(([title, , value]) => el("p", "faint", `${title}: theirs is ${value}.`)),
      ...(theirs.isScratch ? desk.questions.differences(desk.questions.values, theirs.label_answers) : []).map(
        ([title, mine, other]) => el("p", "faint", `${title} Yours: ${mine}. The other tab's: ${other}.`),
      ),
      row,
    )
    place.hidden = false
    scrollToMarked(place)
    desk.fit.bring(place)
    desk.buttons()
  }

  hideConflict() {
    this.theirs = null
    find(this.desk.root, ".conflict").hidden = true
    this.desk.buttons()
  }

  async undo() {
    const { desk } = this
    if (!this.free || !desk.data.position?.undo || !desk.data.person) return
    this.busy = true
    desk.say("")
    desk.buttons()
    await desk.keeper.hold()
    const body = { person: desk.data.person, key: freshKey(), item: desk.data.position.undo.item }
    desk.saved("taking the decision back")
    const answer = await persist("/bench/undo", body, why => desk.saved(`not taken back yet: ${why}, trying again`, true))
    this.busy = false
    desk.keeper.release()
    desk.saved("")
    if (answer.status === 200 && answer.body.ok) {
      this.spent = ""
      this.go("undone", answer.body.item)
    } else desk.say(answer.body.message ?? `The decision was not taken back: the server answered ${answer.status}.`)
    desk.buttons()
  }

  /** Skip the item, with a reason; the text typed on it is kept. @param {string} reason */
  async skip(reason) {
    const { desk } = this
    if (!this.mayDecide) return
    this.busy = true
    desk.say("")
    desk.buttons()
    desk.keepVisit()
    await this.flushed()
    const { item, data } = desk
    const { onward } = this.steps
    const body = { key: this.key, person: data.person, item: item.id, revision: item.revision, reason, onward }
    desk.saved("storing the reason")
    const answer = await persist("/bench/skip", body, why => desk.saved(`not stored yet: ${why}, trying again`, true))
    this.busy = false
    desk.saved("")
    if (answer.status === 200 && answer.body.ok) {
      desk.receipt = `skipped ${clock(Date.now())}`
      desk.discard.close()
      this.steps.goOn("next", body.item, answer.body.desk)
    } else desk.say(answer.body.message ?? `The skip was not stored: the server answered ${answer.status}.`)
    desk.buttons()
  }

  /** @override @param {string} by */
  async passOn(by) {
    this.desk.discard.close()
    this.desk.keepVisit()
    await super.passOn(by)
  }

  /** @override @param {"next" | "back"} to */
  leads(to) {
    const { data } = this.desk
    return to === "next" ? data.show_next !== false : Boolean(data.position?.has_back) || this.hasPassed
  }

  /** @override @param {"next" | "back"} to */
  async leave(to) {
    if (to === "next" && this.desk.feedback.isOpen) return this.desk.feedback.next()
    if (this.free && this.leads(to)) this.desk.keepVisit()
    await super.leave(to)
  }
}
