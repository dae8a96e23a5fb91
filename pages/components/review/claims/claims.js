// The claims of a long answer, which a person checks one by one: each claim is marked as supported, rewritten, or dropped from
// the answer. The marks are stored with the decision. The desk shows how many claims are not checked yet, but a person may
// decide before.

import { el, find, findAll, focused } from "../../lib/dom.js"
import { preferences } from "../../lib/preferences.js"
import { getJson, reasonOf } from "../../lib/requests.js"
import { claimRow, MARKS } from "./claim_row.js"
import { placesOf, withAgain, without } from "./claim_words.js"

/**
 * What a person did to a claim: `words` if they rewrote it, `gap` if it was removed from the answer.
 * @typedef {{ claim?: string, mark?: Mark, words?: string, gap?: string, isLost?: boolean }} ClaimState
 * @typedef {import("./claim_row.js").Mark} Mark
 */

export class ClaimList {
  /** @type {Claim[]} */
  rows = []
  /** @type {Map<number, ClaimState>} */
  states = new Map()
  at = 0
  spot = 0
  /** Number of the claim that is being rewritten, or null. @type {number | null} */
  fixing = null
  /** Positions of the claim's words in the answer while it is rewritten. @type {[number, number]} */
  range = [0, 0]
  before = ""
  asked = false

  /** @param {import("../desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk
    this.part = find(desk.root, ".claims")
    this.list = find(desk.root, ".claims-list")
    this.toggle = find(desk.root, ".claims-toggle")
    this.toggle.onclick = () => this.open(Boolean(this.list.hidden))
    this.sized = new ResizeObserver(() => {
      if (this.focused) desk.fit.bring(this.nodes[this.at])
    })
  }

  stop() {
    this.sized.disconnect()
  }

  /**
   * Draw the claims of a new item, if it has more than one; `states` are the claims' states from the last visit.
   * @param {[number, ClaimState][]} [states]
   */
  draw(states) {
    this.rows = []
    this.at = this.spot = 0
    this.fixing = null
    this.states = new Map(states ?? [])
    this.asked = false
    const { item, data } = this.desk
    const answer = item.answers[0] ?? ""
    this.part.hidden = !((data.claims?.length ?? 0) > 1 || (answer.match(/[.!?](?=\s+\S)|[。！？](?=\s*\S)/g) ?? []).length)
    this.list.hidden = true
    this.list.replaceChildren()
    this.title()
    if (!this.part.hidden && preferences.get("claims", false)) this.open(true, false)
  }

  /**
   * Return the state of the nth claim {claim, mark, words, gap, isLost}: `words` if it was rewritten, `gap` if it was removed
   * from the answer.
   * @param {number} n
   */
  stateOf(n) {
    return this.states.get(n) ?? {}
  }

  /** @param {number} n */
  spotsOf(n) {
    return [...(this.rows[n].evidence ?? []), ...(this.rows[n].candidates ?? [])]
  }

  /** The rows of the claims on the screen. */
  get nodes() {
    return /** @type {HTMLElement[]} */ ([...this.list.children])
  }

  get answer() {
    return this.desk.words.answer
  }

  /** Positions of each claim's words in the answer as it is now. */
  get places() {
    return placesOf(
      this.rows.map(({ claim }, n) => (this.stateOf(n).gap === undefined ? (this.stateOf(n).words ?? claim) : null)),
      this.answer,
    )
  }

  get count() {
    return this.rows.length || (this.desk.data.claims?.length ?? 0)
  }

  /** Number of marked claims, and number of claims that are marked to fix and not rewritten yet. */
  get done() {
    const states = [...this.states.values()]
    return {
      marked: states.filter(one => one.mark).length,
      toFix: states.filter(one => one.mark === "fix" && one.words === undefined).length,
    }
  }

  /** Description of the claims still to check, once a person has begun with them; "" if there are none. */
  get left() {
    const { marked, toFix } = this.done
    const open = this.count - marked
    if (this.part.hidden || !this.count || (this.list.hidden && !marked)) return ""
    const many = `${open} ${open === 1 ? "claim" : "claims"} not marked`
    return [open && many, toFix && `${toFix} to fix`].filter(Boolean).join(", ")
  }

  title() {
    this.toggle.replaceChildren(
      el("span", "label", "Claims"),
      this.list.hidden ? " check one by one " : " ",
      el("kbd", "", "g"),
    )
    this.toggle.setAttribute("aria-expanded", String(!this.list.hidden))
    const { marked, toFix } = this.done
    const count = this.rows.length || marked ? `${marked} of ${this.count} claims` : ""
    find(this.part, ".claims-note").textContent = [count, toFix && `${toFix} to fix`].filter(Boolean).join(", ")
    this.desk.find("claims-left").textContent = this.left
  }

