// Text that a person typed and has not submitted is sent to the server 400 ms after the last keystroke. This browser keeps a
// copy until the server has confirmed that the text is stored.

import { memory } from "./browser_memory.js"
import { freshKey, isOffline, post, untilOnline, waitAtMost } from "./requests.js"
import { clock } from "./text.js"

export const PREFIX = "benchwright.desk"
const FORGET_AFTER_MS = 30 * 86_400_000
const PAUSE_MS = 400

/** @typedef {{ question: string, answer: string, evidence: Span[], label_answers?: LabelAnswers, revision: number, seconds: number, at: number, local?: boolean }} Draft */

/**
 * The sheet whose typed text is stored. `on` names the part of the item that the text is about; "" = the item's question and
 * answer.
 * @typedef {object} DraftOwner
 * @property {{ id: string }} item
 * @property {{ person: string }} data
 * @property {{ question: string, answer: string }} words
 * @property {Span[]} [evidence]
 * @property {number} base the revision that they were written on
 * @property {{ seconds: number }} time
 * @property {string} [on]
 * @property {boolean} [gone]
 * @property {string} [pressKey] the key of the press that may end them
 * @property {LabelAnswers | null} [labelAnswers]
 * @property {(held: Holder | null | undefined, item: string) => void} [hearHolder]
 * @property {(words: string, trouble?: boolean) => void} saved
 * @property {(theirs: OtherWords, message: string) => void} elsewhere the same person typed other words in another tab
 */

/**
 * Typed text as it is sent to the server; this browser keeps a copy until the server has stored it.
 * @typedef {{ person: string, item: string, revision: number, question: string, answer: string, evidence: Span[], seconds: number, on: string, label_answers?: LabelAnswers }} Unsent
 */

/** Id of this browser tab, which stays the same after a reload. */
export const TAB = (() => {
  const fresh = freshKey()
  try {
    const place = `${PREFIX}.tab`
    if (!sessionStorage.getItem(place)) sessionStorage.setItem(place, fresh)
    return sessionStorage.getItem(place) ?? fresh
  } catch {
    return fresh
  }
})()

/** @param {string} person @param {string} subject @param {number} revision */
const wordsKey = (person, subject, revision) => `${PREFIX}.words:${person}:${subject}:${revision}`

/** @param {string} person @param {string} item @param {number} revision */
export const visitKey = (person, item, revision) => `${PREFIX}.visit:${person}:${item}:${revision}`

/**
 * Return the key under which unsent words are stored: for an item's own words or, with `on`, for words on a part of it.
 * @param {string} on @param {string} item
 */
export const subjectOf = (on, item) => (on ? `${on}:${item}` : item)

/**
 * Return the newest copy of a person's words in this browser, of any revision, or null.
 * @param {string} person
 * @param {string} subject
 * @returns {Draft | null}
 */
const localDraft = (person, subject) =>
  memory
    .keys(`${PREFIX}.words:${person}:${subject}:`)
    .map(key => memory.get(key))
    .filter(copy => copy && typeof copy.question === "string" && Array.isArray(copy.evidence))
    .sort((a, b) => b.at - a.at)[0] ?? null

/**
 * Return a person's unsent text, the newer one of the copies on the server and in this browser (`local`), or null.
 * @param {string} person
 * @param {string} subject
 * @param {StoredDraft | null} [stored]
 * @returns {Draft | null}
 */
export const newestDraft = (person, subject, stored) => {
  const here = person ? localDraft(person, subject) : null
  const there = stored ? { ...stored, at: Date.parse(stored.saved_at) || 0 } : null
  return here && (!there || here.at > there.at) ? { ...here, local: true } : there
}

/**
 * Delete a person's copies of an item's words, because the words were decided on or restored.
 * @param {string} person
 * @param {string} subject
 */
export const forget = (person, subject) => {
  for (const key of memory.keys(`${PREFIX}.`)) if (key.includes(`:${person}:${subject}:`)) memory.drop(key)
}

/** Delete copies that are older than a month. */
export const dropOldDrafts = () => {
  for (const key of memory.keys(`${PREFIX}.`)) {
    const copy = memory.get(key)
    if (copy?.at && Date.now() - copy.at > FORGET_AFTER_MS) memory.drop(key)
  }
}

/** Stores the unsent words of one owner, such as the desk, in this browser and on the server. */
export class DraftKeeper {
  /** @param {DraftOwner} owner */
  constructor(owner) {
    this.owner = owner
    this.dirty = this.held = this.asks = false
    /** The unsent words of the item on the screen. @type {Unsent | null} */
    this.body = null
    this.at = 0
    this.timer = 0
    /** @type {string | undefined} */
    this.since = undefined
    /** @type {Promise<void> | null} */
    this.flight = null
  }

