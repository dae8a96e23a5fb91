// What annotators are told beside the item. It stands open until it is closed, and stays closed for that task until it changes.

class Guideline {
  constructor(desk) {
    this.desk = desk
    this.box = desk.root.querySelector(".guideline")
    this.box.ontoggle = () => {
      if (!this.box.hidden) shown.keep(this.name, this.box.open ? 0 : this.version)
    }
  }

  get name() { return `guideline:${this.desk.item.task}` }

  /** The version on the screen; 0 when there is none. */
  get version() { return this.desk.data.guideline?.version ?? 0 }

  draw() {
    const found = this.desk.data.guideline
    this.box.hidden = !found?.text
    if (this.box.hidden) return
    this.box.open = shown.has(this.name, 0) !== found.version
    const summary = this.box.querySelector("summary")
    summary.replaceChildren(`Guideline, version ${found.version}`)
    if (found.is_newer) {
      summary.append(Object.assign(el("span", "chip warn newer", "newer than the decision"), {
        title: "The item was decided under an older version, or before there was any: look whether the decision holds.",
      }))
    }
    const words = this.box.querySelector("p")
    words.replaceChildren()
    write(words, found.text)
  }
}