  /** Note which claims the answer no longer contains after somebody typed in it. */
  settled() {
    if (this.rows.length) {
      this.places.forEach((place, n) => {
        const isLost = !place && this.stateOf(n).gap === undefined && n !== this.fixing
        if (isLost !== Boolean(this.stateOf(n).isLost)) this.put(n, { isLost })
      })
    }
    this.title()
    if (this.fixing !== null) this.desk.fit.bring(this.nodes[this.fixing]) // the rows above the claim may have grown
  }

  /** @param {boolean} wanted */
  async open(wanted, focus = true) {
    if (this.part.hidden) return
    this.list.hidden = !wanted
    preferences.set("claims", wanted)
    this.title()
    if (!wanted) return
    if (focus) this.list.focus({ preventScroll: true })
    const coming = this.asked ? null : this.fetch()
    if (!this.rows.length) await coming // passages that may support a claim are added to the claims on the screen
    if (focus) this.move(this.at)
  }

  /** Move the focus to the claims when the key is pressed; if the focus is on the claims already, close them. */
  turn() {
    this.open(Boolean(this.list.hidden) || !this.focused)
  }

  async fetch() {
    const { id, revision } = this.desk.item
    this.asked = true
    this.rows = this.desk.data.claims ?? []
    if (this.rows.length) this.show()
    else this.list.replaceChildren(el("li", "faint", "Looking for the claims"))
    try {
      const person = encodeURIComponent(this.desk.data.person)
      /** @type {{ claims: Claim[] }} */
      const { claims } = await getJson(`/bench/claims/${encodeURIComponent(id)}?revision=${revision}&person=${person}`)
      if (this.desk.item.id !== id || this.desk.item.revision !== revision) return
      const isSame = claims.length === this.rows.length
      this.rows = claims
      if (isSame)
        claims.forEach((_, n) => {
          if (n !== this.fixing) this.put(n, {})
        }) // an open text box stays open
      else this.show()
    } catch (error) {
      if (this.desk.item.id !== id) return
      this.asked = false
      if (this.rows.length) return this.desk.say(`Other places of the claims could not be loaded: ${reasonOf(error)}`)
      this.list.replaceChildren(el("li", "faint", `The claims could not be loaded: ${reasonOf(error)}`))
    }
  }

  show() {
    this.list.replaceChildren(...this.rows.map((_, n) => claimRow(this, n)))
    if (!this.rows.length) this.list.append(el("li", "faint", "No claims were found in this answer."))
    this.settled()
  }

  get focused() {
    const at = focused(this.desk.root)
    return !this.list.hidden && Boolean(at) && this.list.contains(at)
  }

  /**
   * Change the state of the nth claim, and draw the claim again.
   * @param {number} n
   * @param {ClaimState} changes
   */
  put(n, changes) {
    this.note(n, changes)
    this.nodes[n].replaceWith(claimRow(this, n))
    if (n === this.at) this.watch()
  }

  /** Keep the current row visible when its content appears or changes size. */
  watch() {
    this.sized.disconnect()
    this.sized.observe(this.nodes[this.at])
  }

  /**
   * @param {number} n
   * @param {ClaimState} changes
   */
  note(n, changes) {
    this.states.set(n, { ...this.stateOf(n), ...changes, claim: this.rows[n].claim })
  }

  /** @param {number} n */
  move(n) {
    if (!this.rows.length) return
    this.at = Math.max(0, Math.min(n, this.rows.length - 1))
    this.look(0)
    this.desk.fit.bring(this.nodes[this.at])
  }

  /** Show a passage that the claim cites, with its other passages marked, or one that may support it. @param {number} spot */
  look(spot) {
    const spots = this.spotsOf(this.at)
    const cited = this.rows[this.at].evidence?.length ?? 0
    this.spot = Math.max(0, Math.min(spot, spots.length - 1))
    findAll(this.list, ".claim").forEach((node, n) => {
      node.classList.toggle("current", n === this.at)
      findAll(node, ".claim-span").forEach((button, other) =>
        button.classList.toggle("now", n === this.at && other === this.spot),
      )
    })
    this.watch()
    if (!spots.length) return
    if (this.spot < cited) this.desk.paper.lookAt(spots.slice(0, cited), this.spot)
    else this.desk.paper.lookAt([spots[this.spot]])
  }

