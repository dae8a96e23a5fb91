// The sheet itself: the question and what it rests on as text, the box with what was typed before, and numbers that follow the
// typing. Streamlit's new data never overwrites a box that holds somebody's words.

const COUNT_AFTER = 300
const COMPARE_AFTER = 1_200
const NUMBERS = [
  ["shared", "Content words kept", share], ["in_order", "In the same order", share], ["edit", "Letters changed", share],
  ["words_ratio", "Length in words", times], ["characters_ratio", "In characters", times],
]

function share(value) { return `${Math.round(100 * value)} %` }
function times(value) { return `\u00d7 ${value.toFixed(2)}` }

class Sheet {
  constructor(parent) {
    this.root = parent.querySelector(".sheet")
    this.on = "rewrite"
    this.work = { evidence: [] }
    this.holding = { told() {} }  // several people rewrite one question: nobody holds it
    this.box = this.find("text")
    this.keeper = new Keeper(this)
    this.saving = new Saving(this)
    this.time = new ActiveTime()
    this.bind()
    tidy()
  }

  find(name) { return this.root.querySelector(`.${name}`) }

  get words() { return { question: this.box.value, answer: "" } }

  get base() { return this.item.revision }

  get mayWrite() { return Boolean(this.data.person) && !this.data.blocked }

  bind() {
    this.box.oninput = () => this.typed()
    this.box.onblur = () => this.keeper.flush()
    this.find("save").onclick = () => this.saving.save()
    this.find("next").onclick = () => this.saving.leave("next")
    this.find("previous").onclick = () => this.saving.leave("back")
    this.heard = event => {
      if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return
      const at = event.composedPath()[0]
      const used = typesInto(at) ? this.root.contains(at) && this.whileTyping(event, at) : !covered(this) && this.whileReading(event)
      if (!used) return
      event.preventDefault()
      event.stopPropagation()
    }
    this.left = () => this.keeper.last()
    this.hidden = () => { if (document.visibilityState === "hidden") this.left() }
    document.addEventListener("keydown", this.heard, true)
    document.addEventListener("visibilitychange", this.hidden)
    window.addEventListener("pagehide", this.left)
  }

  stop() {
    this.gone = true
    clearTimeout(this.counting)
    clearTimeout(this.comparing)
    this.left()
    this.time.stop()
    document.removeEventListener("keydown", this.heard, true)
    document.removeEventListener("visibilitychange", this.hidden)
    window.removeEventListener("pagehide", this.left)
  }

  whileTyping(event, at) {
    if (event.key === "Escape") { at.blur(); return true }
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return false
    if (!event.repeat) this.saving.save()
    return true
  }

  whileReading(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
    const act = { n: () => this.saving.leave("next"), b: () => this.saving.leave("back"), w: () => this.box.focus() }[event.key]
    if (!act) return false
    if (!event.repeat) act()
    return true
  }

  /** New data of a rerun: the same item is refreshed around the box, another one is opened. */
  render({ data, setTriggerValue }) {
    const before = this.item
    const person = this.data?.person
    this.setTriggerValue = setTriggerValue
    this.saving.answered(data.went ?? 0)
    if (this.saving.going && before?.id === data.item.id) return
    this.data = data
    const same = before && before.id === data.item.id && person === data.person && !this.receipt
    if (before && !same) this.keeper.leave()
    this.item = data.item
    this.ground()
    if (!same) this.open()
    this.buttons()
  }

  /** What the question is, as it is stored, letter by letter. */
  ground() {
    const { item, evidence } = this.data
    const chips = [item.task_label, item.level === null ? "" : `Level ${item.level}`, item.domain, LANGUAGE_NAMES[item.language] ?? item.language].filter(Boolean)
    this.find("about").replaceChildren(...chips.map(text => el("span", "chip", text)))
    this.find("question").replaceChildren(foreign("p", "", item.question))
    this.find("answers").replaceChildren(...item.answers.map(text => foreign("p", "", text)))
    this.find("evidence-label").hidden = !evidence.length
    this.find("evidence").replaceChildren(...evidence.map(({ title, text, left_out }) => {
      const quote = el("blockquote")
      quote.append(el("cite", "", title), foreign("p", "", text))
      if (left_out) quote.append(el("span", "faint", `${left_out} further characters`))
      return quote
    }))
  }

