// The sheet for rewriting a question: the question and its evidence as text, a box that restores typed text, and numbers that
// are updated while a person types. New data from Streamlit never overwrites typed text.

import { ActiveTime } from "../lib/active_time.js"
import { mount, onLeave } from "../lib/component.js"
import { el, find, finder, focused, foreign } from "../lib/dom.js"
import { DraftKeeper, dropOldDrafts, newestDraft, subjectOf } from "../lib/drafts.js"
import { hasModifier, hearKeys, pressOnce } from "../lib/keyboard.js"
import { hideOtherWords, showOtherWords } from "../lib/other_words.js"
import { post } from "../lib/requests.js"
import { clock, LANGUAGE_NAMES, unseenNote } from "../lib/text.js"
import { RewriteSaving } from "./rewrite_saving.js"
import "./rewrite.css"
import "../lib/other_words.css"

const COUNT_AFTER_MS = 300

const COMPARE_AFTER_MS = 1_200
const SIMILARITY_PATIENCE_MS = 120_000

/** @param {number} value */
const share = value => `${Math.round(100 * value)} %`

/** @param {number} value */
const times = value => `\u00d7 ${value.toFixed(2)}`

/** @type {[name: string, label: string, show: (value: number) => string][]} */
const NUMBERS = [
  ["shared", "Content words kept", share],
  ["in_order", "In the same order", share],
  ["edit", "Letters changed", share],
  ["words_ratio", "Length in words", times],
  ["characters_ratio", "In characters", times],
]

/** @typedef {{ item: { id: string, revision: number, question: string, answers: string[], task_label: string, level: number | null, domain: string, language: string }, evidence: { title: string, text: string, left_out: number }[], person: string, went?: number, blocked: string, has_back: boolean, people: number, wanted: number, written: object[], scratch: StoredDraft | null, visit?: DeskVisit | null, bar?: DeskBar | null, around?: string }} RewriteData */

