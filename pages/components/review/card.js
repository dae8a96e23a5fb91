// Draws the right side of the review desk: the item's task with its definition, the boxes for question and answer, the changes
// against the draft, the evidence, the checks, and how the item was built. Other modules handle decisions.

import { differenceLine } from "../lib/diff_view.js"
import { documentOf, sentencesOf, textOf } from "../lib/document_cache.js"
import { button, el, find, finder, foreign, relabel, write } from "../lib/dom.js"
import { preferences } from "../lib/preferences.js"
import { LANGUAGE_NAMES, unseenNote } from "../lib/text.js"
import { GuidelineNotice } from "./guideline.js"
import { HistoryList } from "./history.js"

/** @type {Record<string, string>} */
const LABELS = { accepted: "accepted", discarded: "discarded", refused: "refused by a gate", drafted: "to review" }

/** @type {Record<string, string>} */
const OUTCOMES = { pass: "passed", flag: "flagged", refuse: "refused", "not run": "not run" }

/** @param {unknown} value */
const figure = value => (typeof value === "number" && Number.isFinite(value) ? value.toFixed(2) : "\u2013")

/** @type {Record<string, string>} */
const STEPS = {
  common: "in common",
  differences: "told by one alone",
  draft: "first question",
  reconstruction: "rewritten",
  source_item: "starts from",
  regeneration: "drafted again",
} // kinds of steps, with the names that people see

