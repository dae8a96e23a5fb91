// Stores in this browser the text that a person types in a Streamlit form, until it is saved, because the server receives the
// text only when the person presses a button. When the form is opened again, the stored text comes back.

import { memory } from "../lib/browser_memory.js"
import { mount } from "../lib/component.js"
import { PREFIX } from "../lib/drafts.js"
import { markTyping } from "../lib/keyboard.js"
import "./form_words.css"

const FOCUS_WITHIN_MS = 3000
const NEW_ROW_WITHIN_MS = 10_000

/**
 * @typedef {Record<string, string>} Row
 * @typedef {{ number: number, rows: Row[] }} Words the rows as typed, and the version that they are an edit of
 * @typedef {Words & {
 *   fields: string, columns: string[], place: string, changed: boolean, focus: number | null, add: string,
 *   forgotten: { place: string, at: string } | null,
 * }} FormWordsData
 */

/** Requests to delete text that were carried out; every later run of the page's script sends them again. @type {Set<string>} */
const done = new Set()

class FormWords {
  constructor() {
    /** @type {FormWordsData | undefined} */
    this.data = undefined
    this.fields = ""
    this.place = ""
    this.lost = false // the browser stores nothing
    this.touched = false // boxes that Streamlit is still filling also differ from the version
    this.hear = () => {
      this.touched = true
      setTimeout(() => this.keep()) // wait until the form has handled the event
    }
    /** Letters typed between the press of the button that adds a row and the row's first box; null at other times.
     * @type {string | null} */
    this.early = null
    this.waiting = 0
    this.press = (/** @type {Event} */ event) => this.notePress(/** @type {MouseEvent | KeyboardEvent} */ (event))
    this.leaving = (/** @type {Event} */ event) => {
      if (this.touched) this.keep()
      if (this.lost) event.preventDefault() // the browser asks before unsaved text is lost
    }
    for (const name of ["input", "focusout", "click"]) document.addEventListener(name, this.hear, true)
    for (const name of ["keydown", "click"]) document.addEventListener(name, this.press, true)
    window.addEventListener("beforeunload", this.leaving)
    this.locks = new MutationObserver(() => this.unlock())
    this.locks.observe(document.body, { subtree: true, attributeFilter: ["disabled", "data-test-connection-state"] })
  }

  /** Open the boxes that Streamlit locks while the server is away, because what is typed in them is kept here. */
  unlock() {
    const app = /** @type {HTMLElement | null} */ (document.querySelector('[data-testid="stApp"]'))
    if (app?.dataset.testConnectionState === "CONNECTED") return
    for (const box of (this.data && findBoxes(this.data)) ?? []) if (box.disabled) box.disabled = false
  }

  /** Store the typed rows, unless they equal the rows of the version. */
  keep() {
    const { data } = this
    const boxes = data && findBoxes(data)
    if (!boxes) return
    const { columns } = data
    const rows = data.rows.map((_, row) =>
      Object.fromEntries(columns.map((name, at) => [name, boxes[row * columns.length + at].value])),
    )
    if (data.changed || !isSame(rows, data.rows)) this.store(data, rows)
    else this.drop(data.place)
  }

  /** @param {FormWordsData} data @param {Row[]} rows */
  store({ place, number }, rows) {
    this.lost = !memory.set(keyOf(place), { number, rows, at: Date.now() })
  }

  /** @param {string} place */
  drop(place) {
    memory.drop(keyOf(place))
    this.lost = false
  }

  /** @param {import("../lib/component.js").StreamlitComponent & { data: FormWordsData }} component */
  render({ data, setTriggerValue }) {
    const { place, number, rows, fields, forgotten } = data
    const isOpened = this.place !== place
    const isNew = this.fields !== fields
    this.data = data
    this.place = place
    this.fields = fields
    if (isNew) this.touched = false
    if (forgotten && !done.has(forgotten.at)) {
      done.add(forgotten.at)
      this.drop(forgotten.place)
    }
    /** @type {Words | null} */
    const kept = isOpened || (isNew && !data.changed) ? memory.get(keyOf(place)) : null // the app was started again
    if (kept && !isSame([kept.number, kept.rows], [number, rows])) {
      setTriggerValue("kept", { number: kept.number, rows: kept.rows })
      return
    }
    if (isNew && data.changed) this.store(data, rows)
    if (isOpened && isTypedIn(data)) this.hear() // the person typed before this component was loaded
    if (isNew && data.focus !== null) focusRow(data, data.focus, Date.now() + FOCUS_WITHIN_MS, box => this.typeEarly(box))
  }

