// Stores in this browser the text that a person types in a Streamlit form, until it is saved, because the server receives the
// text only when the person presses a button. When the form is opened again, the stored text comes back.

import { memory } from "../lib/browser_memory.js"
import { mount } from "../lib/component.js"
import { PREFIX } from "../lib/drafts.js"
import "./form_words.css"

const FOCUS_WITHIN_MS = 3000

/**
 * @typedef {Record<string, string>} Row
 * @typedef {{ number: number, rows: Row[] }} Words the rows as typed, and the version that they are an edit of
 * @typedef {Words & {
 *   fields: string, columns: string[], place: string, changed: boolean, focus: number | null,
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
    this.leaving = (/** @type {Event} */ event) => {
      if (this.touched) this.keep()
      if (this.lost) event.preventDefault() // the browser asks before unsaved text is lost
    }
    for (const name of ["input", "focusout", "click"]) document.addEventListener(name, this.hear, true)
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
    if (isNew && data.focus !== null) focusRow(data, data.focus, Date.now() + FOCUS_WITHIN_MS)
  }

  stop() {
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
  return boxes.length === rows.length * columns.length ? boxes : null
}

/**
 * Return whether the focus is in a box of the form.
 * @param {FormWordsData} data
 */
const isTypedIn = data => [...(findBoxes(data) ?? [])].some(box => box === document.activeElement)

/**
 * Focus the first box of a row as soon as the page shows it, and again if the page draws it anew.
 * @param {FormWordsData} data @param {number} row @param {number} until @param {boolean} isFirst
 */
const focusRow = (data, row, until, isFirst = true) => {
  const boxes = findBoxes(data)
  if (boxes && (isFirst || document.activeElement === document.body)) boxes[row * data.columns.length].focus()
  if (Date.now() < until) requestAnimationFrame(() => focusRow(data, row, until, isFirst && !boxes))
}

/** @param {string} place */
const keyOf = place => `${PREFIX}.form:${place}`

/** @param {unknown} one @param {unknown} other */
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other)

export default mount(() => new FormWords())
