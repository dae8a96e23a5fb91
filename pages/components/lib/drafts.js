// What a person typed and has not submitted goes to the store 400 ms after the last key, and stays in this browser until the
// store has said that it is there.

import { memory } from "./browser_memory.js"
import { freshKey, isOffline, post, untilOnline, waitAtMost } from "./requests.js"
import { clock } from "./text.js"

export const PREFIX = "benchwright.desk"
const FORGET_AFTER_MS = 30 * 86_400_000
const PAUSE_MS = 400

/** @typedef {{ question: string, answer: string, evidence: Span[], label_answers?: LabelAnswers, revision: number, seconds: number, at: number, local?: boolean }} Draft */

/**
 * Whose words are kept. `on` says of what of the item they are: "" its own words.
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
 * What is sent, and kept in this browser until it is there.
 * @typedef {{ person: string, item: string, revision: number, question: string, answer: string, evidence: Span[], seconds: number, on: string, label_answers?: LabelAnswers }} Unsent
 */

/** This browser tab, the same after a reload. */
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

/** What is kept: an item's own words, or those on something of it. @param {string} on @param {string} item */
export const subjectOf = (on, item) => (on ? `${on}:${item}` : item)

/**
 * The newest copy of a person's words in this browser, of whatever revision.
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
 * A person's unsent words, of the store or of this browser (`local`), whichever is newer.
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
 * Forget a person's copies of an item: its words were decided on, or put back.
 * @param {string} person
 * @param {string} subject
 */
export const forget = (person, subject) => {
  for (const key of memory.keys(`${PREFIX}.`)) if (key.includes(`:${person}:${subject}:`)) memory.drop(key)
}

/** Copies that nobody came back for in a month go. */
export const dropOldDrafts = () => {
  for (const key of memory.keys(`${PREFIX}.`)) {
    const copy = memory.get(key)
    if (copy?.at && Date.now() - copy.at > FORGET_AFTER_MS) memory.drop(key)
  }
}

/** Keeps the words of one owner. */
export class DraftKeeper {
  /** @param {DraftOwner} owner */
  constructor(owner) {
    this.owner = owner
    this.dirty = this.held = this.asks = false
    /** The words of the item on the screen. @type {Unsent | null} */
    this.body = null
    this.at = 0
    this.timer = 0
    /** @type {string | undefined} */
    this.since = undefined
    /** @type {Promise<void> | null} */
    this.flight = null
  }

  /** The person changed something. */
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

  /** Send what is not stored yet; resolves when it is. */
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
          owner.saved("not kept: choose one of the two", true)
          owner.elsewhere(answer.body.theirs, answer.body.message)
          return
        }
        if (answer.status < 500) {
          owner.saved(`not kept: ${answer.body.message ?? `the server answered ${answer.status}`}`, true)
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

  /** The words, with the last ones of this item that this tab knows of, and the key of the press that may end them. @param {Unsent} body */
  withTab(body) {
    return this.since === undefined ? body : { ...body, tab: TAB, since: this.since, key: this.owner.pressKey ?? "" }
  }

  /** Which words this tab knows of: those of the item that comes on the screen, or those that its person chose between. */
  knows(savedAt = "") {
    this.since = savedAt
    this.asks = false
  }

  /** @param {{ on: string }} body */
  address({ on }) {
    return on ? `/bench/${on}/scratch` : "/bench/scratch"
  }

  /** Where this browser keeps them. @param {{ person: string, item: string, revision: number, on: string }} body */
  keyOf({ person, item, revision, on }) {
    return `${wordsKey(person, subjectOf(on, item), revision)}:${TAB}`
  }

  /** Acknowledged: the copy here goes, unless newer words stand in it. @param {Unsent} body @param {number} at */
  stored(body, at) {
    const key = this.keyOf(body)
    if (memory.get(key)?.at <= at) memory.drop(key)
  }

  /** The page goes away: a last word to the store, as far as the browser lets it. */
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

  /** A decision is on its way: nothing typed before it may reach the store after it. */
  async hold() {
    clearTimeout(this.timer)
    this.held = true
    if (this.flight) await waitAtMost(this.flight, 1000)
  }

  /** The decision was not taken: the words are unsent again. */
  release() {
    this.held = false
    if (this.dirty) this.flush()
  }

  /** The words were decided on, or given up. */
  done() {
    this.dirty = this.held = false
    this.body = null
    clearTimeout(this.timer)
  }

  /** Another item comes on the screen. */
  leave() {
    if (this.dirty) this.last()
    this.done()
  }
}