  /** Begin to collect letters when the person adds a row, and collect them. @param {MouseEvent | KeyboardEvent} event */
  notePress(event) {
    const { data } = this
    if (event instanceof KeyboardEvent) {
      if (event.altKey && event.code === "KeyA" && data && findBoxes(data)) this.wait()
      else if (this.early !== null && !event.isComposing && !event.ctrlKey && !event.metaKey && !event.altKey)
        this.collect(event)
    } else if (event.target instanceof Element && event.target.closest(`.st-key-${data?.add} button`)) this.wait()
  }

  /** Collect letters until the new row is there, but not for ever: the server may refuse the row. */
  wait() {
    this.early ??= ""
    markTyping(true)
    clearTimeout(this.waiting)
    this.waiting = setTimeout(() => {
      const box = this.data && findBoxes(this.data)?.find(one => one === document.activeElement)
      if (box) this.typeEarly(box)
      this.stopCollecting()
    }, NEW_ROW_WITHIN_MS)
  }

  /** @param {KeyboardEvent} event */
  collect(event) {
    const { key } = event
    if (key === "Backspace") this.early = (this.early ?? "").slice(0, -1)
    else if (key.length === 1) this.early += key
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  /** Put the collected letters into the first box of the new row. @param {HTMLInputElement | HTMLTextAreaElement} box */
  typeEarly(box) {
    const words = this.early
    this.stopCollecting()
    if (!words) return
    const kind = box instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
    Object.getOwnPropertyDescriptor(kind.prototype, "value")?.set?.call(box, box.value + words) // React hears no plain assignment
    box.dispatchEvent(new Event("input", { bubbles: true }))
  }

  stopCollecting() {
    this.early = null
    markTyping(false)
  }

  stop() {
    clearTimeout(this.waiting)
    this.stopCollecting()
    for (const name of ["keydown", "click"]) document.removeEventListener(name, this.press, true)
    for (const name of ["input", "focusout", "click"]) document.removeEventListener(name, this.hear, true)
    window.removeEventListener("beforeunload", this.leaving)
    this.locks.disconnect()
  }
}

/**
 * Return the boxes of the form, row by row, or null while the page does not show these rows.
 * @param {FormWordsData} data
 */
const findBoxes = ({ fields, columns, rows }) => {
  /** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */
  const boxes = document.querySelectorAll(`.st-key-${fields} :is(textarea, input[type=text])`)
  return boxes.length === rows.length * columns.length ? [...boxes] : null
}

/**
 * Return whether the focus is in a box of the form.
 * @param {FormWordsData} data
 */
const isTypedIn = data => (findBoxes(data) ?? []).some(box => box === document.activeElement)

/**
 * Focus the first box of a row as soon as the page shows it, and again if the page draws it anew.
 * @param {FormWordsData} data @param {number} row @param {number} until
 * @param {(box: HTMLInputElement | HTMLTextAreaElement) => void} focused called with the focused box while no script runs
 * @param {boolean} isFirst
 */
const focusRow = (data, row, until, focused, isFirst = true) => {
  const boxes = findBoxes(data)
  const box = boxes?.[row * data.columns.length]
  if (box && (isFirst || document.activeElement === document.body)) box.focus()
  if (box && !isRunning()) focused(box) // Streamlit may still empty a box while the script runs
  if (Date.now() < until) requestAnimationFrame(() => focusRow(data, row, until, focused, isFirst && !boxes))
}

/** Return whether the page's script runs. */
const isRunning = () => document.querySelector('[data-testid="stApp"]')?.getAttribute("data-test-script-state") !== "notRunning"

/** @param {string} place */
const keyOf = place => `${PREFIX}.form:${place}`

/** @param {unknown} one @param {unknown} other */
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other)

export default mount(() => new FormWords())
