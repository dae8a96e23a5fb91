// The labels of an item that a person chooses from fixed lists, each with the meaning of its value. The choices are submitted
// with the decision, and stored until then.

import { el, find, findAll } from "../lib/dom.js"

/** @typedef {{ taxonomy?: LabelRow[], labels?: object | null }} Labelled */

export class LabelChoices {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk
    this.part = find(desk.root, ".labels-part")
    this.list = find(desk.root, ".labels-list")
    /** The chosen values that differ from the item's own values. @type {Record<string, string>} */
    this.chosen = {}
  }

  get rows() {
    return this.desk.item?.taxonomy ?? []
  }

  /** Open a new item, or restore its own values; `chosen` holds the choices of the last visit. */
  open(chosen = {}) {
    this.chosen = Object.fromEntries(
      Object.entries(chosen ?? {}).filter(([name, value]) =>
        this.rows.some(row => row.name === name && row.value !== value && row.values.some(one => one.value === value)),
      ),
    )
    this.draw()
  }

  draw() {
    this.part.hidden = !this.rows.length
    this.list.replaceChildren(...this.rows.map(row => this.row(row)))
  }

  /** @param {LabelRow} row */
  row(row) {
    const line = el("label", "label-row")
    const box = el("select", "label-box")
    box.name = row.name
    const now = this.chosen[row.name] ?? row.value
    if (!row.values.some(one => one.value === now)) box.append(new Option("choose", "\u0000", true, true))
    for (const { value, shown } of row.values) box.append(new Option(shown, value, false, value === now))
    const about = el("span", "faint")
    const tell = () => {
      about.textContent = row.values.find(one => one.value === box.value)?.about ?? ""
    }
    tell()
    box.onchange = () => {
      if (box.value === row.value) delete this.chosen[row.name]
      else this.chosen[row.name] = box.value
      tell()
      this.desk.touched()
      this.desk.keepVisit()
    }
    line.append(el("span", "", row.title), box, about)
    return line
  }

  /**
   * Return a dict from label name to its value in an opinion or in the item.
   * @param {Labelled} one @returns {Record<string, string | null>}
   */
  valuesOf(one) {
    return one.taxonomy
      ? Object.fromEntries(one.taxonomy.map(row => [row.name, row.value]))
      : /** @type {Record<string, string | null>} */ (one.labels ?? {})
  }

  /**
   * Return [title, before, after] for each label whose values differ, as people read them.
   * @param {Labelled} before
   * @param {Labelled} after
   */
  differences(before, after) {
    const [had, has] = [this.valuesOf(before), this.valuesOf(after)]
    const shown = (/** @type {string | null} */ value) => (value === "" ? "web" : (value ?? "\u2013"))
    return this.rows
      .filter(({ name }) => name in had && name in has && had[name] !== has[name])
      .map(({ name, title }) => [title, `${shown(had[name])} `, shown(has[name])])
  }

  get changed() {
    return Object.keys(this.chosen).length > 0
  }

  /** All label values on the screen, or null if the item has none. */
  get values() {
    if (!this.rows.length) return null
    return Object.fromEntries(
      this.rows.map(row => [row.name, this.chosen[row.name] ?? row.value]).filter(([, value]) => typeof value === "string"),
    )
  }

  /** @param {boolean} may */
  enable(may) {
    findAll(this.list, "select", HTMLSelectElement).forEach(box => {
      box.disabled = !may
    })
  }
}
