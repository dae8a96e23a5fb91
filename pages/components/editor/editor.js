// The box in which a person edits a versioned text, such as a prompt. This browser keeps the typed text until the person saves
// it as a version or discards it.

import { memory } from "../lib/browser_memory.js"
import { mount } from "../lib/component.js"
import { find } from "../lib/dom.js"
import { insertPicture, readPicture } from "./picture.js"
import "./editor.css"

const PAUSE_MS = 300 // after the last key

/** @param {number} at */
const clock = at => new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })

/** @typedef {{ text: string, base: string, note: string, at: number }} UnsavedWords */

class Editor {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.parent = parent
    this.area = find(parent, "textarea", HTMLTextAreaElement)
    this.note = find(parent, "input[type=text]", HTMLInputElement)
    this.file = find(parent, ".file", HTMLInputElement)
    this.kept = find(parent, ".kept")
    this.place = ""
    this.standing = ""
    this.pressed = 0
    this.timer = 0
    this.area.oninput = this.note.oninput = () => this.typed()
    this.area.onblur = () => this.settle()
    this.button("back").onclick = () => {
      this.area.value = this.standing
      this.note.value = ""
      this.keep()
    }
    this.button("check").onclick = () => this.press("check")
    this.button("save").onclick = () => this.press("save")
    this.button("picture").onclick = () => this.file.click()
    this.file.onchange = () => this.addPicture()
    this.leaving = (/** @type {Event} */ event) => {
      this.settle()
      if (this.isChanged && !memory.get(this.place)) event.preventDefault() // the browser asks before unsaved text is lost
    }
    window.addEventListener("beforeunload", this.leaving)
  }

  /** @param {string} name */
  button(name) {
    return find(this.parent, `.${name}`, HTMLButtonElement)
  }

  /**
   * Return whether two texts are equal. Spaces around a prose text do not count, because the workbench saves prose without
   * them.
   * @param {string} one @param {string} other
   */
  isSame(one, other) {
    return this.data.prose ? one.trim() === other.trim() : one === other
  }

  get isChanged() {
    return !this.isSame(this.area.value, this.standing)
  }

  draw(words = "") {
    const { data, isChanged } = this
    this.button("save").disabled = !isChanged || !data.signed
    this.button("back").disabled = !isChanged
    this.button("save").title = data.signed ? "" : "Give your name first: it is stored with the version."
    find(this.parent, ".state").textContent = words || (isChanged ? "Not saved; kept in this browser." : "This text is saved.")
  }

  /** @returns {UnsavedWords} */
  get words() {
    return { text: this.area.value, base: this.standing, note: this.note.value, at: Date.now() }
  }

  keep() {
    clearTimeout(this.timer)
    this.timer = 0
    if (!this.isChanged) {
      memory.drop(this.place)
      this.kept.hidden = true
      return this.draw()
    }
    this.draw(memory.set(this.place, this.words) ? "" : "Not saved, and this browser keeps nothing: save before you leave.")
  }

  /** Store the typed text at once, without the pause after the last key. */
  settle() {
    if (this.timer) this.keep()
  }

  typed() {
    this.draw("Typing ...")
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.keep(), PAUSE_MS)
  }

  /** @param {"check" | "save"} what */
  press(what) {
    this.keep()
    this.pressed = Math.max(this.pressed, this.data.last) + 1
    this.setTriggerValue?.("pressed", { n: this.pressed, what, text: this.area.value, note: this.note.value })
  }

  async addPicture() {
    const chosen = this.file.files?.[0]
    if (!chosen) return
    this.file.value = ""
    try {
      const { area } = this
      area.value = insertPicture(area.value, area.selectionStart, chosen.name, await readPicture(chosen))
      this.keep()
    } catch {
      this.draw(`${chosen.name} is not a picture that this browser can read: choose a PNG, JPEG, GIF or WebP file.`)
    }
  }

  /** @param {import("../lib/component.js").StreamlitComponent} component */
  render({ data, setTriggerValue }) {
    this.settle() // store the text under the key of the box in which it was typed
    this.data = data
    this.setTriggerValue = setTriggerValue
    const { area, note, kept } = this
    area.setAttribute("aria-label", data.label)
    area.spellcheck = data.prose
    area.dir = data.prose ? "auto" : "ltr"
    area.classList.toggle("prose", data.prose)
    this.button("check").hidden = !data.checks
    this.button("picture").hidden = !data.prose
    const place = `benchwright:${data.kind}:${data.workspace}:${data.name}`
    if (this.place !== place || this.standing !== data.text) {
      const before = this.place === place && this.isChanged ? this.words : null
      this.place = place
      this.standing = data.text
      /** @type {UnsavedWords | null} */
      const words = before ?? memory.get(place)
      kept.hidden = !words || this.isSame(words.text, data.text)
      if (words && !kept.hidden) {
        area.value = words.text
        note.value = words.note ?? ""
        const since = words.base === data.text ? "" : "; another text was saved or chosen since you began"
        kept.textContent = `Your unsaved text of ${clock(words.at)} is in the box${since}.`
      } else {
        area.value = data.text
        note.value = ""
        memory.drop(place)
      }
    }
    this.draw()
  }

  stop() {
    this.settle()
    window.removeEventListener("beforeunload", this.leaving)
  }
}

export default mount(parent => new Editor(parent))
