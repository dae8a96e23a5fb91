// The desk itself: what is on the screen and what a person made of it; Streamlit's new data meets it here without ever
// overwriting a box that was touched.

class Desk {
  constructor(parent) {
    this.root = parent.querySelector(".desk")
    this.touch = {}
    this.work = { evidence: [] }
    this.paper = new Paper(this.root, {
      evidence: () => this.work.evidence, mayEdit: () => this.mayEdit, add: spans => this.setEvidence([...this.work.evidence, ...spans]),
      replace: (n, span) => this.setEvidence(this.work.evidence.map((one, other) => other === n ? span : one)),
      moved: () => this.card.markCurrent(),
    })
    this.card = new Card(this)
    this.claims = new Claims(this)
    this.comments = new Comments(this)
    this.deciding = new Deciding(this)
    this.holding = new Holding(this)
    this.discard = new Discard(this)
    this.keeper = new Keeper(this)
    this.time = new ActiveTime()
    this.fit = new Fit(this)
    this.bind()
    this.stopKeys = listen(this)
    tidy()
  }

  find(name) { return this.root.querySelector(`.${name}`) }

  box(name) { return this.find(`field .${name}`) }

  bind() {
    for (const name of ["question", "answer"]) {
      const box = this.box(name)
      box.oninput = () => {
        this.touch[name] = true
        this.touched()
      }
      box.onblur = () => this.keeper.flush()
    }
    this.find("accept").onclick = () => this.deciding.decide("accept")
    this.find("next").onclick = () => this.deciding.leave("next")
    this.find("previous").onclick = () => this.deciding.leave("back")
    this.find("undo").onclick = () => this.deciding.undo()
    this.left = () => {
      this.keepVisit()
      this.keeper.last()
      this.comments.keeper.last()
    }
    this.hidden = () => { if (document.visibilityState === "hidden") this.left() }
    document.addEventListener("visibilitychange", this.hidden)
    window.addEventListener("pagehide", this.left)
  }

  stop() {
    this.gone = true
    this.left()
    this.stopKeys()
    this.paper.stop()
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
    this.deciding.answered(data.went ?? 0)
    if (this.deciding.going && before?.id === fresh.id) return  // the rerun on its way to where the press leads
    this.data = data
    const same = before && before.id === fresh.id && before.revision === fresh.revision && person === data.person
    if (same) {
      this.item = { ...fresh, question: before.question, answers: before.answers, evidence: before.evidence }
      this.seen = fresh.status
      this.holding.told(data.held, fresh.id)
      this.card.draw()
      this.card.diff()
      this.comments.draw(data.comments?.thread ?? [])
      this.buttons()
      return
    }
    const theirsNow = before && before.id === fresh.id && person === data.person && this.changed && this.deciding.spent !== `${before.id}:${before.revision}`
    if (theirsNow) return this.changedMeanwhile(fresh)
    if (before) {
      this.keepVisit()
      this.keeper.leave()
      this.comments.leave()
    }
    this.open(fresh)
  }

  /** Somebody's newer revision arrives while this person has words in the boxes: both are shown. */
  changedMeanwhile(fresh) {
    const { words, work } = this
    this.item = fresh
    this.work = work
    for (const name of ["question", "answer"]) this.fill(name, words[name], true)
    this.holding.told(this.data.held, fresh.id)
    this.card.draw()
    this.after()
    this.deciding.appeared()
    this.deciding.conflict(fresh)
  }

  open(item) {
    const { data } = this
    if (this.item?.id !== item.id) this.deciding.spent = ""  // whoever comes back to it may decide anew
    this.item = item
    this.base = item.revision
    this.seen = item.status
    this.restart(item)
    this.say("")
    this.saved(this.receipt ? `last item ${this.receipt}` : "")
    this.receipt = ""
    this.discard.close(false)
    this.deciding.hideConflict()
    this.holding.told(data.held, item.id)
    this.find("back").hidden = true
    const visit = memory.get(visitKey(data.person, item.id, item.revision))
    const copy = this.newest()
    this.time.start(Math.max(data.scratch?.seconds ?? 0, copy?.seconds ?? 0, visit?.seconds ?? 0))
    const at = this.root.getRootNode().activeElement
    if (at && this.root.contains(at)) at.blur()
    this.find("card-scroll").scrollTop = 0
    this.find("sentences").value = ""
    this.find("sentences-hint").hidden = true
    this.claims.draw(visit?.marks)
    this.card.draw()
    this.comments.open()
    this.paper.look = null
    this.paper.open(data.documents)
    this.after()
    if (copy) this.bringBack(copy)
    this.deciding.appeared()
    this.buttons()
    this.fit.take()
    this.fit.raise()
    this.root.dataset.deskItem = item.id
  }

  /** The boxes hold the item's own words. */
  restart(item) {
    this.touch = {}
    this.work = { evidence: [...item.evidence] }
    this.fill("question", item.question)
    this.fill("answer", item.answers[0] ?? "")
  }

  fill(name, text, touched = false) {
    const box = this.box(name)
    if (box.value !== text) box.value = text
    this.touch[name] = touched
    this.grow(box)
  }

  grow(box) {
    if (CSS.supports("field-sizing", "content")) return
    box.style.height = "auto"
    box.style.height = `${box.scrollHeight + 2}px`
  }

