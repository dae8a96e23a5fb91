// One answer to grade: what is known on one side, what was answered on the other, the marks under both.

const words = (kind, text, language, tag = "div") => {
  const made = make(tag, `foreign ${kind}`, text)
  made.dir = "auto"
  made.lang = language
  return made
}

/** An answer on the screen. */
class Answer extends Sheet {
  start() {
    const { standing } = this.data
    return { mark: standing?.mark ?? "", comment: standing?.comment ?? "" }
  }

  build() {
    const { data } = this, { language, claim } = data
    const quotes = list => list.map(one => {
      const made = make("blockquote", "")
      const title = [one.number && `[${one.number}]`, one.title].filter(Boolean).join(" ")
      made.append(words("title", title, language), words("", one.text, language))
      return made
    })
    const asked = [make("div", "label", "Question"), words("question", data.question, language)]
    if (data.now) asked.push(make("div", "faint", `Asked at ${data.now}`))
    for (const [name, text] of Object.entries(data.inputs)) asked.push(make("div", "label", name), words("", text, language))
    if (data.golds.length) asked.push(make("div", "label", data.golds.length > 1 ? "Gold answers, any of them" : "Gold answer"))
    asked.push(...data.golds.map(gold => words("", gold, language)))
    if (data.evidence.length) asked.push(make("div", "label", `Evidence (${data.evidence.length})`), ...quotes(data.evidence))
    const answered = claim
      ? [make("div", "asks", claim.asks), make("div", "label", "Sentence"), words("claim", claim.sentence, language),
        make("div", "label", claim.passages.length ? `Passages (${claim.passages.length})` : "Text"),
        ...(claim.passages.length ? quotes(claim.passages) : [words("answer", claim.text, language)])]
      : [make("div", "label", "Answer to grade"),
        data.answer.trim() ? words("answer", data.answer, language) : make("div", "faint", "It answered with nothing.")]
    this.find(".asked").replaceChildren(...asked)
    this.find(".answered").replaceChildren(...answered)
    for (const side of this.root.querySelectorAll(".side")) side.scrollTop = 0
    const between = this.find(".between")
    between.hidden = !data.between.length
    between.replaceChildren(make("b", "", "Two who graded it differ. Yours decides."), ...data.between.map(one => {
      const line = make("div", "")
      line.append(make("span", "", one.mark + (one.comment ? ": " : "")), words("", one.comment, language, "span"))
      return line
    }))
    this.find(".marks").replaceChildren(...data.marks.map((mark, n) => {
      const made = make("button", "mark")
      made.type = "button"
      made.dataset.mark = mark.name
      made.setAttribute("role", "radio")
      const name = make("span", "name", mark.name)
      name.prepend(make("kbd", "", String(n + 1)))
      made.append(name, make("span", "about", mark.about))
      made.onclick = () => this.choose(mark.name)
      return made
    }))
    const comment = this.find(".comment")
    comment.value = this.given.comment
    comment.oninput = () => { this.given.comment = comment.value; this.keep() }
  }

  draw() {
    const { data, given } = this
    for (const made of this.root.querySelectorAll(".mark")) {
      made.classList.toggle("chosen", made.dataset.mark === given.mark)
      made.setAttribute("aria-checked", String(made.dataset.mark === given.mark))
      made.disabled = !data.needed || this.waits
    }
    this.foot(given.mark && data.needed, data.needed ? "" : "Others have graded this one: go on with the next.")
  }

  choose(mark) {
    if (this.waits || !this.data.needed) return
    this.given.mark = this.given.mark === mark ? "" : mark
    this.keep()
    this.draw()
  }

  confirm() { this.save() }

  acts() {
    const marks = this.data.marks.slice(0, 9).map(({ name }, n) => [n + 1, () => this.choose(name)])
    return { c: () => this.find(".comment").focus(), ...Object.fromEntries(marks) }
  }
}

export default shown(Answer)
