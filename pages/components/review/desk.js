// The review desk: the data on the screen, and the changes that a person has made. New data from Streamlit never overwrites a
// box in which the person typed.

import { ActiveTime } from "../lib/active_time.js"
import { memory } from "../lib/browser_memory.js"
import { onLeave } from "../lib/component.js"
import { spansFromNumbers } from "../lib/document_cache.js"
import { find, findAll, finder, focused } from "../lib/dom.js"
import { DraftKeeper, dropOldDrafts, forget, visitKey } from "../lib/drafts.js"
import { showLost } from "../lib/lost_entry.js"
import { BlindAnswer } from "./blind_answer.js"
import { ItemCard } from "./card.js"
import { ClaimList } from "./claims/claims.js"
import { CommentThread } from "./comments.js"
import { Decisions } from "./decisions.js"
import { DocumentPane } from "./document/paper.js"
import { Hold } from "./hold.js"
import { listen } from "./keys.js"
import { LabelQuestions } from "./label_questions.js"
import { LabelChoices } from "./labels.js"
import { OpinionList } from "./opinions.js"
import { FeedbackNotice } from "./qualification_feedback.js"
import { ReadingAhead } from "./reading_ahead.js"
import { ReasonList } from "./reason_list.js"
import { BOXES, isBox, TextBoxes } from "./text_boxes.js"
import { WindowFit } from "./window_fit.js"

const LONG_WORDS = 20_000 // characters

const AT_REST = 300

