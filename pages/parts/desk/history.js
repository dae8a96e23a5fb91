// What became of the item: who wrote which revision and what it changed, and the decisions that the reader may know of. It is
// fetched when it is opened.

const VERBS = { accept: "accepted", discard: "discarded", undo: "took a decision back" }

const day = at => {
  const when = new Date(at)
  return Number.isNaN(when.valueOf()) ? "earlier" : `${when.toLocaleDateString([], { dateStyle: "medium" })}, ${clock(at, false)}`
}

class History {
  constructor(desk) {
    this.desk = desk
    this.list = desk.root.querySelector(".history-list")
    this.button = desk.root.querySelector(".history-toggle")
    this.button.onclick = () => this.toggle()
  }

  /** The item as it is now; what was fetched of it before a decision is not its history any more. */
  draw() {
    const open = shown.has("history", false)
    this.list.hidden = !open
    const revisions = this.desk.data.history?.length ?? 0
    const count = revisions > 1 ? ` ${revisions} revisions ` : " "
    this.button.replaceChildren(el("span", "label", "History"), count, el("kbd", "", "h"))
    this.button.setAttribute("aria-expanded", String(open))
    if (open) this.fetch()
  }

  toggle() {
    this.wanted = this.list.hidden
    shown.keep("history", this.wanted)
    this.draw()
  }

  async fetch() {
    const { item, data } = this.desk
    const asked = this.asked = {}
    let rows
    try {
      const answer = await fetch(`/bench/history/${encodeURIComponent(item.id)}?person=${encodeURIComponent(data.person)}`)
      const found = await answer.json()
      if (!answer.ok) throw new Error(found.message ?? `The server answered ${answer.status}.`)
      rows = this.events(found)
    } catch (error) {
      rows = [el("li", "faint", `The history could not be opened: ${error.message}`)]
    }
    if (this.asked !== asked) return
    this.list.replaceChildren(...rows)
    if (this.wanted) this.desk.fit.bring(this.list.parentElement)
    this.wanted = false
  }

  /** Rows, the latest first; a decision stands over the revision that it was on. */
  events({ revisions, decisions }) {
    const rows = []
    revisions.forEach((one, n) => rows.push([one.at, this.revision(one, revisions[n - 1])]))
    decisions.forEach(one => rows.push([one.at, this.decision(one)]))
    return rows.map((row, n) => [...row, n]).sort((a, b) => a[0] < b[0] ? 1 : a[0] > b[0] ? -1 : b[2] - a[2]).map(row => row[1])
  }

  revision(one, before) {
    const row = this.row("", `Revision ${one.revision}`, before ? `by ${one.by}` : `first words, by ${one.by || "the machine"}`, one.at)
    if (!before) return row
    const pairs = [["Question", before.question, one.question], ["Answer", before.answers.join("\n"), one.answers.join("\n")]]
    for (const [name, old, fresh] of [...pairs.filter(([, old, fresh]) => old !== fresh), ...this.desk.labels.apart(before, one)]) row.append(differenceLine(name, old, fresh))
    const places = spans => new Set(spans.map(span => `${span.document}:${span.start}:${span.end}`))
    const [had, has] = [places(before.evidence), places(one.evidence)]
    const [gone, come] = [[...had].filter(place => !has.has(place)).length, [...has].filter(place => !had.has(place)).length]
    if (gone || come) row.append(el("p", "faint", `Evidence: ${[gone && `${gone} taken out`, come && `${come} added`].filter(Boolean).join(", ")}`))
    return row
  }

  decision(one) {
    const who = one.person === this.desk.data.person ? "You" : one.person
    const kind = { accept: "accept", discard: "discard-event" }[one.decision] ?? ""
    const on = one.decision === "undo" ? "" : `revision ${one.revision}`
    const row = this.row(kind, `${who} ${VERBS[one.decision] ?? one.decision}`, [on, one.guideline && `guideline ${one.guideline}`].filter(Boolean).join(", "), one.at)
    const why = [one.reason, one.comment].filter(Boolean).join(" \u2013 ")
    if (why) row.append(foreign("p", "", why))
    const { item } = this.desk
    if (one.words && one.revision === item.revision) {
      const pairs = [["Question typed", item.question, one.words.question], ["Answer typed", item.answers[0] ?? "", one.words.answer]]
      for (const [name, old, fresh] of pairs.filter(([, old, fresh]) => old !== fresh)) row.append(differenceLine(name, old, fresh))
    }
    return row
  }

  row(kind, what, about, at) {
    const row = el("li", `event ${kind}`)
    const head = el("div", "event-head")
    const time = el("span", "faint", day(at))
    time.title = at
    head.append(foreign("span", "gate", what), foreign("span", "faint", about), time)
    row.append(head)
    return row
  }
}