  /** Store the words in this browser, and send them after a pause, because the person changed something. */
  typed() {
    const { item, data, words, evidence = [], base, time, on = "", labelAnswers } = this.owner
    const body = {
      person: data.person,
      item: item.id,
      revision: base,
      question: words.question,
      answer: words.answer,
      evidence,
      seconds: time.seconds,
      on,
      label_answers: labelAnswers ?? undefined,
    }
    this.body = body
    this.at = Date.now()
    this.dirty = true
    memory.set(this.keyOf(body), { ...body, at: this.at })
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.flush(), PAUSE_MS)
  }

  /** Send the words that the server does not have yet; the promise resolves when they are stored there. */
  flush() {
    clearTimeout(this.timer)
    if (this.dirty && !this.held && !this.asks) {
      this.flight ??= this.send().finally(() => {
        this.flight = null
      })
    }
    return this.flight ?? Promise.resolve()
  }

  async send() {
    const { owner } = this
    for (let wait = 1; this.dirty && !this.held; wait = Math.min(wait * 2, 10)) {
      const { body, at } = this
      if (!body) return
      this.dirty = false
      let why = "no connection"
      try {
        const answer = await post(this.address(body), this.withTab(body))
        const isShown = body.item === this.body?.item
        if (answer.status === 200) {
          this.stored(body, at)
          if (isShown && this.since !== undefined) this.since = answer.body.saved_at
          owner.hearHolder?.(answer.body.held, body.item)
          if (isShown) owner.saved(`saved ${clock(Date.now())}`)
          wait = 1
          continue
        }
        if (answer.status === 409 && answer.body.theirs) {
          if (!isShown) return
          this.asks = true
          owner.saved("not stored: choose one of the two", true)
          owner.elsewhere(answer.body.theirs, answer.body.message)
          return
        }
        if (answer.status < 500) {
          owner.saved(`not stored: ${answer.body.message ?? `the server answered ${answer.status}`}`, true)
          return
        }
        why = `the server answered ${answer.status}`
      } catch (error) {
        if (!isOffline(error)) throw error
      }
      if (body.item !== this.body?.item || owner.gone) return // the copy in this browser stays
      this.dirty = true
      owner.saved(`not saved yet: ${why}, trying again`, true)
      await untilOnline(wait)
    }
  }

  /**
   * Add to the request what this tab knows: the item's last stored text, and the key of the button press that may submit the
   * text.
   * @param {Unsent} body
   */
  withTab(body) {
    return this.since === undefined ? body : { ...body, tab: TAB, since: this.since, key: this.owner.pressKey ?? "" }
  }

  /** Note which stored text this tab knows: the text of the opened item, or the two texts that the person chose between. */
  knows(savedAt = "") {
    this.since = savedAt
    this.asks = false
  }

  /** @param {{ on: string }} body */
  address({ on }) {
    return on ? `/bench/${on}/scratch` : "/bench/scratch"
  }

  /**
   * Return the key under which this browser stores the words.
   * @param {{ person: string, item: string, revision: number, on: string }} body
   */
  keyOf({ person, item, revision, on }) {
    return `${wordsKey(person, subjectOf(on, item), revision)}:${TAB}`
  }

  /**
   * Delete the copy in this browser after the server has stored it, unless the copy is newer.
   * @param {Unsent} body @param {number} at
   */
  stored(body, at) {
    const key = this.keyOf(body)
    if (memory.get(key)?.at <= at) memory.drop(key)
  }

  /** Send the typed text once more while the page closes, if the browser allows this. */
  last() {
    clearTimeout(this.timer)
    if (!this.dirty && !this.flight) return
    const { body, at } = this
    if (!body || this.held || this.asks) return
    post(this.address(body), this.withTab(body), { keepalive: true }).then(
      answer => answer.status === 200 && this.stored(body, at),
      () => {},
    )
  }

  /**
   * Stop sending typed text before a decision, and wait up to a second for a request that is under way, so that no text arrives
   * after the decision.
   */
  async hold() {
    clearTimeout(this.timer)
    this.held = true
    if (this.flight) await waitAtMost(this.flight, 1000)
  }

  /** Treat the typed text as unsent again, because the server did not accept the decision. */
  release() {
    this.held = false
    if (this.dirty) this.flush()
  }

  /** Delete the typed text, because a decision submitted it or the person discarded it. */
  done() {
    this.dirty = this.held = false
    this.body = null
    clearTimeout(this.timer)
  }

  /** Send the typed text before another item is opened. */
  leave() {
    if (this.dirty) this.last()
    this.done()
  }
}