export class Desk {
  /** @type {ReviewData} */
  data
  /** @type {ReviewItem} */
  item
  /** @type {import("../lib/component.js").StreamlitComponent["setTriggerValue"]} */
  setTriggerValue
  /** The evidence as the person has it in the boxes. @type {Span[]} */
  evidence = []
  gone = false
  resting = 0
  base = 0
  seen = ""
  receipt = ""
  /** @type {import("../lib/lost_entry.js").LostEntry | null} */
  lost = null
  drawnEvidence = ""
  drawnItem = ""
  hadClaims = false

  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = find(parent, ".desk")
    this.find = finder(this.root)
    this.boxes = new TextBoxes(this)
    this.paper = new DocumentPane(this.root, {
      evidence: () => this.evidence,
      mayEdit: () => this.mayEdit,
      add: spans => this.setEvidence([...this.evidence, ...spans]),
      replace: (n, span) => this.setEvidence(this.evidence.map((one, other) => (other === n ? span : one))),
      moved: () => this.card.markCurrent(),
      person: () => this.data.person,
      item: () => this.item.id,
      enter: name => this.enter(name),
      leave: box => this.leaveBox(box),
    })
    this.card = new ItemCard(this)
    this.claims = new ClaimList(this)
    this.labels = new LabelChoices(this)
    this.questions = new LabelQuestions(this)
    this.comments = new CommentThread(this)
    this.opinions = new OpinionList(this)
    this.deciding = new Decisions(this)
    this.holding = new Hold(this)
    this.ahead = new ReadingAhead(this)
    this.discard = new ReasonList(this)
    this.feedback = new FeedbackNotice(this)
    this.blind = new BlindAnswer(this)
    this.keeper = new DraftKeeper(this)
    this.time = new ActiveTime()
    this.fit = new WindowFit(this)
    this.bind()
    this.stopKeys = listen(this)
    dropOldDrafts()
  }

  // The values that the keeper of unsent text (`DraftKeeper`) needs.
  get pressKey() {
    return this.deciding.key
  }
  get labelAnswers() {
    return this.questions.values
  }
  /** @param {Holder | null | undefined} held @param {string} item */
  hearHolder(held, item) {
    this.holding.hear(held, item)
  }

  /** @param {import("./text_boxes.js").BoxName} name */
  box(name) {
    return this.boxes.box(name)
  }

  get words() {
    return this.boxes.words
  }

  get edited() {
    return this.boxes.edited
  }

  get changed() {
    return (
      this.edited ||
      this.labels.changed ||
      this.questions.changed ||
      JSON.stringify(this.evidence) !== JSON.stringify(this.item.evidence)
    )
  }

  get hasOwnWords() {
    return this.changed
  }

  bind() {
    this.find("accept").onclick = () => this.deciding.decide("accept")
    this.find("next").onclick = () => this.deciding.leave("next")
    this.find("previous").onclick = () => this.deciding.leave("back")
    this.find("undo").onclick = () => this.deciding.undo()
    this.stopLeaving = onLeave(() => this.leaving())
  }

  /** Send all unsent text and news when the page closes. */
  leaving() {
    this.keepVisit()
    this.paper.places.keep()
    for (const { keeper } of [this, this.comments, this.opinions.because]) keeper.last()
  }

  stop() {
    this.gone = true
    clearTimeout(this.resting)
    this.leaving()
    this.stopKeys()
    this.paper.stop()
    this.claims.stop()
    this.time.stop()
    this.holding.stop()
    this.ahead.stop()
    this.fit.stop()
    this.stopLeaving?.()
  }

  /**
   * Take the data of a run of the page's script, unless the desk has opened another item since then.
   * @param {{ data: ReviewData, setTriggerValue: Desk["setTriggerValue"] }} component
   */
  render({ data, setTriggerValue }) {
    this.setTriggerValue = setTriggerValue
    if (this.deciding.receive(data)) this.draw(data)
  }

  /**
   * Draw new data: refresh the item on the screen around the text boxes, or open another item.
   * @param {ReviewData} data
   */
  draw(data) {
    const before = this.item
    const fresh = data.item
    const person = this.data?.person
    const revealed = before?.id === fresh.id && person === data.person && this.data.blind === false && data.blind
    if (revealed) return // drawn before this person's own answer was stored
    const sight = Boolean(this.data?.blind) === Boolean(data.blind) && Boolean(this.data?.alone) === Boolean(data.alone)
    if (this.deciding.going && before?.id === fresh.id) return // a rerun on the way to the item that the button press opens
    this.data = data
    const same = before && before.id === fresh.id && before.revision === fresh.revision && person === data.person && sight
    if (same) {
      this.item = { ...fresh, question: before.question, answers: before.answers, evidence: before.evidence }
      this.seen = fresh.status
      this.holding.hear(data.held, fresh.id)
      if (this.lost)
        this.say(`${this.lost.by} took this item over: nothing was stored, and no other item follows in this list.`)
      this.lost = null
      if (data.feedback) this.feedback.show(data.feedback)
      this.card.draw()
      this.card.diff()
      this.comments.draw(data.comments?.thread ?? [])
      this.opinions.draw()
      this.questions.refresh()
      this.buttons()
      return
    }
    const theirsNow =
      before &&
      before.id === fresh.id &&
      person === data.person &&
      this.changed &&
      this.deciding.spent !== `${before.id}:${before.revision}`
    if (theirsNow) return this.changedMeanwhile(fresh)
    if (before) {
      // the item that a button press opened, or the item that the page opened instead
      if (this.deciding.steps.isOn) this.deciding.going = null
      this.keepVisit()
      this.keeper.leave()
      this.comments.leave()
      this.opinions.leave()
    }
    this.open(fresh)
  }

  /**
   * Show both texts when somebody else's newer revision arrives while this person has typed text.
   * @param {ReviewItem} fresh
   */
  changedMeanwhile(fresh) {
    const { words } = this
    this.item = fresh
    for (const name of BOXES) this.boxes.fill(name, words[name], true)
    this.labels.draw()
    this.questions.refresh()
    this.holding.hear(this.data.held, fresh.id)
    this.card.draw()
    this.after()
    this.deciding.appeared()
    this.deciding.conflict(fresh)
  }

  /**
   * Show the text that the same person typed for this item in another tab.
   * @param {OtherWords} theirs
   * @param {string} message
   */
  elsewhere(theirs, message) {
    this.deciding.conflict({ ...theirs, isScratch: true }, message)
  }

  /** @param {ReviewItem} item */
  open(item) {
    const { data } = this
    if (this.item?.id !== item.id) this.deciding.spent = "" // a person who comes back to it may decide again
    this.item = item
    this.base = item.revision
    this.seen = item.status
    this.keeper.knows(data.scratch?.saved_at ?? "")
    this.boxes.restart(item)
    this.say("")
    this.saved(this.receipt ? `last: ${this.receipt}` : "")
    this.receipt = ""
    this.discard.close(false)
    this.deciding.hideConflict()
    showLost(this)
    this.holding.open(data.held, item.id)
    this.find("back").hidden = true
    this.questions.open()
    const visit = memory.get(visitKey(data.person, item.id, item.revision))
    const copy = this.boxes.newest()
    this.claims.draw(visit?.claims)
    this.labels.open(visit?.labels)
    this.time.start(Math.max(data.scratch?.seconds ?? 0, copy?.seconds ?? 0, visit?.seconds ?? 0))
    const at = focused(this.root)
    if (at && this.root.contains(at)) at.blur()
    this.find("card-scroll").scrollTop = 0
    this.find("sentences", HTMLInputElement).value = ""
    this.find("sentences-hint").hidden = true
    this.card.draw()
    this.comments.open()
    this.opinions.open()
    this.paper.open(data.documents)
    this.ahead.open()
    this.after()
    if (copy) this.boxes.bringBack(copy)
    else if (data.decision?.words && !this.opinions.isOn) this.boxes.ownWords(data.decision.words)
    this.deciding.appeared()
    this.buttons()
    this.feedback.show(data.feedback ?? null)
    this.fit.take()
    this.fit.raise()
    this.root.dataset.deskItem = item.id
    this.holding.resume(item.id)
  }

  /**
   * The part that the typed text belongs to: "" = the item; "own" = the answer that the person writes before seeing the drafted
   * one.
   */
  get on() {
    return this.data?.blind ? "own" : ""
  }

  get mayEdit() {
    return Boolean(this.data?.person) && this.opinions.mayDecide && !this.deciding.busy && !this.deciding.going
  }

  /** Put the other text in place of the person's own. @param {OtherWords} theirs */
  take(theirs) {
    const { data } = this
    this.seen = theirs.status ?? this.seen
    this.item = {
      ...this.item,
      status: this.seen,
      revision: theirs.revision,
      question: theirs.question,
      answers: theirs.answers,
      evidence: theirs.evidence ?? [],
      taxonomy: theirs.taxonomy ?? this.item.taxonomy,
    }
    this.base = theirs.revision
    this.boxes.restart(this.item)
    this.claims.draw()
    this.labels.open()
    this.keeper.done()
    forget(data.person, this.item.id)
    this.deciding.spent = ""
    this.deciding.appeared()
    this.card.draw()
    this.after()
    this.keeper.typed() // the stored unsent text equals the item's text, so nothing is restored
    this.buttons()
  }

  /** @param {Span[]} spans */
  setEvidence(spans) {
    if (!this.mayEdit || this.data.blind) return
    /** @type {Map<string, number>} */
    const order = new Map(this.data.documents.map((one, n) => [one.id, n]))
    /** @type {Map<string, Span>} */
    const once = new Map(
      spans.map(span => [
        `${span.document}:${span.start}:${span.end}`,
        { document: span.document, start: span.start, end: span.end },
      ]),
    )
    this.evidence = [...once.values()].sort(
      (a, b) => (order.get(a.document) ?? 99) - (order.get(b.document) ?? 99) || a.start - b.start || a.end - b.end,
    )
    this.touched()
  }

  /** Draw what depends on the text and the evidence, and keep the changes, after the person changed something. */
  touched() {
    this.find("back").hidden = true
    this.say("")
    this.after()
    this.keeper.typed()
  }

  /** Draw everything that depends on the text and the evidence. */
  after() {
    const { question, answer } = this.words
    clearTimeout(this.resting)
    if (question.length + answer.length > LONG_WORDS) this.resting = setTimeout(() => this.rested(), AT_REST)
    else this.rested()
    const print = JSON.stringify(this.evidence)
    if (print === this.drawnEvidence && this.drawnItem === this.item.id) return
    this.drawnEvidence = print
    this.drawnItem = this.item.id
    this.paper.marks()
    this.card.evidence()
  }

  /** Draw what would be too slow for a long answer, once the person stops typing. */
  rested() {
    this.card.diff()
    this.card.hints()
    this.card.rag()
    this.claims.settled()
  }

  /** Change the answer without typing in its box. @param {string} text */
  setAnswer(text) {
    this.boxes.fill("answer", text, true)
    this.touched()
  }

  keepVisit() {
    const { data, item } = this
    if (!data?.person || !item || this.deciding.spent === `${item.id}:${item.revision}`) return
    memory.set(visitKey(data.person, item.id, item.revision), {
      seconds: this.time.seconds,
      claims: [...this.claims.states],
      labels: this.labels.chosen,
      at: Date.now(),
    })
  }

  /**
   * Put the focus into a text box, at its end; when the person leaves the box, keys act on the claims again if they did before.
   * @param {string} name
   */
  enter(name) {
    const box = /** @type {HTMLTextAreaElement} */ (this.find(isBox(name) ? `field .${name}` : name))
    this.hadClaims = this.claims.focused
    box.focus()
    box.setSelectionRange(box.value.length, box.value.length)
    if (this.find("card-scroll").contains(box)) this.fit.bring(box)
  }

  /** @param {HTMLElement} box */
  leaveBox(box) {
    box.blur()
    if (this.hadClaims) this.claims.list.focus({ preventScroll: true })
    this.hadClaims = false
  }

  /** Add evidence by sentence numbers of the document on the screen. @param {boolean} replaceAll */
  async addTyped(replaceAll) {
    const { found } = this.paper
    await found?.numbered
    if (this.paper.found !== found) return
    const box = this.find("sentences", HTMLInputElement)
    const hint = this.find("sentences-hint")
    hint.hidden = true
    if (!box.value.trim() || !this.paper.found || !this.mayEdit) return
    try {
      const spans = spansFromNumbers(box.value, this.paper.found)
      this.setEvidence(replaceAll ? spans : [...this.evidence, ...spans])
      box.value = ""
      this.leaveBox(box)
      const n = this.evidence.findIndex(one => one.document === spans[0].document && one.start === spans[0].start)
      if (n >= 0) this.paper.jumpTo(n, { onlyIfHidden: true })
    } catch (error) {
      hint.textContent = error instanceof Error ? error.message : String(error)
      hint.hidden = false
    }
  }

  /** @param {string} words */
  say(words) {
    this.find("said").textContent = words
    this.find("said").hidden = !words
  }

  /** @param {string} words */
  saved(words, trouble = false) {
    this.find("saved").textContent = words || (this.data?.person ? "" : "Give your name first: decisions are stored under it.")
    this.find("saved").title = words
    this.find("saved").classList.toggle("trouble", trouble)
  }

  /** Enable the buttons that can be used now, and disable the others. */
  buttons() {
    const { deciding, data } = this
    if (!data) return
    const may = deciding.mayDecide
    for (const name of ["accept", "discard-open", "confirm", "skip-open"]) this.find(name, HTMLButtonElement).disabled = !may
    for (const name of ["next", "undo"]) this.find(name, HTMLButtonElement).disabled = !deciding.free
    this.find("previous", HTMLButtonElement).disabled = !deciding.free || !deciding.leads("back")
    this.find("skip-open").hidden = !this.discard.maySkip
    this.feedback.mayGoOn(deciding.free)
    this.box("question").readOnly = !this.mayEdit || Boolean(data.blind || data.alone)
    this.box("answer").readOnly = !this.mayEdit
    this.find("sentences", HTMLInputElement).readOnly = !this.mayEdit
    this.labels.enable(this.mayEdit && !data.blind)
    this.questions.enable(this.mayEdit)
    for (const fix of findAll(this.root, ".claim-fix", HTMLTextAreaElement)) fix.readOnly = !this.mayEdit
  }
}