  /** Add the passage on the screen to the item's evidence. */
  addSpot() {
    const span = this.focused && this.spotsOf(this.at)[this.spot]
    if (span) this.desk.setEvidence([...this.desk.evidence, span])
  }

  /** Go to the next claim that has no mark or is still to fix, starting again at the first after the last. */
  async toOpen() {
    await this.open(true)
    const order = this.rows.map((_, n) => (this.at + 1 + n) % this.rows.length)
    const next = order.find(
      n => !this.stateOf(n).mark || (this.stateOf(n).mark === "fix" && this.stateOf(n).words === undefined),
    )
    if (next !== undefined) this.move(next)
    else if (this.rows.length) this.desk.say("All claims are marked.")
  }

  /**
   * Mark the current claim; the same mark again removes it. A dropped claim leaves the answer, and returns with another mark.
   * @param {Mark} name
   */
  set(name) {
    const n = this.at
    if (!this.rows[n] || !this.desk.mayEdit) return
    const mark = this.stateOf(n).mark === name ? undefined : name
    if (mark === "drop") this.takeOut(n)
    else if (this.stateOf(n).gap !== undefined) this.bringBack(n)
    this.put(n, { mark })
    this.list.focus({ preventScroll: true })
    this.title()
    this.desk.keepVisit()
    if (mark) this.move(n + 1)
  }

  /** @param {number} n */
  takeOut(n) {
    const place = this.places[n]
    if (!place) return
    const { answer, gap } = without(this.answer, place)
    this.note(n, { gap })
    this.desk.setAnswer(answer)
  }

  /** @param {number} n */
  bringBack(n) {
    const { words, gap } = this.stateOf(n)
    const answer = withAgain(
      this.answer,
      this.places,
      n,
      words ?? this.rows[n].claim,
      gap || (this.desk.item.language === "zh" ? "" : " "),
    )
    this.note(n, { gap: undefined })
    this.desk.setAnswer(answer)
  }

  /** Rewrite the current claim in a text box in its place. */
  fix() {
    const place = this.rows[this.at] && this.places[this.at]
    if (!this.desk.mayEdit || this.stateOf(this.at).gap !== undefined) return
    if (!place) return this.desk.say("This claim is not in the answer as it stands: write it there (w).")
    this.fixing = this.at
    this.range = place
    this.before = this.answer.slice(...place)
    this.put(this.at, {})
    const box = find(this.nodes[this.at], "textarea", HTMLTextAreaElement)
    box.focus()
    box.setSelectionRange(box.value.length, box.value.length)
  }

  /** @param {string} words */
  typed(words) {
    if (this.fixing === null) return
    const [from, to] = this.range
    const { answer } = this
    this.range = [from, from + words.length]
    this.note(this.fixing, { words, mark: "fix" })
    this.desk.setAnswer(answer.slice(0, from) + words + answer.slice(to))
    this.desk.keepVisit()
  }

  /** Close the text box of the claim; if it is empty, the claim is as before. @param {boolean} goesOn */
  fixed(goesOn) {
    const n = this.fixing
    if (n === null) return
    const words = this.stateOf(n).words
    if (words !== undefined && !words.trim()) this.typed(this.before)
    this.fixing = null
    this.put(n, this.stateOf(n).words === this.rows[n].claim ? { words: undefined } : {})
    this.list.focus({ preventScroll: true })
    this.settled()
    this.desk.keepVisit()
    this.move(goesOn ? n + 1 : n)
  }

  /**
   * Handle a key of the claims; return whether it was one.
   * @param {string} key
   * @param {boolean} isRepeat
   */
  key(key, isRepeat) {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[key]
    const turn = { ArrowRight: 1, ArrowLeft: -1 }[key]
    if (step) this.move(this.at + step)
    else if (turn) this.look(this.spot + turn)
    else if (key === "Enter" && !isRepeat) this.fix()
    else if (MARKS[Number(key) - 1] && !isRepeat) this.set(MARKS[Number(key) - 1])
    else return false
    return true
  }

  /** Undo the dropping and rewriting of claims, because the stored text is in the box again. */
  asStored() {
    for (const [n, one] of this.states)
      this.states.set(n, { claim: one.claim, mark: one.mark === "drop" ? undefined : one.mark })
    if (this.rows.length) this.show()
    else this.title()
  }

  get decided() {
    return [...this.states]
      .sort(([a], [b]) => a - b)
      .filter(([, one]) => one.mark)
      .map(([, { claim, mark }]) => ({ claim, mark }))
  }
}
