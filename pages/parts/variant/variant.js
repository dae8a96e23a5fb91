// The sheet of one variant: both forms of the question with what differs, the guards' numbers, two questions answered by a key
// each, and a box for one's own words. Streamlit's new data never overwrites a box that holds somebody's words.

const QUESTIONS = ["applied", "kept"]
const SIGN = 60_000

const told = ({ label, said }) => {
  const cell = el("div")
  cell.append(el("dt", "", label), foreign("dd", "", said))
  return cell
}

class Sheet {
  constructor(parent) {
    this.root = parent.querySelector(".sheet")
    this.on = "variant"
    this.work = { evidence: [] }
    this.holding = { told: held => this.held(held) }
    this.box = this.find("text")
    this.answers = { applied: null, kept: null }
    this.marked = "applied"
    this.reason = ""
    this.keeper = new Keeper(this)
    this.deciding = new Deciding(this)
    this.time = new ActiveTime()
    this.bind()
    this.signs = setInterval(() => this.sign(), SIGN)
    tidy()
  }

  find(name) { return this.root.querySelector(`.${name}`) }

  get words() { return { question: this.box.value, answer: this.find("remark").value } }

  get base() { return this.item.revision }

  get mayDecide() { return Boolean(this.data.person) && !this.data.blocked && !this.other }

  get isSample() { return Boolean(this.data.sample) }

  bind() {
    this.box.oninput = () => this.typed()
    this.box.onblur = () => this.isSample || this.keeper.flush()
    this.find("remark").oninput = () => this.isSample ? this.keepAnswers() : this.typed()
    this.find("remark").onblur = () => this.isSample || this.keeper.flush()
    for (const name of QUESTIONS) {
      const place = this.root.querySelector(`.question[data-name="${name}"]`)
      place.querySelector(".yes").onclick = event => this.answer(name, true, event)
      place.querySelector(".no").onclick = event => this.answer(name, false, event)
    }
    const act = {
      accept: () => this.accept(), store: () => this.store(), "discard-open": () => this.openDiscard(), edit: () => this.edit(),
      undo: () => this.deciding.undo(), next: () => this.deciding.leave("next"), previous: () => this.deciding.leave("back"),
      confirm: () => this.discard(), cancel: () => this.closeDiscard(),
    }
    for (const [name, press] of Object.entries(act)) this.find(name).onclick = event => { event.currentTarget.blur(); press() }
    this.heard = event => {
      if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return
      const at = event.composedPath()[0]
      const used = typesInto(at) ? this.root.contains(at) && this.whileTyping(event, at) : !covered(this) && this.whileReading(event, at)
      if (!used) return
      event.preventDefault()
      event.stopPropagation()
    }
    this.moved = event => { this.tabbed = event.type === "keydown" ? this.tabbed || event.key === "Tab" : false }
    document.addEventListener("pointerdown", this.moved, true)
    document.addEventListener("keydown", this.moved, true)
    this.left = () => this.keeper.last()
    this.hidden = () => { if (document.visibilityState === "hidden") this.left() }
    document.addEventListener("keydown", this.heard, true)
    document.addEventListener("visibilitychange", this.hidden)
    window.addEventListener("pagehide", this.left)
  }

  stop() {
    this.gone = true
    clearInterval(this.signs)
    this.left()
    this.time.stop()
    document.removeEventListener("keydown", this.heard, true)
    document.removeEventListener("pointerdown", this.moved, true)
    document.removeEventListener("keydown", this.moved, true)
    document.removeEventListener("visibilitychange", this.hidden)
    window.removeEventListener("pagehide", this.left)
  }

  whileTyping(event, at) {
    if (event.key === "Escape") {
      at.blur()
      if (at.matches(".own-reason")) this.closeDiscard()
      return true
    }
    if (event.key !== "Enter" || (at === this.box && !(event.ctrlKey || event.metaKey))) return false
    if (event.repeat) return true
    if (at.matches(".own-reason")) this.discard()
    else if (at === this.box) this.isSample ? this.store() : this.accept()
    else at.blur()
    return true
  }

