// The desk itself: what is on the screen and what a person made of it; Streamlit's new data meets it here without ever
// overwriting a box that was touched.

const LONG_WORDS = 20_000  // characters
const AT_REST = 300

class Desk {
  constructor(parent) {
    this.root = parent.querySelector(".desk")
    this.work = { evidence: [] }
    this.boxes = new Boxes(this)
    this.paper = new Paper(this.root, {
      evidence: () => this.work.evidence, mayEdit: () => this.mayEdit, add: spans => this.setEvidence([...this.work.evidence, ...spans]),
      replace: (n, span) => this.setEvidence(this.work.evidence.map((one, other) => other === n ? span : one)),
      moved: () => this.card.markCurrent(), person: () => this.data.person, item: () => this.item.id,
      enter: name => this.enter(name), leave: box => this.leaveBox(box),
    })
    this.card = new Card(this)
    this.claims = new Claims(this)
    this.labels = new Labels(this)
    this.comments = new Comments(this)
    this.opinions = new Opinions(this)
    this.deciding = new Deciding(this)
    this.holding = new Holding(this)
    this.discard = new Discard(this)
    this.feedback = new Feedback(this)
    this.blind = new Blind(this)
    this.keeper = new Keeper(this)
    this.time = new ActiveTime()
    this.fit = new Fit(this)
    this.bind()
    this.stopKeys = listen(this)
    tidy()
  }

  find(name) { return this.root.querySelector(`.${name}`) }

  box(name) { return this.boxes.box(name) }

  get words() { return this.boxes.words }

  get edited() { return this.boxes.edited }

  get changed() { return this.edited || this.labels.changed || JSON.stringify(this.work.evidence) !== JSON.stringify(this.item.evidence) }

  bind() {
    this.find("accept").onclick = () => this.deciding.decide("accept")
    this.find("next").onclick = () => this.deciding.leave("next")
    this.find("previous").onclick = () => this.deciding.leave("back")
    this.find("undo").onclick = () => this.deciding.undo()
    this.left = () => {
      this.keepVisit()
      this.paper.places.keep()
      this.keeper.last()
      this.comments.keeper.last()
      this.opinions.because.keeper.last()
    }
    this.hidden = () => { if (document.visibilityState === "hidden") this.left() }
    document.addEventListener("visibilitychange", this.hidden)
    window.addEventListener("pagehide", this.left)
  }

  stop() {
    this.gone = true
    clearTimeout(this.resting)
    this.left()
    this.stopKeys()
    this.paper.stop()
    this.claims.stop()
    this.time.stop()
    this.holding.stop()
    this.fit.stop()
    window.removeEventListener("pagehide", this.left)
    document.removeEventListener("visibilitychange", this.hidden)
  }

  /** New data of a rerun: the same item is refreshed around the boxes, another one is opened. */
  render({ data, setTriggerValue }) {
    const before = this.item
    const fresh = data.item
    this.setTriggerValue = setTriggerValue
    const person = this.data?.person
    const revealed = before?.id === fresh.id && person === data.person && this.data.blind === false && data.blind
    if (revealed) return  // drawn before this person's own answer was stored
    const sight = Boolean(this.data?.blind) === Boolean(data.blind)
    this.deciding.answered(data.went ?? 0)
    if (this.deciding.going && before?.id === fresh.id) return  // the rerun on its way to where the press leads
    this.data = data
    const same = before && before.id === fresh.id && before.revision === fresh.revision && person === data.person && sight
    if (same) {
      this.item = { ...fresh, question: before.question, answers: before.answers, evidence: before.evidence }
      this.seen = fresh.status
      this.holding.told(data.held, fresh.id)
      if (data.feedback) this.feedback.told(data.feedback)
      this.card.draw()
      this.card.diff()
      this.comments.draw(data.comments?.thread ?? [])
      this.opinions.draw()
      this.buttons()
      return
    }
    const theirsNow = before && before.id === fresh.id && person === data.person && this.changed && this.deciding.spent !== `${before.id}:${before.revision}`
    if (theirsNow) return this.changedMeanwhile(fresh)
    if (before) {
      this.keepVisit()
      this.keeper.leave()
      this.comments.leave()
      this.opinions.leave()
    }
    this.open(fresh)
  }

