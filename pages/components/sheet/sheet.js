// A sheet on which a person judges something by keyboard. This browser keeps choices and typed text until the server has stored
// them, so that a reload loses nothing. Each button press has its own key, so that it is stored once. While the next sheet is
// awaited, keys and buttons do nothing.

import { ActiveTime } from "../lib/active_time.js"
import { memory } from "../lib/browser_memory.js"
import { find } from "../lib/dom.js"
import { hasModifier, hearKeys, pressOnce } from "../lib/keyboard.js"
import "./sheet.css"

/** @typedef {"save" | "skip" | "undo"} Press */

/**
 * A sheet that shows one subject to judge. A subclass defines the values at the beginning (start), how the sheet is drawn, the
 * actions of its keys (acts, by key), and what Ctrl+Enter does in a text box (confirm).
 */
export class Sheet {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = find(parent, ".desk")
    /** @type {any} */
    this.data = {}
    /** @type {any} */
    this.given = {}
    /** @type {string | null} */
    this.subject = null
    this.pressed = 0
    this.waits = false
    this.time = new ActiveTime()
    this.find(".save").onclick = () => this.save()
    this.find(".skip").onclick = () => this.tell("skip")
    this.find(".undo").onclick = () => this.tell("undo")
    this.stopKeys = hearKeys(
      () => this.root,
      (event, at) => this.whileTyping(event, at),
      (event, at) => this.whileReading(event, at),
    )
  }

  /** @returns {Record<string, unknown>} */
  start() {
    return {}
  }

  build() {}

  draw() {}

  /** @returns {Record<string, () => void>} */
  acts() {
    return {}
  }

  confirm() {}

  get place() {
    return `benchwright:${this.data.kind}:${this.data.workspace}:${this.data.person}:${this.subject}`
  }

  /**
   * @template {typeof HTMLElement} [Kind=typeof HTMLElement]
   * @param {string} selector
   * @param {Kind} [kind]
   */
  find(selector, kind) {
    return find(this.root, selector, kind)
  }

  /** @param {import("../lib/component.js").StreamlitComponent} component */
  render({ data, setTriggerValue }) {
    this.data = data
    this.setTriggerValue = setTriggerValue
    this.waits = this.waits && data.last < this.pressed && data.subject === this.subject
    if (data.subject === this.subject) return this.draw()
    this.subject = data.subject
    this.root.dataset.subject = data.subject
    this.time.start()
    this.given = this.start()
    this.given = memory.get(this.place) ?? this.given
    this.build()
    this.draw()
  }

  stop() {
    this.stopKeys()
    this.time.stop()
  }

  keep() {
    memory.set(this.place, this.given)
  }

  /**
   * Draw the buttons under the sheet.
   * @param {boolean} may whether all that is needed to store it is chosen
   */
  foot(may, said = "") {
    const { person } = this.data
    this.find(".save", HTMLButtonElement).disabled = !may || !person || this.waits
    for (const name of [".undo", ".skip"]) this.find(name, HTMLButtonElement).disabled = !person || this.waits
    this.root.inert = this.waits // a choice made now would still go to the sheet that is being closed
    this.find(".said").textContent = person ? said : "Give your name first: nothing is stored without a name."
  }

  save() {
    if (!this.find(".save", HTMLButtonElement).disabled) this.tell("save")
  }

  /** @param {Press} what */
  tell(what) {
    if (this.waits || !this.data.person) return
    this.waits = true
    this.pressed = Math.max(this.pressed, this.data.last, Date.now()) + 1
    const key = `${this.subject}/${this.data.person}/${this.pressed}`
    const { subject, given, pressed: n } = this
    this.setTriggerValue?.("pressed", { n, what, subject, key, ...given, seconds: this.time.seconds })
    if (what === "save") memory.drop(this.place)
    this.draw()
  }

  /**
   * Handle a key in a text box: Esc leaves it, and Ctrl or Cmd with Enter leaves it and confirms.
   * @param {KeyboardEvent} event
   * @param {HTMLElement} at
   */
  whileTyping(event, at) {
    const isEnter = event.key === "Enter" && (event.ctrlKey || event.metaKey)
    if (event.key !== "Escape" && !isEnter) return false
    at.blur()
    if (isEnter) this.confirm()
    return true
  }

  /**
   * @param {KeyboardEvent} event
   * @param {HTMLElement} at
   */
  whileReading(event, at) {
    const { key } = event
    if (this.waits || hasModifier(event) || (key === "Enter" && at?.closest?.("button, summary, a[href]"))) return false
    /** @type {Record<string, () => void>} */
    const acts = { Enter: () => this.save(), u: () => this.tell("undo"), n: () => this.tell("skip"), ...this.acts() }
    return pressOnce(event, acts[key.length === 1 ? key.toLowerCase() : key])
  }
}