export class RewriteSheet {
  on = "rewrite"
  gone = false
  receipt = ""
  counting = 0
  comparing = 0
  /** The latest counts from the server. @type {Record<string, any>} */
  counted = {}
  /** @type {RewriteData} */
  data
  /** @type {RewriteData["item"]} */
  item
  /** @type {import("../lib/component.js").StreamlitComponent["setTriggerValue"]} */
  setTriggerValue

  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = find(parent, ".sheet")
    this.find = finder(this.root)
    this.aside = find(parent, ".aside")
    this.box = this.find("text", HTMLTextAreaElement)
    this.keeper = new DraftKeeper(this)
    this.saving = new RewriteSaving(this, { path: "/bench/rewrite/next", name: "item" })
    this.time = new ActiveTime()
    this.box.oninput = () => this.typed()
    this.box.onblur = () => this.keeper.flush()
    this.find("save").onclick = () => this.saving.save()
    this.find("next").onclick = () => this.saving.leave("next")
    this.find("previous").onclick = () => this.saving.leave("back")
    this.stopKeys = hearKeys(
      () => this.root,
      (event, at) => this.whileTyping(event, at),
      event => this.whileReading(event),
    )
    this.stopLeaving = onLeave(() => this.keeper.last())
    dropOldDrafts()
  }

  get words() {
    return { question: this.box.value, answer: "" }
  }

  get base() {
    return this.item.revision
  }

  get mayWrite() {
    return Boolean(this.data.person) && !this.data.blocked
  }

  stop() {
    this.gone = true
    clearTimeout(this.counting)
    clearTimeout(this.comparing)
    this.keeper.last()
    this.time.stop()
    this.stopKeys()
    this.stopLeaving()
  }

  /** @param {KeyboardEvent} event @param {HTMLElement} at */
  whileTyping(event, at) {
    if (event.key === "Escape") {
      at.blur()
      return true
    }
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return false
    return pressOnce(event, () => this.saving.save())
  }

  /** @param {KeyboardEvent} event */
  whileReading(event) {
    if (hasModifier(event) || event.shiftKey) return false
    /** @type {Record<string, () => void>} */
    const acts = { n: () => this.saving.leave("next"), b: () => this.saving.leave("back"), w: () => this.box.focus() }
    return pressOnce(event, acts[event.key])
  }

  /**
   * Take the data of a run of the page's script, unless the sheet has opened another item since then.
   * @param {{ data: RewriteData, setTriggerValue: RewriteSheet["setTriggerValue"] }} component
   */
  render({ data, setTriggerValue }) {
    this.setTriggerValue = setTriggerValue
    if (this.saving.receive(data)) this.draw(data)
  }

  /**
   * Draw new data: refresh the item on the screen around the text box, or open another item.
   * @param {RewriteData} data
   */
  draw(data) {
    const before = this.item
    const person = this.data?.person
    if (this.saving.going && before?.id === data.item.id) return
    this.data = data
    const same = before && before.id === data.item.id && person === data.person && !this.receipt
    if (before && !same) {
      // the item that a button press opened, or the item that the page opened instead
      if (this.saving.steps.isOn) this.saving.going = null
      this.keeper.leave()
    }
    this.item = data.item
    this.ground()
    if (!same) this.open()
    this.buttons()
  }

  /** Draw the question exactly as it is stored. */
  ground() {
    const { item, evidence } = this.data
    const chips = [
      item.task_label,
      item.level === null ? "" : `Level ${item.level}`,
      item.domain,
      LANGUAGE_NAMES[item.language] ?? item.language,
    ].filter(Boolean)
    this.find("about").replaceChildren(...chips.map(text => el("span", "chip", text)))
    this.find("question").replaceChildren(foreign("p", "", item.question))
    this.find("answers").replaceChildren(...item.answers.map(text => foreign("p", "", text)))
    this.find("evidence-label").hidden = !evidence.length
    this.find("evidence").replaceChildren(
      ...evidence.map(({ title, text, left_out }) => {
        const quote = el("blockquote")
        quote.append(el("cite", "", title), foreign("p", "", text))
        if (left_out) quote.append(el("span", "faint", `${left_out} further characters`))
        return quote
      }),
    )
    this.others()
  }

  /** Draw how many other people have rewritten the question, for a person who has not. */
  others() {
    const { people, wanted, written } = this.data
    this.aside.hidden = written.length > 0 || !people
    this.aside.textContent = `Rewrites by others: ${people} of ${wanted}, shown once you have stored yours.`
  }

  open() {
    const { data, item } = this
    const copy = newestDraft(data.person, subjectOf(this.on, item.id), data.scratch)
    const wasTyping = focused(this.root) === this.box
    this.keeper.knows(data.scratch?.saved_at)
    hideOtherWords(this)
    this.box.value = copy?.question ?? ""
    this.time.start(copy?.seconds ?? 0)
    this.say(
      data.blocked ||
        (copy && copy.revision !== item.revision ? "The question was changed since you wrote this: read it again." : ""),
    )
    this.saved(
      this.receipt ? `last rewrite ${this.receipt}` : copy?.question ? `your text of ${clock(copy.at, false)} is back` : "",
    )
    if (this.receipt && wasTyping) this.box.focus()
    this.receipt = ""
    this.near(null)
    this.measured({})
    if (copy?.question) {
      this.count()
      if (copy.local) this.keeper.typed()
    }
    this.saving.appeared()
    this.root.dataset.rewriteItem = item.id
  }

  /**
   * @param {OtherWords} theirs
   * @param {string} message
   */
  elsewhere(theirs, message) {
    showOtherWords(this, theirs, message, () => this.count())
  }

  typed() {
    this.say("")
    this.keeper.typed()
    this.count()
  }

  /** Update the counts shortly after the last key, and the similarity in meaning a little later, because it may take longer. */
  count() {
    clearTimeout(this.counting)
    clearTimeout(this.comparing)
    const note = unseenNote(this.box.value)
    find(this.root, ".hint").textContent = note
    find(this.root, ".hint").hidden = !note
    if (!this.box.value.trim()) {
      this.near(null)
      return this.measured({})
    }
    this.counting = setTimeout(() => this.ask("numbers"), COUNT_AFTER_MS)
    this.comparing = setTimeout(() => this.ask("similarity"), COMPARE_AFTER_MS)
  }

  /** @param {string} what */
  async ask(what) {
    const [item, text] = [this.item.id, this.box.value]
    if (what === "similarity") this.measured({ ...this.counted, similarity: null, why: "is being computed" })
    const patience = what === "similarity" ? SIMILARITY_PATIENCE_MS : undefined
    const answer = await post(`/bench/rewrite/${what}`, { item, text }, { patience }).catch(() => null)
    if (!answer || this.gone || item !== this.item.id || text !== this.box.value || answer.status !== 200) return
    if (what === "numbers") this.near(answer.body.near)
    this.measured(what === "numbers" ? answer.body : { ...this.counted, ...answer.body })
  }

  /** @param {Record<string, any>} counted */
  measured(counted) {
    this.counted = counted
    const cells = NUMBERS.map(([name, label, said]) => [
      label,
      typeof counted[name] === "number" ? said(counted[name]) : "\u2013",
      "",
    ])
    const like = counted.similarity
    cells.push([
      "Similarity in meaning",
      typeof like === "number" ? like.toFixed(2) : counted.why || "\u2013",
      counted.why ? "why" : "",
    ])
    this.find("numbers").replaceChildren(
      ...cells.map(([label, value, kind]) => {
        const cell = el("div")
        cell.append(el("dt", "", label), el("dd", kind, value))
        return cell
      }),
    )
  }

  /** Tell the person why their rewrite is too close to the question, with a way to keep it. @param {string | null} why */
  near(why) {
    this.find("near").hidden = !why
    this.find("near-why").textContent = why ?? ""
    if (why) return
    this.find("keep-it", HTMLInputElement).checked = false
    this.find("reason", HTMLInputElement).value = ""
  }

  /** @param {string} words */
  say(words) {
    this.find("said").textContent = words
    this.find("said").hidden = !words
  }

  /** @param {string} words */
  saved(words, trouble = false) {
    this.find("saved").textContent = words || (this.data?.person ? "" : "Give your name first: rewrites are stored under it.")
    this.find("saved").classList.toggle("trouble", trouble)
  }

  buttons() {
    const { saving } = this
    this.find("save", HTMLButtonElement).disabled = !saving.free || !this.mayWrite
    this.find("next", HTMLButtonElement).disabled = !saving.free
    this.find("previous", HTMLButtonElement).disabled = !saving.free || !saving.leads("back")
    this.box.readOnly = !this.mayWrite || saving.busy || Boolean(saving.going)
  }
}

export default mount(parent => new RewriteSheet(parent))