  /** Somebody's newer revision arrives while this person has words in the boxes: both are shown. */
  changedMeanwhile(fresh) {
    const { words, work } = this
    this.item = fresh
    this.work = work
    for (const name of BOXES) this.boxes.fill(name, words[name], true)
    this.labels.draw()
    this.holding.told(this.data.held, fresh.id)
    this.card.draw()
    this.after()
    this.deciding.appeared()
    this.deciding.conflict(fresh)
  }

  /** The same person's words on this item in another tab. */
  elsewhere(theirs, message) { this.deciding.conflict({ ...theirs, isScratch: true }, message) }

  open(item) {
    const { data } = this
    if (this.item?.id !== item.id) this.deciding.spent = ""  // whoever comes back to it may decide anew
    this.item = item
    this.base = item.revision
    this.seen = item.status
    this.keeper.knows(data.scratch?.saved_at ?? "")
    this.boxes.restart(item)
    this.say("")
    this.saved(this.receipt ? `last: ${this.receipt}` : "")
    this.receipt = ""
    this.discard.close(false)
    this.deciding.hideConflict()
    this.holding.told(data.held, item.id)
    this.find("back").hidden = true
    const visit = memory.get(visitKey(data.person, item.id, item.revision))
    const copy = this.boxes.newest()
    this.claims.draw(visit?.claims)
    this.labels.open(visit?.labels)
    this.time.start(Math.max(data.scratch?.seconds ?? 0, copy?.seconds ?? 0, visit?.seconds ?? 0))
    const at = this.root.getRootNode().activeElement
    if (at && this.root.contains(at)) at.blur()
    this.find("card-scroll").scrollTop = 0
    this.find("sentences").value = ""
    this.find("sentences-hint").hidden = true
    this.card.draw()
    this.comments.open()
    this.opinions.open()
    this.paper.open(data.documents)
    this.after()
    if (copy) this.boxes.bringBack(copy)
    else if (data.decision?.words && !this.opinions.isOn) this.boxes.ownWords(data.decision.words)
    this.deciding.appeared()
    this.buttons()
    this.feedback.told(data.feedback ?? null)
    this.fit.take()
    this.fit.raise()
    this.root.dataset.deskItem = item.id
  }

  /** What of the item the words in the boxes are: "" its own, "own" an answer before the draft's is shown. */
  get on() { return this.data?.blind ? "own" : "" }

  get mayEdit() { return Boolean(this.data?.person) && this.opinions.mayDecide && !this.deciding.busy && !this.deciding.going }

  /** Theirs in the place of mine. */
  take(theirs) {
    const { data } = this
    this.seen = theirs.status ?? this.seen
    this.item = { ...this.item, status: this.seen, revision: theirs.revision, question: theirs.question, answers: theirs.answers, evidence: theirs.evidence ?? [], taxonomy: theirs.taxonomy ?? this.item.taxonomy }
    this.base = theirs.revision
    this.boxes.restart(this.item)
    this.claims.draw()
    this.labels.open()
    this.keeper.done()
    forget(data.person, this.item.id)
    this.deciding.spent = ""
    this.deciding.appeared()
    this.card.draw()
    this.after()
    this.keeper.typed()  // the store's scratch says what the item says: nothing comes back
  }

  setEvidence(spans) {
    if (!this.mayEdit || this.data.blind) return
    const order = new Map(this.data.documents.map((one, n) => [one.id, n]))
    const once = new Map(spans.map(span => [`${span.document}:${span.start}:${span.end}`, { document: span.document, start: span.start, end: span.end }]))
    this.work.evidence = [...once.values()].sort((a, b) =>
      (order.get(a.document) ?? 99) - (order.get(b.document) ?? 99) || a.start - b.start || a.end - b.end)
    this.touched()
  }

  /** The person changed something: draw what depends on it, and keep it. */
  touched() {
    this.find("back").hidden = true
    this.say("")
    this.after()
    this.keeper.typed()
  }

