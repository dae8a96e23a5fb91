// The difference of two texts by words.

import { diffArrays } from "diff"

const WORDS =
  /\p{Script=Han}\p{M}*|[\p{L}\p{N}][\p{L}\p{N}\p{M}'\u2019_-]*|\s+|\p{Extended_Pictographic}[\p{M}\ufe0f\u200d\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}]*|./gsu
const TOO_LONG = 200_000 // characters
const TOO_MANY_CHANGES = 800 // words and spaces: comparing more of them would delay typing
const LONGEST_WORD = 100

/** @typedef {["same" | "gone" | "new", string]} Piece */

/** Split a text into words, spaces and punctuation marks; Chinese text is split into characters. @param {string} text */
const tokens = text =>
  (text.match(WORDS) ?? []).flatMap(word => (/^\p{Script=Han}/u.test(word) ? [word] : word.split(/(?=\p{Script=Han})/u)))

/**
 * Return the pieces of two texts in order, each marked as kept, deleted or inserted. A piece is a word or, in Chinese, a
 * character.
 * @param {string} before
 * @param {string} after
 */
export const wordDiff = (before, after) => {
  const [from, to] = sameEnds(before, after)
  const [gone, fresh] = [before.slice(from, before.length - to), after.slice(from, after.length - to)]
  const isShort = gone.length + fresh.length <= TOO_LONG
  const changes = isShort ? diffArrays(tokens(gone), tokens(fresh), { maxEditLength: TOO_MANY_CHANGES }) : undefined
  /** @type {Piece[]} */
  const middle = changes?.map(({ added, removed, value }) => [removed ? "gone" : added ? "new" : "same", value.join("")]) ?? [
    ["gone", gone],
    ["new", fresh],
  ]
  return joined([["same", before.slice(0, from)], ...middle, ["same", before.slice(before.length - to)]])
}

/**
 * Return how many characters two texts share at their beginning and at their end, without cutting a word.
 * @param {string} before
 * @param {string} after
 * @returns {[number, number]}
 */
const sameEnds = (before, after) => {
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before[from] === after[from]) from++
  let to = 0
  while (to < shorter - from && before[before.length - 1 - to] === after[after.length - 1 - to]) to++
  const blank = (/** @type {number} */ at) => /\s/.test(before[at] ?? " ")
  for (let n = 0; n < LONGEST_WORD && from > 0 && !blank(from - 1); n++) from--
  for (let n = 0; n < LONGEST_WORD && to > 0 && !blank(before.length - to); n++) to--
  const splits = (/** @type {number} */ at) => /[\udc00-\udfff]/.test(before[at] ?? "")
  return [from && splits(from) ? from - 1 : from, to && splits(before.length - to) ? to - 1 : to]
}

/**
 * Join neighbouring pieces of one kind, and changes with only a space between them, so that a reader sees phrases.
 * @param {Piece[]} parts
 */
const joined = parts => {
  /** @type {Piece[]} */
  const out = []
  let gone = ""
  let fresh = ""
  const flush = () => {
    if (gone) out.push(["gone", gone])
    if (fresh) out.push(["new", fresh])
    gone = ""
    fresh = ""
  }
  const filled = parts.filter(([, text]) => text)
  filled.forEach(([kind, text], n) => {
    if (kind === "gone") gone += text
    else if (kind === "new") fresh += text
    else if (/^ $/.test(text) && (gone || fresh) && n + 1 < filled.length && filled[n + 1][0] !== "same") {
      gone += text
      fresh += text
    } else {
      flush()
      const last = out.at(-1)
      if (last?.[0] === "same") last[1] += text
      else out.push(["same", text])
    }
  })
  flush()
  return out
}