export class ItemCard {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk
    this.root = desk.root
    this.find = finder(this.root)
    this.definition = this.find("definition", HTMLDetailsElement)
    this.guideline = new GuidelineNotice(desk)
    this.history = new HistoryList(desk)
    this.definition.ontoggle = () => preferences.set("definition", this.definition.open)
    this.find("diff-toggle").onclick = () => this.toggleDiff()
    this.find("put-back").onclick = () => desk.boxes.putMachineBack()
  }

  draw() {
    const { item, data } = this.desk
    const chips = [
      ["task", item.task_label || item.task],
      ["", item.level === null || item.level === undefined || item.level === "" ? "" : `Level ${item.level}`],
      ["", item.domain],
      ["", LANGUAGE_NAMES[item.language] ?? item.language],
      ["faint", `rev. ${item.revision}`],
      [`status ${item.status}`, LABELS[item.status] ?? item.status],
    ]
    this.find("about").replaceChildren(
      ...chips
        .filter(([, words]) => words)
        .map(([kind, words]) => {
          const chip = foreign("span", `chip ${kind}`, words)
          const last = data.history?.at(-1)
          if (kind === "faint" && last) chip.title = `Revision ${last.revision} by ${last.by || "the machine"}, ${last.at}`
          return chip
        }),
    )
    this.definition.hidden = !item.definition
    this.definition.open = preferences.get("definition", false)
    find(this.definition, "summary").textContent = `What ${item.task_label || "this task"} asks for`
    const words = find(this.definition, "p")
    words.replaceChildren(...foreign("span", "", item.definition ?? "").childNodes)
    words.dir = "auto"
    this.note()
    this.guideline.draw()
    this.desk.blind.draw()
    this.history.draw()
    this.furtherAnswers(item.answers.slice(1))
    this.rewrites(data.rewrites ?? [])
    this.verdicts(data.verdicts ?? [])
    this.steps(data.steps ?? [])
    this.find("left").textContent = typeof data.position?.left === "number" ? `${data.position.left} left` : ""
    this.find("undo").hidden = !data.position?.undo
    this.find("undo").title = data.position?.undo ? `Takes back the decision on: ${data.position.undo.question}` : ""
    this.find("next").hidden = data.show_next === false
    relabel(this.find("next"), data.next_label ?? undefined)
    this.find("previous").hidden = data.show_next === false && !data.position?.has_back
  }

  /** Draw the decision on the item, if there is one, and a link to the page on which a person decides between opinions. */
  note() {
    const { note, leads_to_opinions: leads } = this.desk.data
    const place = this.find("item-note")
    place.hidden = !note
    place.replaceChildren(foreign("span", "", note ?? ""))
    if (!leads) return
    const go = button("plain", "Decide between them")
    go.onclick = () => this.desk.deciding.free && this.desk.deciding.ask("opinions", this.desk.item.id)
    place.append(go)
  }

  /** @param {string[]} answers */
  furtherAnswers(answers) {
    const place = this.find("further")
    place.hidden = !answers.length
    place.replaceChildren(el("span", "faint", "Also accepted"), ...answers.map(words => foreign("span", "chip", words)))
  }

  /**
   * Draw other people's rewrites of the question, as far as this person may see them.
   * @param {NonNullable<ReviewData["rewrites"]>} rows
   */
  rewrites(rows) {
    const place = this.find("rewrites")
    place.hidden = !rows.length
    find(place, "summary").textContent = rows.length === 1 ? "One rewrite by a person" : `${rows.length} rewrites by people`
    find(place, "ul").replaceChildren(
      ...rows.map(one => {
        const line = el("li", "rewrite")
        const about = [
          one.person,
          one.status === "drafted" ? "waits for somebody to accept it" : "",
          one.revision === this.desk.item.revision ? "" : `of revision ${one.revision}`,
        ]
        line.append(foreign("span", "", one.text), foreign("span", "faint", about.filter(Boolean).join(", ")))
        return line
      }),
    )
  }

  /** @param {Verdict[]} rows */
  verdicts(rows) {
    const { rag } = this.desk.data
    this.find("checks").hidden = !rows.length && !rag
    /** @type {Record<string, number>} */
    const order = { refuse: 0, flag: 1, "not run": 2, pass: 3 }
    const worst = [...rows].sort((a, b) => (order[a.outcome] ?? 4) - (order[b.outcome] ?? 4))
    const telling = worst.filter(row => row.outcome !== "pass" || row.why || row.asked?.length)
    const quiet = worst.filter(row => !telling.includes(row))
    const list = telling.map(row => {
      const line = el("li", `verdict ${row.outcome.replace(" ", "-")}`)
      const dot = el("span", "dot")
      dot.setAttribute("role", "img")
      dot.setAttribute("aria-label", OUTCOMES[row.outcome] ?? row.outcome)
      line.append(
        dot,
        el("span", "gate", row.gate.replaceAll("_", " ")),
        foreign("span", "why", row.why || OUTCOMES[row.outcome] || row.outcome),
      )
      if (row.asked?.length) {
        const asked = el("details", "asked")
        asked.append(el("summary", "faint", "What was asked"), ...row.asked.map(words => foreign("p", "faint", words)))
        line.append(asked)
      }
      return line
    })
    if (quiet.length) {
      const line = el("li", "verdict pass")
      const dot = el("span", "dot")
      dot.setAttribute("role", "img")
      dot.setAttribute("aria-label", "passed")
      line.append(dot, el("span", "why", `Passed: ${quiet.map(row => row.gate.replaceAll("_", " ")).join(", ")}`))
      list.push(line)
    }
    this.find("verdicts").replaceChildren(...list)
    this.rag()
  }

  /** Draw the numbers of the RAG check; after an edit, say that they are about the text before the edit. */
  rag() {
    const { rag } = this.desk.data
    const place = this.find("rag")
    place.hidden = !rag
    if (!rag) return
    const stale = rag.stale || this.desk.edited
    const line = el("div", stale ? "figures stale" : "figures")
    const judge = rag.judge === null || rag.judge === undefined ? "\u2013" : `${rag.judge}/9`
    const rows = [
      ["precision", figure(rag.precision)],
      ["recall", figure(rag.recall)],
      ["F1", figure(rag.f1)],
      ["judge", judge],
    ]
    if (rag.multi_choice !== undefined) rows.push(["choice", rag.multi_choice === null ? "\u2013" : String(rag.multi_choice)])
    line.append(
      el("span", "rag-name", "RAG check"),
      ...rows.map(([name, value]) => {
        const cell = el("span", "figure")
        cell.append(el("span", "faint", name), el("b", "", value))
        return cell
      }),
    )
    if (stale)
      line.append(
        Object.assign(el("span", "chip warn", "before the edit"), {
          title: "These figures are about the text before the edit.",
        }),
      )
    if (rag.offline)
      line.append(Object.assign(el("span", "chip", "offline"), { title: "Made by the offline agent, without an LLM." }))
    const rows2 = [line]
    if (rag.answer) {
      const answer = el("p", "rag-answer")
      answer.append(el("span", "faint", "It answered "), foreign("span", "", rag.answer))
      rows2.push(answer)
    }
    place.replaceChildren(...rows2)
  }

  /** @param {BuildStep[]} rows */
  steps(rows) {
    this.find("steps").hidden = !rows.length
    this.find("steps-list").replaceChildren(
      ...rows.map(row => {
        const line = el("li", "step")
        const why = foreign("span", "why", row.text ?? "")
        line.append(el("span", "gate", STEPS[row.kind] ?? row.kind.replaceAll("_", " ")), why)
        if (row.hits) why.append(el("span", "found", row.found), this.hits(row.hits))
        return line
      }),
    )
  }

  /**
   * Draw the documents that a search found: kept or dropped, the provider's score, and the reason.
   * @param {NonNullable<BuildStep["hits"]>} rows
   */
  hits(rows) {
    const list = el("ul", "hits")
    list.append(
      ...rows.map(hit => {
        const line = el("li", hit.is_kept ? "hit kept" : "hit")
        const words = el("span", "hit-words")
        words.append(foreign("b", "", hit.title ?? ""), foreign("span", "", hit.why))
        line.append(
          el("span", "hit-state", hit.is_kept ? "kept" : "dropped"),
          el("span", "hit-score", String(hit.score ?? "\u2013")),
          words,
        )
        return line
      }),
    )
    return list
  }

  /** Draw the evidence as rows: its text, its sentence numbers, and the buttons that show and remove it. */
  evidence() {
    const { desk } = this
    const spans = desk.evidence
    this.find("evidence-count").textContent = spans.length ? String(spans.length) : ""
    /** @type {Map<string, [number, string]>} */
    const titles = new Map(desk.data.documents.map((one, n) => [one.id, [n + 1, one.title]]))
    const rows = spans.map((span, n) => {
      const row = el("li", n === desk.paper.current ? "span-row current" : "span-row")
      const go = button("plain go")
      go.title = "Show it in the document"
      const number = el("span", "badge", String(n + 1))
      const words = el("span", "words foreign")
      words.dir = "auto"
      const where = el("span", "faint sentence-numbers")
      go.append(number, words, where)
      go.onclick = () => desk.paper.jumpTo(n)
      const [place, title] = titles.get(span.document) ?? ["?", ""]
      const inDocument = titles.size > 1 ? `doc. ${place}` : ""
      documentOf(span.document).then(
        found => {
          const text = textOf(found, span)
          words.replaceChildren()
          write(words, text.length > 400 ? `${text.slice(0, 260)} \u2026 ${text.slice(-100)}` : text)
          where.textContent = inDocument
          where.title = title
          found.numbered.then(() => {
            const numbers = sentencesOf(found, span)
            where.textContent = [inDocument, numbers && `s. ${numbers}`].filter(Boolean).join(", ")
          })
        },
        () => {
          words.textContent = "The document could not be opened."
        },
      )
      const drop = button("small remove", "\u00d7")
      drop.title = `Remove evidence ${n + 1}`
      drop.setAttribute("aria-label", `Remove evidence ${n + 1}`)
      drop.disabled = !desk.mayEdit
      drop.onclick = () => desk.setEvidence(desk.evidence.filter((_, other) => other !== n))
      row.append(go, drop)
      return row
    })
    if (!rows.length)
      rows.push(el("li", "faint none", "No evidence. Select text in the document and press e, or type sentence numbers."))
    this.find("evidence").replaceChildren(...rows)
  }

  /** Mark the row of the current evidence without drawing the rows again. */
  markCurrent() {
    this.find("evidence")
      .querySelectorAll(".span-row")
      .forEach((row, n) => row.classList.toggle("current", n === this.desk.paper.current))
  }

  toggleDiff() {
    preferences.set("diff", !preferences.get("diff", true))
    this.diff()
  }

  /** Draw the changes against the draft; draw nothing if nothing changed. */
  diff() {
    const { machine } = this.desk.data
    const { question, answer } = this.desk.words
    const place = this.find("diff")
    const pairs = machine
      ? [
          ["Question", machine.question, question],
          ["Answer", machine.answers?.[0] ?? "", answer],
        ]
      : []
    const changed = pairs.filter(([, before, after]) => before !== after)
    place.hidden = !changed.length || Boolean(this.desk.data.blind || this.desk.data.alone)
    if (place.hidden || !machine) return
    const open = preferences.get("diff", true)
    const byMachine = machine.origin === undefined || machine.origin === "drafted"

    this.find("put-back").textContent = byMachine ? "Put the machine's text back" : "Put the first text back"
    this.find("put-back", HTMLButtonElement).disabled = !this.desk.mayEdit
    this.find("diff-toggle").replaceChildren(open ? "Hide " : "Show ", el("kbd", "", "d"))
    this.find("diff-body").hidden = !open
    if (!open) return
    this.find("diff-body").replaceChildren(...changed.map(([name, before, after]) => differenceLine(name, before, after)))
  }

  hints() {
    const { question, answer } = this.desk.words
    const say = (/** @type {string} */ name, /** @type {string} */ words) => {
      this.find(name).hidden = !words
      this.find(name).textContent = words
    }
    say("question-hint", unseenNote(question))
    const frame = this.desk.item.is_frame ? "A frame to fill: accept it with an answer in your own words." : ""
    say("answer-hint", [frame, unseenNote(answer)].filter(Boolean).join(" "))
  }
}
