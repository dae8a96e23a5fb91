// The sheet of one variant: the variant and its original question with their differences, the numbers of the automatic checks
// (guards), two questions that a key answers, and a text box for an edit. New data from Streamlit never overwrites typed text.

import { ActiveTime } from "../lib/active_time.js"
import { memory } from "../lib/browser_memory.js"
import { mount, onLeave } from "../lib/component.js"
import { differenceLine } from "../lib/diff_view.js"
import { button, el, find, findAll, finder, foreign } from "../lib/dom.js"
import { DraftKeeper, dropOldDrafts, newestDraft, PREFIX, subjectOf } from "../lib/drafts.js"
import { hasModifier, hearKeys, pressOnce } from "../lib/keyboard.js"
import { showLost } from "../lib/lost_entry.js"
import { hideOtherWords, showOtherWords } from "../lib/other_words.js"
import { postOnce } from "../lib/requests.js"
import { clock, LANGUAGE_NAMES, unseenNote } from "../lib/text.js"
import { VariantDecisions } from "./variant_decisions.js"
import "../rewrite/rewrite.css"
import "../lib/other_words.css"
import "./variant.css"

/** @typedef {"applied" | "kept"} Question */

/** @type {Question[]} */
const QUESTIONS = ["applied", "kept"]

const SIGN_MS = 60_000

/**
 * @typedef {object} VariantData
 * @property {{ id: string, revision: number }} item
 * @property {string} person
 * @property {number} [went]
 * @property {string} text
 * @property {string} status
 * @property {string} kind_label
 * @property {string} asks
 * @property {string} blocked
 * @property {string} [sample]
 * @property {string} [edited_by]
 * @property {boolean} has_back
 * @property {boolean} has_undo
 * @property {{ question: string, answers: string[], task_label: string, level: number | null, domain: string, language: string }} original
 * @property {{ flag: string, about: string }[]} flags
 * @property {Measured[]} guards
 * @property {Measured[]} making
 * @property {string[]} reasons
 * @property {{ applied: boolean | null, kept: boolean | null, comment: string }} said
 * @property {{ by: string, decision: string, reason: string } | null} decided
 * @property {Holder | null} held
 * @property {StoredDraft | null} scratch
 * @property {DeskVisit | null} [visit]
 * @property {DeskBar | null} [bar]
 * @property {string} [around]
 * @typedef {{ label: string, said: string }} Measured
 */

/** @param {Measured} measured */
const measuredCell = ({ label, said }) => {
  const cell = el("div")
  cell.append(el("dt", "", label), foreign("dd", "", said))
  return cell
}

