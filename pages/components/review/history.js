// The history of an item: its revisions with their authors and changes, and the decisions that the reader may see. The history
// is fetched when a person opens it.

import { differenceLine } from "../lib/diff_view.js"
import { el, find, foreign } from "../lib/dom.js"
import { preferences } from "../lib/preferences.js"
import { locate } from "../lib/requests.js"
import { day } from "../lib/text.js"

/** @type {Record<string, string>} */
const VERBS = { accept: "accepted", discard: "discarded", undo: "took a decision back" }

/** @type {Record<string, string>} */
const ASSISTANCE = { none: "written without a draft", "blind reveal": "own answer before the draft" }

export class HistoryList {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk
    this.list = find(desk.root, ".history-list")
    this.button = find(desk.root, ".history-toggle")
    this.button.onclick = () => this.toggle()
  }

  wanted = false
  /** @type {object | null} */
  asked = null

  /** Draw the item's history; after a decision it is fetched again. */
  draw() {
    const open = preferences.get("history", false)
    this.list.hidden = !open
    const revisions = this.desk.data.history?.length ?? 0
    const count = revisions > 1 ? ` ${revisions} revisions ` : " "
    this.button.replaceChildren(el("span", "label", "History"), count, el("kbd", "", "h"))
    this.button.setAttribute("aria-expanded", String(open))
    if (open) this.fetch()
  }

  toggle() {
    this.wanted = Boolean(this.list.hidden)
    preferences.set("history", this.wanted)
    this.draw()
  }

  async fetch() {
    const { item, data } = this.desk
    const asked = {}
    this.asked = asked
    let rows
    try {
      const answer = await fetch(
        locate(`/bench/history/${encodeURIComponent(item.id)}?person=${encodeURIComponent(data.person)}`),
      )
      const found = await answer.json()
      if (!answer.ok) throw new Error(found.message ?? `The server answered ${answer.status}.`)
      rows = this.events(found)
    } catch (error) {
      rows = [el("li", "faint", `The history could not be opened: ${error instanceof Error ? error.message : error}`)]
    }
    if (this.asked !== asked) return
    this.list.replaceChildren(...rows)
    if (this.wanted && this.list.parentElement) this.desk.fit.bring(this.list.parentElement)
    this.wanted = false
  }

  /**
   * Return the rows of the history, the latest first; a decision is above the revision that it was about.
   * @param {{ revisions: RevisionEvent[], decisions: DecisionEvent[] }} history
   */
  events({ revisions, decisions }) {
    const rows = [
      ...revisions.map((one, n) => ({ at: one.at, row: this.revision(one, revisions[n - 1]) })),
      ...decisions.map(one => ({ at: one.at, row: this.decision(one) })),
    ].map((event, n) => ({ ...event, n }))
    return rows.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.n - a.n)).map(({ row }) => row)
  }

  /**
   * @param {RevisionEvent} one
   * @param {RevisionEvent} [before]
   */
  revision(one, before) {
    const row = this.row(
      "",
      `Revision ${one.revision}`,
      before ? `by ${one.by}` : `first words, by ${one.by || "the machine"}`,
      one.at,
    )
    if (!before) return row
    const pairs = [
      ["Question", before.question, one.question],
      ["Answer", before.answers.join("\n"), one.answers.join("\n")],
    ]
    for (const [name, old, fresh] of [
      ...pairs.filter(([, old, fresh]) => old !== fresh),
      ...this.desk.labels.differences(before, one),
    ])
      row.append(differenceLine(name, old, fresh))
    const places = (/** @type {Span[]} */ spans) => new Set(spans.map(span => `${span.document}:${span.start}:${span.end}`))
    const [had, has] = [places(before.evidence), places(one.evidence)]
    const [gone, come] = [[...had].filter(place => !has.has(place)).length, [...has].filter(place => !had.has(place)).length]
    if (gone || come)
      row.append(
        el("p", "faint", `Evidence: ${[gone && `${gone} taken out`, come && `${come} added`].filter(Boolean).join(", ")}`),
      )
    return row
  }

  /** @param {DecisionEvent} one */
  decision(one) {
    const who = one.person === this.desk.data.person ? "You" : one.person
    /** @type {Record<string, string>} */
    const kinds = { accept: "accept-event", discard: "discard-event" }
    const on = one.decision === "undo" ? "" : `revision ${one.revision}`
    const row = this.row(
      kinds[one.decision] ?? "",
      `${who} ${VERBS[one.decision] ?? one.decision}`,
      [on, one.guideline && `guideline ${one.guideline}`, ASSISTANCE[one.assistance ?? ""]].filter(Boolean).join(", "),
      one.at,
    )
    const why = [one.reason, one.comment].filter(Boolean).join(" \u2013 ")
    if (why) row.append(foreign("p", "", why))
    row.append(...this.desk.questions.answerLines(one, [one]))
    const { item } = this.desk
    if (one.words && one.revision === item.revision) {
      const pairs = [
        ["Question typed", item.question, one.words.question],
        ["Answer typed", item.answers[0] ?? "", one.words.answer],
      ]
      for (const [name, old, fresh] of pairs.filter(([, old, fresh]) => old !== fresh))
        row.append(differenceLine(name, old, fresh))
    }
    return row
  }

  /**
   * @param {string} kind
   * @param {string} what
   * @param {string} about
   * @param {string} at
   */
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