  /** Everything that follows from the words and the evidence. */
  after() {
    const { question, answer } = this.words
    clearTimeout(this.resting)
    if (question.length + answer.length > LONG_WORDS) this.resting = setTimeout(() => this.rested(), AT_REST)
    else this.rested()
    const print = JSON.stringify(this.work.evidence)
    if (print === this.drawnEvidence && this.drawnItem === this.item.id) return
    this.drawnEvidence = print
    this.drawnItem = this.item.id
    this.paper.marks()
    this.card.evidence()
  }

  /** What would hold up the keys of a long answer waits until they rest. */
  rested() {
    this.card.diff()
    this.card.hints()
    this.card.rag()
    this.claims.settled()
  }

  /** The answer in other words than those typed in its box. */
  setAnswer(text) {
    this.boxes.fill("answer", text, true)
    this.touched()
  }

  keepVisit() {
    const { data, item } = this
    if (!data?.person || !item || this.deciding.spent === `${item.id}:${item.revision}`) return
    memory.set(visitKey(data.person, item.id, item.revision), { seconds: this.time.seconds, claims: [...this.claims.states], labels: this.labels.chosen, at: Date.now() })
  }

  /** Into a box, the caret at its end; out of it the claims have the keys again, if they had them. */
  enter(name) {
    const box = this.find(BOXES.includes(name) ? `field .${name}` : name)
    this.hadClaims = this.claims.focused
    box.focus()
    box.setSelectionRange(box.value.length, box.value.length)
    if (this.find("card-scroll").contains(box)) this.fit.bring(box)
  }

  leaveBox(box) {
    box.blur()
    if (this.hadClaims) this.claims.list.focus({ preventScroll: true })
    this.hadClaims = false
  }

  /** Evidence by sentence numbers of the document on the screen. */
  async addTyped(replaceAll) {
    const { found } = this.paper
    await found?.numbered
    if (this.paper.found !== found) return
    const box = this.find("sentences")
    const hint = this.find("sentences-hint")
    hint.hidden = true
    if (!box.value.trim() || !this.paper.found || !this.mayEdit) return
    try {
      const spans = spansFromNumbers(box.value, this.paper.found)
      this.setEvidence(replaceAll ? spans : [...this.work.evidence, ...spans])
      box.value = ""
      this.leaveBox(box)
      const n = this.work.evidence.findIndex(one => one.document === spans[0].document && one.start === spans[0].start)
      if (n >= 0) this.paper.jumpTo(n, { onlyIfHidden: true })
    } catch (error) {
      hint.textContent = error.message
      hint.hidden = false
    }
  }

  say(words) {
    this.find("said").textContent = words
    this.find("said").hidden = !words
  }

  saved(words, trouble = false) {
    this.find("saved").textContent = words || (this.data?.person ? "" : "Give your name in the sidebar to decide.")
    this.find("saved").title = words
    this.find("saved").classList.toggle("trouble", trouble)
  }

  /** What may be pressed now. */
  buttons() {
    const { deciding, data } = this
    if (!data) return
    const may = deciding.mayDecide
    for (const name of ["accept", "discard-open", "confirm"]) this.find(name).disabled = !may
    this.find("next").disabled = !deciding.free
    this.find("previous").disabled = !deciding.free || !data.position?.has_back
    this.find("undo").disabled = !deciding.free
    this.feedback.mayGoOn(deciding.free)
    this.box("question").readOnly = !this.mayEdit || Boolean(data.blind)
    this.box("answer").readOnly = !this.mayEdit
    this.find("sentences").readOnly = !this.mayEdit
    this.labels.enable(this.mayEdit && !data.blind)
    const fix = this.find("claim-fix")
    if (fix) fix.readOnly = !this.mayEdit
  }
}

const desks = new WeakMap()

export default function (component) {
  const { parentElement } = component
  if (!desks.has(parentElement)) desks.set(parentElement, new Desk(parentElement))
  desks.get(parentElement).render(component)
  return () => {
    desks.get(parentElement)?.stop()
    desks.delete(parentElement)
  }
}