export class VariantSheet {
  on = "variant"
  gone = false
  receipt = ""
  reason = ""
  plain = false
  /** Whether the person moved to the focused node with the Tab key. */
  tabbed = false
  /** @type {Question} */
  marked = "applied"
  /** @type {Record<Question, boolean | null>} */
  answers = { applied: null, kept: null }
  /** The other person who holds the variant, or null. @type {Holder | null} */
  other = null
  /** Whether the other person took the variant over while it was on this sheet. */
  isLost = false
  /** @type {import("../lib/lost_entry.js").LostEntry | null} */
  lost = null
  /** @type {VariantData} */
  data
  /** @type {VariantData["item"]} */
  item
  /** @type {import("../lib/component.js").StreamlitComponent["setTriggerValue"]} */
  setTriggerValue

  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = find(parent, ".sheet")
    this.find = finder(this.root)
    this.box = this.find("text", HTMLTextAreaElement)
    this.remark = this.find("remark", HTMLInputElement)
    this.ownReason = this.find("own-reason", HTMLInputElement)
    this.keeper = new DraftKeeper(this)
    this.deciding = new VariantDecisions(this, { path: "/bench/variant/next", name: "variant" })
    this.time = new ActiveTime()
    this.bind()
    this.signs = setInterval(() => this.sign(), SIGN_MS)
    this.turned = () => this.sign() // the person has returned to this tab
    document.addEventListener("visibilitychange", this.turned)
    dropOldDrafts()
  }

  // The values that the keeper of unsent text (`DraftKeeper`) needs.
  get pressKey() {
    return this.deciding.key
  }

  /** @param {Holder | null | undefined} held */
  hearHolder(held) {
    this.held(held)
  }

  get words() {
    return { question: this.box.value, answer: this.remark.value }
  }

  get base() {
    return this.item.revision
  }

  get mayDecide() {
    return Boolean(this.data.person) && !this.data.blocked && !this.other
  }

  get hasOwnWords() {
    return (!this.box.hidden && this.box.value !== this.data.text) || this.remark.value !== (this.data.said.comment || "")
  }

  get isSample() {
    return Boolean(this.data.sample)
  }

  bind() {
    this.box.oninput = () => this.typed()
    this.box.onblur = () => this.isSample || this.keeper.flush()
    this.remark.oninput = () => (this.isSample ? this.keepAnswers() : this.typed())
    this.remark.onblur = () => this.isSample || this.keeper.flush()
    for (const name of QUESTIONS) {
      for (const [choice, isYes] of /** @type {const} */ ([
        ["yes", true],
        ["no", false],
      ])) {
        this.choice(name, choice).onclick = () => {
          this.choice(name, choice).blur()
          this.answer(name, isYes)
        }
      }
    }
    /** @type {Record<string, () => void>} */
    const presses = {
      accept: () => this.accept(),
      store: () => this.store(),
      "discard-open": () => this.openDiscard(),
      edit: () => this.edit(),
      undo: () => this.deciding.undo(),
      next: () => this.deciding.leave("next"),
      previous: () => this.deciding.leave("back"),
      confirm: () => this.discard(),
      cancel: () => this.closeDiscard(),
    }
    for (const [name, press] of Object.entries(presses)) {
      const button = this.find(name)
      button.onclick = () => {
        button.blur()
        press()
      }
    }
    this.stopKeys = hearKeys(
      () => this.root,
      (event, at) => this.whileTyping(event, at),
      (event, at) => this.whileReading(event, at),
    )
    this.moved = (/** @type {KeyboardEvent | PointerEvent} */ event) => {
      this.tabbed = event instanceof KeyboardEvent && (this.tabbed || event.key === "Tab")
    }
    document.addEventListener("pointerdown", this.moved, true)
    document.addEventListener("keydown", this.moved, true)
    this.stopLeaving = onLeave(() => this.keeper.last())
  }

  /** Return a button that answers a question. @param {Question} name @param {"yes" | "no"} choice */
  choice(name, choice) {
    return find(this.root, `.question[data-name="${name}"] .${choice}`, HTMLButtonElement)
  }

  stop() {
    this.gone = true
    clearInterval(this.signs)
    document.removeEventListener("visibilitychange", this.turned)
    this.keeper.last()
    this.time.stop()
    this.stopKeys?.()
    this.stopLeaving?.()
    if (!this.moved) return
    document.removeEventListener("pointerdown", this.moved, true)
    document.removeEventListener("keydown", this.moved, true)
  }

  /**
   * @param {KeyboardEvent} event
   * @param {HTMLElement} at
   */
  whileTyping(event, at) {
    if (event.key === "Escape") {
      at.blur()
      if (at.matches(".own-reason")) this.closeDiscard()
      return true
    }
    if (event.key !== "Enter" || (at === this.box && !(event.ctrlKey || event.metaKey))) return false
    if (event.repeat) return true
    if (at.matches(".own-reason")) this.discard()
    else if (at !== this.box) at.blur()
    else if (this.isSample) this.store()
    else this.accept()
    return true
  }

  /**
   * Handle a key outside of text boxes. A clicked link, for example in the menu, keeps the focus; Enter therefore opens a
   * focused link only for a person who reached it with the Tab key.
   * @param {KeyboardEvent} event
   * @param {HTMLElement} at
   */
  whileReading(event, at) {
    if (hasModifier(event) || event.shiftKey) return false
    const onButton = at?.closest?.("button, a[href], summary, [role=radio]")
    if (event.key === "Enter" && onButton && (this.root.contains(onButton) || this.tabbed)) return false
    const digit = /^[1-9]$/.test(event.key) ? Number(event.key) : 0
    if (this.discarding) {
      if (event.key === "Escape") this.closeDiscard()
      else if (event.key === "Enter") pressOnce(event, () => this.discard())
      else if (digit) this.choose(this.data.reasons[digit - 1])
      else return /^[a-z]$/.test(event.key)
      return true
    }
    /** @type {Record<string, () => void>} */
    const acts = {
      y: () => this.answer(this.marked, true),
      o: () => this.answer(this.marked, false),
      1: () => this.mark("applied"),
      2: () => this.mark("kept"),
      c: () => this.remark.focus(),
      n: () => this.deciding.leave("next"),
      b: () => this.deciding.leave("back"),
      u: () => this.deciding.undo(),
      d: () => this.turn(),
      Enter: () => this.main(),
      ...(this.isSample ? {} : { a: () => this.accept(), x: () => this.openDiscard(), w: () => this.edit() }),
    }
    return pressOnce(event, acts[event.key])
  }

  /**
   * Take the data of a run of the page's script, unless the sheet has opened another variant since then.
   * @param {{ data: VariantData, setTriggerValue: VariantSheet["setTriggerValue"] }} component
   */
  render({ data, setTriggerValue }) {
    this.setTriggerValue = setTriggerValue
    if (this.deciding.receive(data)) this.draw(data)
  }

  /**
   * Draw new data: refresh the variant on the screen around the text boxes, or open another one.
   * @param {VariantData} data
   */
  draw(data) {
    const before = this.item
    const [person, sample] = [this.data?.person, this.data?.sample]
    if (this.deciding.going && before?.id === data.item.id) return
    this.data = data
    const same = before && before.id === data.item.id && person === data.person && sample === data.sample && !this.receipt
    if (before && !same) {
      // the variant that a button press opened, or the one that the page opened instead
      if (this.deciding.steps.isOn) this.deciding.going = null
      this.keeper.leave()
    }
    this.item = data.item
    this.other = data.held
    if (!same) this.open()
    this.ground()
    this.buttons()
  }

  /** Draw the original question and the variant exactly as they are stored. */
  ground() {
    const { data } = this
    const { original } = data
    const chips = [
      data.kind_label,
      original.task_label,
      original.level === null ? "" : `Level ${original.level}`,
      original.domain,
      LANGUAGE_NAMES[original.language] ?? original.language,
    ]
    this.find("about").replaceChildren(...chips.filter(Boolean).map(text => el("span", "chip", text)))
    if (data.edited_by) this.find("about").append(el("span", "chip by-hand", `edited by ${data.edited_by}`))
    if (data.status !== "drafted") this.find("about").append(el("span", "chip", data.status))
    this.find("wanted").textContent = data.asks
    this.find("original").replaceChildren(foreign("p", "", original.question))
    this.find("answers").replaceChildren(...original.answers.map(text => foreign("p", "", text)))
    this.find("flags").replaceChildren(
      ...data.flags.map(({ flag, about }) => {
        const chip = el("li", "chip", flag)
        chip.title = about
        return chip
      }),
    )
    this.find("numbers").replaceChildren(...data.guards.map(measuredCell))
    this.find("making").hidden = !data.making.length
    this.find("made").replaceChildren(...data.making.map(measuredCell))
    const shown = this.isSample
      ? ["store", "next", "previous", "undo"]
      : ["accept", "discard-open", "edit", "next", "previous", "undo"]
    for (const name of ["accept", "store", "discard-open", "edit"]) this.find(name).hidden = !shown.includes(name)
    this.wording()
    this.tell()
  }

  /** Draw the variant, with its differences from the original marked if the person wants them. */
  wording() {
    const text = this.box.hidden ? this.data.text : this.box.value
    const note = unseenNote(text)
    this.find("hint").textContent = note
    this.find("hint").hidden = !note
    this.find("variant").replaceChildren(
      this.plain ? foreign("p", "", text) : differenceLine("", this.data.original.question, text),
    )
  }

  turn() {
    this.plain = !this.plain
    this.wording()
  }

  open() {
    const { data, item } = this
    this.isLost = false
    showLost(this)
    const copy = newestDraft(this.isSample ? "" : data.person, subjectOf(this.on, item.id), data.scratch)
    const kept = memory.get(this.answersKey)
    this.keeper.knows(data.scratch?.saved_at)
    hideOtherWords(this)
    const words = copy?.question && copy.question !== data.text ? copy.question : ""
    this.box.value = words || data.text
    this.showBox(Boolean(words))
    this.remark.value = copy?.answer || kept?.comment || data.said.comment || ""
    this.answers = { applied: kept?.applied ?? data.said.applied, kept: kept?.kept ?? data.said.kept }
    this.mark(this.answers.applied === null ? "applied" : "kept")
    this.closeDiscard()
    this.time.start(copy?.seconds ?? 0)
    this.say("")
    this.saved(this.receipt ? `last one ${this.receipt}` : copy && words ? `your text of ${clock(copy.at, false)} is back` : "")
    this.receipt = ""
    if (copy?.local) this.keeper.typed()
    this.deciding.appeared()
    this.root.dataset.variantItem = item.id
  }

  /**
   * @param {OtherWords} theirs
   * @param {string} message
   */
  elsewhere(theirs, message) {
    showOtherWords(this, theirs, message, () => {
      this.showBox(true)
      this.wording()
    })
  }

  typed() {
    this.say("")
    this.keeper.typed()
    if (!this.box.hidden) this.wording()
  }

  /** @param {boolean} isOpen */
  showBox(isOpen) {
    this.box.hidden = this.find("edit-label").hidden = !isOpen
  }

  edit() {
    if (!this.mayDecide || !this.deciding.free) return
    this.showBox(true)
    this.wording()
    this.box.focus()
  }

  /** @param {Question} name */
  mark(name) {
    this.marked = name
    for (const one of QUESTIONS) {
      const place = find(this.root, `.question[data-name="${one}"]`)
      place.classList.toggle("marked", one === name)
      find(place, ".yes").setAttribute("aria-pressed", String(this.answers[one] === true))
      find(place, ".no").setAttribute("aria-pressed", String(this.answers[one] === false))
    }
  }

  /** @param {Question} name @param {boolean} isYes */
  answer(name, isYes) {
    if (!this.mayDecide || !this.deciding.free) return
    this.answers[name] = isYes
    this.say("")
    this.mark(name === "applied" ? "kept" : name)
    this.keepAnswers()
    this.buttons()
  }

  get answersKey() {
    return `${PREFIX}.answers:${this.data.person}:${this.item.id}:${this.data.sample ?? ""}`
  }

  keepAnswers() {
    memory.set(this.answersKey, { ...this.answers, comment: this.isSample ? this.remark.value : "", at: Date.now() })
  }

  dropAnswers() {
    memory.drop(this.answersKey)
  }

  /** Do what Enter does: accept a variant that is right, ask for a reason if it is not, or store the answers in a sample. */
  main() {
    if (this.isSample) return this.store()
    if (QUESTIONS.some(name => this.answers[name] === false)) return this.openDiscard()
    this.accept()
  }

  get answered() {
    return QUESTIONS.every(name => this.answers[name] !== null)
  }

  accept() {
    if (this.isLost && this.deciding.free) return this.deciding.passOn(this.other?.by ?? "")
    if (!this.mayDecide) return
    if (!this.answered) return this.say("Answer both questions first: y for yes, o for no.")
    if (QUESTIONS.some(name => !this.answers[name]))
      return this.say("You said no to a question: edit the variant with w, or discard it with x.")
    const text = this.box.hidden ? this.data.text : this.box.value
    this.deciding.send("/bench/variant/decide", { decision: "accept", status: this.data.status, text })
  }

  store() {
    if (!this.mayDecide) return
    if (!this.answered) return this.say("Answer both questions first: y for yes, o for no.")
    this.deciding.send("/bench/variant/judge", { sample: this.data.sample })
  }

  get discarding() {
    return !this.find("discard").hidden
  }

  openDiscard() {
    if (!this.mayDecide || !this.deciding.free) return
    this.say("")
    this.ownReason.value = ""
    this.find("reasons").replaceChildren(
      ...this.data.reasons.map((words, n) => {
        const choice = button("small choice")
        choice.setAttribute("role", "radio")
        choice.append(el("kbd", "", String(n + 1)), ` ${words}`)
        choice.onclick = () => {
          choice.blur()
          this.choose(words)
        }
        return choice
      }),
    )
    this.find("discard").hidden = false
    const said = QUESTIONS.findIndex(name => this.answers[name] === false)
    this.choose(said < 0 ? "" : this.data.reasons[said])
    this.buttons()
  }

  /** @param {string | undefined} reason */
  choose(reason) {
    if (reason === undefined) return
    this.reason = reason
    findAll(this.root, ".reasons .choice").forEach((choice, n) =>
      choice.setAttribute("aria-checked", String(this.data.reasons[n] === reason)),
    )
  }

  closeDiscard() {
    this.find("discard").hidden = true
    this.reason = ""
    if (this.data) this.buttons()
  }

  discard() {
    const reason = [this.reason, this.ownReason.value.trim()].filter(Boolean).join(": ")
    if (!reason) return this.say("Choose a reason, or write one.")
    const text = this.box.hidden ? this.data.text : this.box.value
    this.deciding.send("/bench/variant/decide", { decision: "discard", status: this.data.status, text, reason })
  }

  /** Tell the server once a minute that the person is still working on the variant. */
  async sign() {
    const { data, item, time } = this
    if (this.isSample || !data?.person || !item || !time.isActive) return
    const answer = await postOnce("/bench/variant/hold", { person: data.person, item: item.id })
    if (answer?.status !== 200 || item.id !== this.item.id) return
    this.held(answer.body.held)
    if (this.isLost && !this.hasOwnWords && this.deciding.free) await this.deciding.passOn(answer.body.held.by)
  }

  /** @param {Holder | null | undefined} other */
  held(other) {
    this.isLost = Boolean(other) && (this.isLost || !this.other)
    this.other = other ?? null
    this.tell()
    this.buttons()
  }

  /** Show why the person cannot decide here, or the decision that was made. */
  tell() {
    const { data, other } = this
    const { decided } = data
    const words = other
      ? `${other.by} has this variant on the screen until ${clock(other.until ?? "", false)}: go on with the next.`
      : data.blocked ||
        (decided && data.status !== "drafted"
          ? `${decided.by}: ${decided.decision}${decided.reason ? `, ${decided.reason}` : ""}`
          : "")
    this.find("notice").hidden = !words
    this.find("notice").replaceChildren(foreign("span", "", words))
  }

  /** @param {string} words */
  say(words) {
    this.find("said").textContent = words
    this.find("said").hidden = !words
  }

  /** @param {string} words */
  saved(words, trouble = false) {
    this.find("saved").textContent = words || (this.data?.person ? "" : "Give your name first: decisions are stored under it.")
    this.find("saved").classList.toggle("trouble", trouble)
  }

  buttons() {
    const { deciding } = this
    const may = deciding.free && this.mayDecide
    for (const name of ["accept", "store", "discard-open", "edit", "confirm"])
      this.find(name, HTMLButtonElement).disabled = !may
    for (const button of findAll(this.root, ".yes, .no", HTMLButtonElement)) button.disabled = !may
    this.find("next", HTMLButtonElement).disabled = !deciding.free
    this.find("previous", HTMLButtonElement).disabled = !deciding.free || !deciding.leads("back")
    this.find("undo", HTMLButtonElement).disabled = !deciding.free || !this.data.has_undo
    this.box.readOnly = this.remark.readOnly = !this.mayDecide || deciding.busy || Boolean(deciding.going)
  }
}

export default mount(parent => new VariantSheet(parent))
