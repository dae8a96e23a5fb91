// The guideline for annotators beside the item. It is open until a person closes it, and then stays closed for this task until
// the guideline changes.

import { el, find } from "../lib/dom.js"
import { preferences } from "../lib/preferences.js"

export class GuidelineNotice {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk
    this.box = find(desk.root, ".guideline", HTMLDetailsElement)
    this.box.ontoggle = () => {
      if (!this.box.hidden) preferences.set(this.name, this.box.open ? 0 : this.version)
    }
  }

  get name() {
    return `guideline:${this.desk.item.task}`
  }

  /** Number of the guideline version on the screen; 0 if there is none. */
  get version() {
    return this.desk.data.guideline?.version ?? 0
  }

  draw() {
    const found = this.desk.data.guideline
    this.box.hidden = !found?.text
    if (!found?.text) return
    this.box.open = preferences.get(this.name, 0) !== found.version
    const summary = find(this.box, "summary")
    summary.replaceChildren(`Guideline, version ${found.version}`)
    if (found.is_newer) {
      summary.append(
        Object.assign(el("span", "chip warn newer", "newer than the decision"), {
          title:
            "The item was decided on under an older version, or before the guideline: check whether the decision is still right.",
        }),
      )
    }
    find(this.box, ".marked").innerHTML = found.html // safe HTML made by core/text/markdown.py, which escapes any HTML in the text
  }
}
