// From a press to a stored decision: one press, one key, one request that is repeated until it is answered; a conflict shows both
// texts.

class Deciding extends Going {
  constructor(desk) {
    super(desk)
    this.desk = desk
    this.spent = ""
    this.theirs = null
  }

  /** Which item a press would be about, in the state that is on the screen. */
  get subject() {
    const { item } = this.desk
    return `${item.id}:${item.revision}`
  }

  get mayDecide() {
    const { desk } = this
    const others = this.theirs || desk.holding.other || desk.feedback.isOpen
    return this.free && desk.opinions.mayDecide && !others && Boolean(desk.data.person) && this.spent !== this.subject
  }

  async decide(decision, { reason = "", comment = "" } = {}) {
    const { desk } = this
    if (decision === "accept" && desk.data.blind) return desk.blind.reveal()
    if (!this.mayDecide) return
    const subject = this.subject
    const words = desk.words
    if (decision === "accept" && !this.acceptable(words)) return
    this.busy = true
    desk.say("")
    desk.buttons()
    await Promise.all([desk.keeper.hold(), desk.opinions.hold()])
    const stored = desk.item
    const body = desk.opinions.with({
      key: this.key, person: desk.data.person, item: stored.id, revision: desk.base, status: desk.seen, decision, reason, comment,
      question: words.question, answer: words.answer, evidence: desk.work.evidence, claims: desk.claims.decided, labels: desk.labels.values,
      seconds: desk.time.seconds, guideline: desk.card.guideline.version, tab: TAB,
    })
    desk.saved("storing the decision")
    const answer = await persist(desk.opinions.address, body, why => desk.saved(`not stored yet: ${why}, trying again`, true))
    this.busy = false
    if (answer.status === 200 && answer.body.ok) {
      this.spent = subject
      this.key = freshKey()  // what is typed from now on is no part of it
      forget(body.person, body.item)
      desk.paper.places.done()
      desk.keeper.done()
      desk.opinions.done(body)
      const left = decision === "accept" ? desk.claims.left : ""
      desk.receipt = [`${decision}ed ${clock(Date.now())}`, answer.body.told, left, desk.comments.isTyped && "a comment is not sent"].filter(Boolean).join(", ")
      desk.saved(desk.receipt)
      desk.discard.close()
      if (answer.body.feedback) {
        desk.feedback.told(answer.body.feedback)
        this.appeared()  // whoever presses twice reads it all the same
        desk.buttons()
        return
      }
      this.go("decided", body.item)
      return
    }
    this.key = freshKey()
    desk.keeper.release()
    desk.opinions.release()
    desk.saved("")
    if (answer.status === 409 && answer.body.theirs) this.conflict(answer.body.theirs, answer.body.message, { decision, reason, comment })
    else if (answer.status === 409 && answer.body.held) desk.holding.told(answer.body.held, body.item)
    else desk.say(answer.body.message ?? `The decision was not stored: the server answered ${answer.status}.`)
    desk.buttons()
  }

  acceptable({ question, answer }) {
    const { desk } = this
    const frame = desk.item.is_frame && answer.trim() === (desk.item.answers[0] ?? "").trim()
    if (!question.trim()) desk.say("There is no question: write one, or discard the item.")
    else if (frame) desk.say("This is a frame to fill: write the answer in your own words, then accept.")
    else if (!answer.trim()) desk.say("There is no answer: write one, or discard the item.")
    else return true
    desk.box(question.trim() ? "answer" : "question").focus({ preventScroll: true })
    return false
  }

  /** Two texts of one item: yours are in the boxes, theirs beside; one of them is taken. `theirs.isScratch`: nobody submitted
      them, the same person typed them in another tab. */
  conflict(theirs, message, again = null) {
    const { desk } = this
    this.theirs = theirs
    const place = desk.root.querySelector(".conflict")
    const text = (name, mine, other) => {
      const row = el("div", "versus")
      const [left, right] = [el("div"), el("div")]
      left.append(el("span", "label", `Your ${name}`), marked("mine", other, mine))
      right.append(el("span", "label", `${theirs.isScratch ? "The other tab's" : "Their"} ${name}`), marked("theirs", mine, other))
      row.append(left, right)
      return row
    }
    const spans = theirs.evidence ?? []
    const same = JSON.stringify(spans) === JSON.stringify(desk.work.evidence)
    const mine = el("button", "button keep-mine", again ? `Keep mine and ${again.decision}` : "Keep mine")
    const take = el("button", "button take-theirs", theirs.isScratch ? "Take the other" : "Take theirs")
    for (const button of [mine, take]) button.type = "button"
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
      el("p", "", message || `${theirs.by || "Someone"} changed this item since you opened it: it is at revision ${theirs.revision} now. Nothing of yours is lost.`),
      text("question", desk.words.question, theirs.question), text("answer", desk.words.answer, theirs.answers?.[0] ?? ""),
      ...(same ? [] : [el("p", "faint", `The evidence is not the same either: ${desk.work.evidence.length} of yours, ${spans.length} of theirs.`)]),
      ...desk.labels.apart({ labels: desk.labels.values ?? {} }, theirs).map(([title, , value]) => el("p", "faint", `${title}: theirs is ${value}.`)), row,
    )
    place.hidden = false
    toMarked(place)
    desk.fit.bring(place)
    desk.buttons()
  }

  hideConflict() {
    this.theirs = null
    this.desk.root.querySelector(".conflict").hidden = true
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

  leads(to) {
    return to === "back" ? this.desk.data.position?.has_back : this.desk.data.show_next !== false
  }

  async leave(to) {
    if (to === "next" && this.desk.feedback.isOpen) return this.desk.feedback.next()
    if (this.free && this.leads(to)) this.desk.keepVisit()
    await super.leave(to)
  }
}