  /** What the boxes hold; an untouched one is the stored text to the letter, which a box may not be. */
  get words() {
    const { item, touch } = this
    return {
      question: touch.question ? this.box("question").value : item.question,
      answer: touch.answer ? this.box("answer").value : item.answers[0] ?? "",
    }
  }

  get edited() {
    const { question, answer } = this.words
    return question !== this.item.question || answer !== (this.item.answers[0] ?? "")
  }

  get changed() { return this.edited || JSON.stringify(this.work.evidence) !== JSON.stringify(this.item.evidence) }

  get mayEdit() { return Boolean(this.data?.person) && !this.deciding.busy && !this.deciding.going }

  /** The person's own copy, of the store or of this browser, whichever is newer; null when it says what the item says. */
  newest() {
    const { data, item } = this
    if (!data.person) return null
    const here = copyOf(data.person, item.id)
    const there = data.scratch && { ...data.scratch, at: Date.parse(data.scratch.saved_at) || 0 }
    const copy = !there || (here && here.at > there.at) ? here && { ...here, local: true } : there
    if (!copy) return null
    const same = copy.question === item.question && copy.answer === (item.answers[0] ?? "")
      && JSON.stringify(copy.evidence) === JSON.stringify(item.evidence)
    return same ? null : copy
  }

  /** Words that were typed before are in the boxes again. */
  bringBack(copy) {
    this.fill("question", copy.question, copy.question !== this.item.question)
    this.fill("answer", copy.answer, copy.answer !== (this.item.answers[0] ?? ""))
    this.work.evidence = copy.evidence
    this.after()
    if (copy.revision !== this.item.revision) {
      this.base = copy.revision
      this.deciding.conflict(this.item, `You wrote on revision ${copy.revision}; the item is at revision ${this.item.revision} now. Nothing of yours is lost.`)
      return
    }
    const place = this.find("back")
    const put = el("button", "plain", "Put back the stored words")
    put.type = "button"
    put.onclick = () => {
      this.restart(this.item)
      place.hidden = true
      this.touched()
    }
    place.replaceChildren(el("span", "", `Your unsaved words of ${clock(copy.at, false)} are back.`), put)
    place.hidden = false
    if (copy.local) this.keeper.typed()
  }

  /** Theirs in the place of mine. */
  take(theirs) {
    const { data } = this
    this.seen = theirs.status ?? this.seen
    this.item = { ...this.item, status: this.seen, revision: theirs.revision, question: theirs.question, answers: theirs.answers, evidence: theirs.evidence ?? [] }
    this.base = theirs.revision
    this.restart(this.item)
    this.keeper.done()
    forget(data.person, this.item.id)
    this.deciding.spent = ""
    this.deciding.appeared()
    this.card.draw()
    this.after()
    this.keeper.typed()  // the store's scratch says what the item says: nothing comes back
  }

  putMachineBack() {
    const { machine } = this.data
    if (!this.mayEdit || !machine) return
    this.fill("question", machine.question, true)
    this.fill("answer", machine.answers?.[0] ?? "", true)
    this.touched()
  }

  setEvidence(spans) {
    if (!this.mayEdit) return
    const order = new Map(this.data.documents.map((one, n) => [one.id, n]))
    const once = new Map(spans.map(span => [`${span.document}:${span.start}:${span.end}`, { document: span.document, start: span.start, end: span.end }]))
    this.work.evidence = [...once.values()].sort((a, b) =>
      (order.get(a.document) ?? 99) - (order.get(b.document) ?? 99) || a.start - b.start || a.end - b.end)
    this.touched()
  }

  /** The person changed something: draw what depends on it, and keep it. */
  touched() {
    for (const name of ["question", "answer"]) this.grow(this.box(name))
    this.find("back").hidden = true
    this.say("")
    this.after()
    this.keeper.typed()
  }

  /** Everything that follows from the words and the evidence. */
  after() {
    this.card.diff()
    this.card.hints()
    this.card.rag()
    this.claims.title()
    const print = JSON.stringify(this.work.evidence)
    if (print === this.drawnEvidence && this.drawnItem === this.item.id) return
    this.drawnEvidence = print
    this.drawnItem = this.item.id
    this.paper.marks()
    this.card.evidence()
  }

  keepVisit() {
    const { data, item } = this
    if (!data?.person || !item || this.deciding.spent === `${item.id}:${item.revision}`) return
    memory.set(visitKey(data.person, item.id, item.revision), { seconds: this.time.seconds, marks: [...this.claims.marks], at: Date.now() })
  }

  /** Into a box; the caret at its end. */
  enter(name) {
    const box = this.find(name === "sentences" ? "sentences" : `field .${name}`)
    box.focus()
    box.setSelectionRange(box.value.length, box.value.length)
  }

  /** Evidence by sentence numbers of the document on the screen. */
  addTyped(replaceAll) {
    const box = this.find("sentences")
    const hint = this.find("sentences-hint")
    hint.hidden = true
    if (!box.value.trim() || !this.paper.found || !this.mayEdit) return
    try {
      const spans = spansFromNumbers(box.value, this.paper.found)
      this.setEvidence(replaceAll ? spans : [...this.work.evidence, ...spans])
      box.value = ""
      box.blur()
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
    for (const name of ["question", "answer"]) this.box(name).readOnly = !this.mayEdit
    this.find("sentences").readOnly = !this.mayEdit
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
