// Why it is decided so between opinions: a box that loses nothing of what is typed, and goes with the decision.

class Because {
  constructor(desk) {
    this.desk = desk
    this.on = "why"
    this.work = { evidence: [] }
    this.box = desk.find("because")
    this.keeper = new Keeper(this)
    this.box.oninput = () => this.keeper.typed()
    this.box.onblur = () => this.keeper.flush()
  }

  // What a keeper asks of whose words it keeps.
  get item() { return this.desk.item }
  get data() { return this.desk.data }
  get gone() { return this.desk.gone }
  get base() { return this.desk.item.revision }
  get time() { return this.desk.time }
  get words() { return { question: this.box.value, answer: "" } }

  /** Another item: what was typed for it before. */
  open() {
    const { person, opinions } = this.data
    const there = opinions.why && { ...opinions.why, at: Date.parse(opinions.why.saved_at) || 0 }
    const here = person ? copyOf(person, `why:${this.item.id}`) : null
    const copy = here && (!there || here.at > there.at) ? here : there
    this.keeper.knows(opinions.why?.saved_at ?? "")
    hideOtherWords(this)
    this.box.value = copy?.question ?? ""
    this.saved("")
    if (copy && copy === here) this.keeper.typed()
  }

  elsewhere(theirs, message) { otherWords(this, theirs, message) }

  saved(words, trouble = false) {
    const place = this.desk.find("because-saved")
    place.textContent = words
    place.classList.toggle("trouble", trouble)
  }
}