  open() {
    const { data, item } = this
    const here = data.person ? copyOf(data.person, `rewrite:${item.id}`) : null
    const there = data.scratch && { ...data.scratch, at: Date.parse(data.scratch.saved_at) || 0 }
    const copy = here && (!there || here.at > there.at) ? here : there
    const wasTyping = this.root.getRootNode().activeElement === this.box
    this.keeper.knows(data.scratch?.saved_at ?? "")
    hideOtherWords(this)
    this.box.value = copy?.question ?? ""
    this.time.start(copy?.seconds ?? 0)
    this.say(data.blocked || (copy && copy.revision !== item.revision ? "The question was changed since you wrote this: read it again." : ""))
    this.saved(this.receipt ? `last rewrite ${this.receipt}` : copy?.question ? `your words of ${clock(copy.at, false)} are back` : "")
    if (this.receipt && wasTyping) this.box.focus()
    this.receipt = ""
    this.near(null)
    this.draw({})
    if (copy?.question) {
      this.count()
      if (copy === here) this.keeper.typed()
    }
    this.saving.appeared()
    this.root.dataset.rewriteItem = item.id
  }

  elsewhere(theirs, message) { otherWords(this, theirs, message, () => this.count()) }

  typed() {
    this.say("")
    this.keeper.typed()
    this.count()
  }

  /** Numbers a moment after the last key; how alike in meaning a little later, for that may take longer. */
  count() {
    clearTimeout(this.counting)
    clearTimeout(this.comparing)
    const note = unseenNote(this.box.value)
    this.root.querySelector(".hint").textContent = note
    this.root.querySelector(".hint").hidden = !note
    if (!this.box.value.trim()) { this.near(null); return this.draw({}) }
    this.counting = setTimeout(() => this.ask("numbers"), COUNT_AFTER)
    this.comparing = setTimeout(() => this.ask("similarity"), COMPARE_AFTER)
  }

  async ask(what) {
    const [item, text] = [this.item.id, this.box.value]
    if (what === "similarity") this.draw({ ...this.counted, similarity: null, why: "is being computed" })
    let answer
    try { answer = await post(`/bench/rewrite/${what}`, { item, text }, { patience: what === "similarity" ? 120_000 : undefined }) } catch { return }
    if (this.gone || item !== this.item.id || text !== this.box.value || answer.status !== 200) return
    if (what === "numbers") this.near(answer.body.near)
    this.draw(what === "numbers" ? answer.body : { ...this.counted, ...answer.body })
  }

  draw(counted) {
    this.counted = counted
    const cells = NUMBERS.map(([name, label, said]) => [label, typeof counted[name] === "number" ? said(counted[name]) : "\u2013", ""])
    const like = counted.similarity
    cells.push(["Alike in meaning", typeof like === "number" ? like.toFixed(2) : counted.why || "\u2013", counted.why ? "why" : ""])
    this.find("numbers").replaceChildren(...cells.map(([label, value, kind]) => {
      const cell = el("div")
      cell.append(el("dt", "", label), el("dd", kind, value))
      return cell
    }))
  }

  /** Too close to the question: why, and a way to keep it. */
  near(why) {
    this.find("near").hidden = !why
    this.find("near-why").textContent = why ?? ""
    if (why) return
    this.find("keep-it").checked = false
    this.find("reason").value = ""
  }

  say(words) {
    this.find("said").textContent = words
    this.find("said").hidden = !words
  }

  saved(words, trouble = false) {
    this.find("saved").textContent = words || (this.data?.person ? "" : "Give your name in the sidebar to write.")
    this.find("saved").classList.toggle("trouble", trouble)
  }

  buttons() {
    const { saving } = this
    this.find("save").disabled = !saving.free || !this.mayWrite
    this.find("next").disabled = !saving.free
    this.find("previous").disabled = !saving.free || !this.data.has_back
    this.box.readOnly = !this.mayWrite || saving.busy || Boolean(saving.going)
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
