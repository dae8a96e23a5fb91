// Documents that are fetched once for all items on them and divided into blocks. The functions return the text of a span, the
// numbers of the sentences that a span touches, and the spans for sentence numbers; positions are in code points.

import { getJson } from "./requests.js"
import { points, units } from "./text.js"

const MAX_CACHED_CHARACTERS = 60_000_000
const SECTION = 6_000
const LONGEST_BLOCK = 4_000

/**
 * A line, or a part of a very long line: the UTF-16 units from `u` to `e`, and the `n` code points from `p`.
 * @typedef {{ u: number, e: number, p: number, n: number }} Block
 * @typedef {{ first: number, last: number }} Section
 * @typedef {{ blocks: Block[], sections: Section[], astral: boolean, length: number }} Layout
 * @typedef {Layout & { id: string, title: string, text: string, language: string, sentences: [number, number][], numbered: Promise<void> }} CachedDocument
 */

/** @type {Map<string, { promise: Promise<CachedDocument>, characters: number }>} */
const cache = new Map()

/** @param {string} id @returns {Promise<CachedDocument>} */
const fetchDocument = async id => {
  const stored = await getJson(`/bench/document/${encodeURIComponent(id)}`)
  /** @type {CachedDocument} */
  const found = { ...stored, sentences: [], numbered: Promise.resolve(), ...layOut(stored.text) }
  found.numbered = getJson(`/bench/sentences/${encodeURIComponent(id)}`).then(
    ({ sentences }) => {
      found.sentences = sentences
    },
    () => {},
  )
  return found
}

/**
 * Return the document with its blocks, fetched once, because texts never change. Its sentences come later, as they take longer:
 * `numbered` resolves when they have arrived or could not be fetched.
 * @param {string} id
 */
export const documentOf = id => {
  const held = cache.get(id)
  if (held) return held.promise
  const entry = { promise: fetchDocument(id), characters: 0 }
  cache.set(id, entry)
  entry.promise.then(
    found => {
      entry.characters = found.text.length
      let total = [...cache.values()].reduce((sum, one) => sum + one.characters, 0)
      for (const [other, one] of cache) {
        if (total <= MAX_CACHED_CHARACTERS || other === id) break
        total -= one.characters
        cache.delete(other)
      }
    },
    () => cache.delete(id),
  )
  return entry.promise
}

/**
 * Divide a text into blocks, which are its lines; a very long line is cut where a word ends. `u` and `e` count UTF-16 units,
 * `p` code points.
 * @param {string} text
 * @returns {Layout}
 */
export const layOut = text => {
  const astral = /[\ud800-\udbff]/.test(text)
  /** @type {Block[]} */
  const blocks = []
  let p = 0
  const add = (/** @type {number} */ u, /** @type {number} */ e) => {
    const n = astral ? points(text.slice(u, e)) : e - u
    blocks.push({ u, e, p, n })
    p += n
  }
  for (let start = 0; start <= text.length; ) {
    let end = text.indexOf("\n", start)
    if (end < 0) end = text.length
    while (end - start > LONGEST_BLOCK) {
      const space = text.lastIndexOf(" ", start + LONGEST_BLOCK)
      const stop = Math.max(text.lastIndexOf("\u3002", start + LONGEST_BLOCK), space)
      let cut = stop > start + LONGEST_BLOCK / 2 ? stop + 1 : start + LONGEST_BLOCK
      if (/[\udc00-\udfff]/.test(text[cut])) cut++
      add(start, cut)
      start = cut
    }
    add(start, end)
    p++
    start = end + 1
  }
  /** @type {Section[]} */
  const sections = []
  for (let first = 0; first < blocks.length; ) {
    let last = first
    while (last + 1 < blocks.length && blocks[last].e - blocks[first].u < SECTION && last - first < 60) last++
    sections.push({ first, last })
    first = last + 1
  }
  return { blocks, sections, astral, length: p - 1 }
}

/**
 * Return the index of the last element whose `key` is at most `value`, in a list sorted by this key.
 * @template One
 * @param {readonly One[]} list
 * @param {number} value
 * @param {(one: One) => number} key
 */
export const lastUpTo = (list, value, key) => {
  let low = 0
  let high = list.length
  while (low < high) {
    const mid = (low + high) >> 1
    if (key(list[mid]) <= value) low = mid + 1
    else high = mid
  }
  return low - 1
}

/** Return the position of a code point of the document in UTF-16 units. @param {CachedDocument} found @param {number} point */
export const unitAt = (found, point) => {
  const block =
    found.blocks[
      Math.max(
        0,
        lastUpTo(found.blocks, point, b => b.p),
      )
    ]
  return found.astral ? block.u + units(found.text.slice(block.u, block.e + 1), point - block.p) : block.u + point - block.p
}

/** Return the text of a span of the document. @param {CachedDocument} found @param {Pick<Span, "start" | "end">} span */
export const textOf = (found, span) => found.text.slice(unitAt(found, span.start), unitAt(found, span.end))

/**
 * Return the numbers of the sentences that a span touches, such as "12-14", or "" if it touches none.
 * @param {CachedDocument} found @param {Span} span
 */
export const sentencesOf = (found, span) => {
  const first = found.sentences.findIndex(([, end]) => end > span.start)
  const last = lastUpTo(found.sentences, span.end - 1, s => s[0])
  if (first < 0 || last < first) return ""
  return first === last ? `${first + 1}` : `${first + 1}-${last + 1}`
}

/**
 * Return the spans for typed sentence numbers such as "12, 14-16", one for each run of numbers. Throws an Error whose message
 * tells a person what to correct.
 * @param {string} typed
 * @param {Pick<CachedDocument, "id" | "sentences">} found
 * @returns {Span[]}
 */
export const spansFromNumbers = (typed, found) => {
  const count = found.sentences.length
  return typed
    .split(/[,;，；、\s]+(?![-–]|$)/)
    .filter(Boolean)
    .map(piece => {
      const match = piece.replace(/\s/g, "").match(/^(\d+)(?:[-–](\d+))?$/)
      if (!match) throw new Error(`"${piece.trim()}" is not a sentence number: write 12 or 14-16.`)
      const [from, to] = [Number(match[1]), Number(match[2] ?? match[1])]
      if (from < 1 || to > count || to < from) throw new Error(`This document has sentences 1 to ${count}.`)
      return { document: found.id, start: found.sentences[from - 1][0], end: found.sentences[to - 1][1] }
    })
}
