// Discarding: an inline list of reasons, a line for one's own words; digits choose, Enter discards, Esc keeps.

class Discard {
  constructor(desk) {
    this.desk = desk
    this.place = desk.find("discard")
    desk.find("discard-open").onclick = () => this.isOpen ? this.close() : this.open()
    desk.find("confirm").onclick = () => this.confirm()
    desk.find("cancel").onclick = () => this.close()
  }

  get isOpen() { return !this.place.hidden }

  open() {
    const { desk } = this
    if (!desk.deciding.mayDecide) return
    this.reason = ""
    desk.say("")
    desk.find("comment").value = ""
    desk.find("reasons").replaceChildren(...desk.data.reasons.map((words, n) => {
      const choice = el("button", "small reason")
      choice.type = "button"
      choice.setAttribute("role", "radio")
      choice.setAttribute("aria-checked", "false")
      if (n < 9) choice.append(el("kbd", "", String(n + 1)), " ")
      choice.append(words)
      choice.onclick = () => this.choose(n)
      return choice
    }))
    this.place.hidden = false
    this.place.focus({ preventScroll: true })
    desk.opinions.chooseReason()
  }

  choose(n) {
    const reason = this.desk.data.reasons[n]
    if (reason === undefined) return
    this.reason = reason
    this.desk.find("reasons").childNodes.forEach((choice, other) => choice.setAttribute("aria-checked", String(other === n)))
    this.place.focus({ preventScroll: true })
  }

  confirm() {
    const comment = this.desk.find("comment").value.trim()
    if (!this.reason && !comment) return this.desk.say("Choose a reason, or write one.")
    this.desk.deciding.decide("discard", this.reason ? { reason: this.reason, comment } : { reason: comment })
  }

  close(refocus = true) {
    const open = this.isOpen
    this.place.hidden = true
    if (open && refocus) this.desk.root.getRootNode().activeElement?.blur()
  }
}