  /** A link that was clicked, as the menu's that led here, keeps the focus: Enter is its own only for who got there by Tab. */
  whileReading(event, at) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
    const onButton = at?.closest?.("button, a[href], summary, [role=radio]")
    if (event.key === "Enter" && onButton && (this.root.contains(onButton) || this.tabbed)) return false
    const digit = /^[1-9]$/.test(event.key) ? Number(event.key) : 0
    if (this.discarding) {
      if (event.key === "Escape") this.closeDiscard()
      else if (event.key === "Enter") event.repeat || this.discard()
      else if (digit) this.choose(this.data.reasons[digit - 1])
      else return /^[a-z]$/.test(event.key)
      return true
    }
    const act = {
      y: () => this.answer(this.marked, true), n: () => this.answer(this.marked, false), 1: () => this.mark("applied"),
      2: () => this.mark("kept"), c: () => this.find("remark").focus(), j: () => this.deciding.leave("next"),
      k: () => this.deciding.leave("back"), u: () => this.deciding.undo(), d: () => this.turn(), Enter: () => this.main(),
      ...(this.isSample ? {} : { a: () => this.accept(), x: () => this.openDiscard(), e: () => this.edit() }),
    }[event.key]
    if (!act) return false
    if (!event.repeat) act()
    return true
  }

  /** New data of a rerun: the same variant is refreshed around the boxes, another one is opened. */
  render({ data, setTriggerValue }) {
    const before = this.item
    const [person, sample] = [this.data?.person, this.data?.sample]
    this.setTriggerValue = setTriggerValue
    this.deciding.answered(data.went ?? 0)
    if (this.deciding.going && before?.id === data.item.id) return
    this.data = data
    const same = before && before.id === data.item.id && person === data.person && sample === data.sample && !this.receipt
    if (before && !same) this.keeper.leave()
    this.item = data.item
    this.other = data.held
    if (!same) this.open()
    this.ground()
    this.buttons()
  }

  /** What both forms are, as they are stored, letter by letter. */
  ground() {
    const { data } = this
    const { original } = data
    const chips = [data.kind_label, original.task_label, original.level === null ? "" : `Level ${original.level}`, original.domain, LANGUAGE_NAMES[original.language] ?? original.language]
    this.find("about").replaceChildren(...chips.filter(Boolean).map(text => el("span", "chip", text)))
    if (data.edited_by) this.find("about").append(el("span", "chip by-hand", `edited by ${data.edited_by}`))
    if (data.status !== "drafted") this.find("about").append(el("span", "chip", data.status))
    this.find("wanted").textContent = data.asks
    this.find("original").replaceChildren(foreign("p", "", original.question))
    this.find("answers").replaceChildren(...original.answers.map(text => foreign("p", "", text)))
    this.find("flags").replaceChildren(...data.flags.map(({ flag, about }) => {
      const chip = el("li", "chip", flag)
      chip.title = about
      return chip
    }))
    this.find("numbers").replaceChildren(...data.guards.map(told))
    this.find("making").hidden = !data.making.length
    this.find("made").replaceChildren(...data.making.map(told))
    const shown = this.isSample ? ["store", "next", "previous", "undo"] : ["accept", "discard-open", "edit", "next", "previous", "undo"]
    for (const name of ["accept", "store", "discard-open", "edit"]) this.find(name).hidden = !shown.includes(name)
    this.draw()
    this.tell()
  }

  /** The variant with what differs from its original, or plain. */
  draw() {
    const text = this.box.hidden ? this.data.text : this.box.value
    const note = unseenNote(text)
    this.find("hint").textContent = note
    this.find("hint").hidden = !note
    this.find("variant").replaceChildren(this.plain ? foreign("p", "", text) : differenceLine("", this.data.original.question, text))
  }

  turn() {
    this.plain = !this.plain
    this.draw()
  }

  open() {
    const { data, item } = this
    const here = data.person && !this.isSample ? copyOf(data.person, `variant:${item.id}`) : null
    const there = data.scratch && { ...data.scratch, at: Date.parse(data.scratch.saved_at) || 0 }
    const copy = here && (!there || here.at > there.at) ? here : there
    const kept = memory.get(this.answersKey)
    this.keeper.knows(data.scratch?.saved_at ?? "")
    hideOtherWords(this)
    const words = copy?.question && copy.question !== data.text ? copy.question : ""
    this.box.value = words || data.text
    this.showBox(Boolean(words))
    this.find("remark").value = copy?.answer || kept?.comment || data.said.comment || ""
    this.answers = { applied: kept?.applied ?? data.said.applied, kept: kept?.kept ?? data.said.kept }
    this.mark(this.answers.applied === null ? "applied" : "kept")
    this.closeDiscard()
    this.time.start(copy?.seconds ?? 0)
    this.say("")
    this.saved(this.receipt ? `last one ${this.receipt}` : words ? `your words of ${clock(copy.at, false)} are back` : "")
    this.receipt = ""
    if (copy === here && copy) this.keeper.typed()
    this.deciding.appeared()
    this.root.dataset.variantItem = item.id
  }

  elsewhere(theirs, message) { otherWords(this, theirs, message, () => { this.showBox(true); this.draw() }) }

  typed() {
    this.say("")
    this.keeper.typed()
    if (!this.box.hidden) this.draw()
  }

  showBox(isOpen) {
    this.box.hidden = this.find("edit-label").hidden = !isOpen
  }

  edit() {
    if (!this.mayDecide || !this.deciding.free) return
    this.showBox(true)
    this.draw()
    this.box.focus()
  }

  mark(name) {
    this.marked = name
    for (const one of QUESTIONS) {
      const place = this.root.querySelector(`.question[data-name="${one}"]`)
      place.classList.toggle("marked", one === name)
      place.querySelector(".yes").setAttribute("aria-pressed", String(this.answers[one] === true))
      place.querySelector(".no").setAttribute("aria-pressed", String(this.answers[one] === false))
    }
  }

  answer(name, isYes, event = null) {
    event?.currentTarget.blur()
    if (!this.mayDecide || !this.deciding.free) return
    this.answers[name] = isYes
    this.say("")
    this.mark(name === "applied" ? "kept" : name)
    this.keepAnswers()
    this.buttons()
  }

  get answersKey() { return `${PREFIX}.answers:${this.data.person}:${this.item.id}:${this.data.sample ?? ""}` }

  keepAnswers() { memory.set(this.answersKey, { ...this.answers, comment: this.isSample ? this.find("remark").value : "", at: Date.now() }) }

  dropAnswers() { memory.drop(this.answersKey) }

  /** What Enter does: accept what is right, ask why for what is not, or store the word on a sample. */
  main() {
    if (this.isSample) return this.store()
    if (QUESTIONS.some(name => this.answers[name] === false)) return this.openDiscard()
    this.accept()
  }

  get answered() { return QUESTIONS.every(name => this.answers[name] !== null) }

  accept() {
    if (!this.mayDecide) return
    if (!this.answered) return this.say("Answer both questions first: y or n.")
    if (QUESTIONS.some(name => !this.answers[name])) return this.say("You said no to a question: edit the words with e, or discard it with x.")
    const text = this.box.hidden ? this.data.text : this.box.value
    this.deciding.send("/bench/variant/decide", { decision: "accept", status: this.data.status, text })
  }

  store() {
    if (!this.mayDecide) return
    if (!this.answered) return this.say("Answer both questions first: y or n.")
    this.deciding.send("/bench/variant/judge", { sample: this.data.sample })
  }

  get discarding() { return !this.find("discard").hidden }

  openDiscard() {
    if (!this.mayDecide || !this.deciding.free) return
    this.say("")
    this.find("own-reason").value = ""
    this.find("reasons").replaceChildren(...this.data.reasons.map((words, n) => {
      const choice = el("button", "small choice")
      choice.type = "button"
      choice.setAttribute("role", "radio")
      choice.append(el("kbd", "", String(n + 1)), ` ${words}`)
      choice.onclick = () => { choice.blur(); this.choose(words) }
      return choice
    }))
    this.find("discard").hidden = false
    const said = QUESTIONS.findIndex(name => this.answers[name] === false)
    this.choose(said < 0 ? "" : this.data.reasons[said])
    this.buttons()
  }

  choose(reason) {
    if (reason === undefined) return
    this.reason = reason
    this.find("reasons").childNodes.forEach((choice, n) => choice.setAttribute("aria-checked", String(this.data.reasons[n] === reason)))
  }

  closeDiscard() {
    this.find("discard").hidden = true
    this.reason = ""
    if (this.data) this.buttons()
  }

  discard() {
    const reason = [this.reason, this.find("own-reason").value.trim()].filter(Boolean).join(": ")
    if (!reason) return this.say("Choose a reason, or write one.")
    const text = this.box.hidden ? this.data.text : this.box.value
    this.deciding.send("/bench/variant/decide", { decision: "discard", status: this.data.status, text, reason })
  }

  /** A sign of life a minute, while its person is at it. */
  async sign() {
    const { data, item, time } = this
    if (this.isSample || !data?.person || !item || document.visibilityState !== "visible" || performance.now() - time.life > IDLE) return
    try {
      const answer = await post("/bench/variant/hold", { person: data.person, item: item.id })
      if (answer.status === 200 && item.id === this.item.id) this.held(answer.body.held)
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error
    }
  }

  held(other) {
    this.other = other ?? null
    this.tell()
    this.buttons()
  }

  /** Why nothing can be decided here, or what was. */
  tell() {
    const { data, other } = this
    const { decided } = data
    const words = other ? `${other.by} has this variant on the screen until ${clock(other.until, false)}: go on with the next.`
      : data.blocked || (decided && data.status !== "drafted" ? `${decided.by}: ${decided.decision}${decided.reason ? `, ${decided.reason}` : ""}` : "")
    this.find("notice").hidden = !words
    this.find("notice").replaceChildren(foreign("span", "", words))
  }

  say(words) {
    this.find("said").textContent = words
    this.find("said").hidden = !words
  }

  saved(words, trouble = false) {
    this.find("saved").textContent = words || (this.data?.person ? "" : "Give your name in the sidebar to decide.")
    this.find("saved").classList.toggle("trouble", trouble)
  }

  buttons() {
    const { deciding } = this
    const may = deciding.free && this.mayDecide
    for (const name of ["accept", "store", "discard-open", "edit", "confirm"]) this.find(name).disabled = !may
    for (const button of this.root.querySelectorAll(".yes, .no")) button.disabled = !may
    this.find("next").disabled = !deciding.free
    this.find("previous").disabled = !deciding.free || !this.data.has_back
    this.find("undo").disabled = !deciding.free || !this.data.has_undo
    this.box.readOnly = this.find("remark").readOnly = !this.mayDecide || deciding.busy || Boolean(deciding.going)
  }
}

const sheets = new WeakMap()

export default function (component) {
  const { parentElement } = component
  if (!sheets.has(parentElement)) sheets.set(parentElement, new Sheet(parentElement))
  sheets.get(parentElement).render(component)
  return () => {
    sheets.get(parentElement)?.stop()
    sheets.delete(parentElement)
  }
}
