// Finds the text of a claim in the present answer, and removes it from the answer or adds it again.

/** @typedef {[from: number, to: number]} Place */

/**
 * Return a pattern for words with any white space between them, because a drafted claim may be spaced differently from the
 * answer.
 * @param {string} words
 */
const spacedAnyhow = words =>
  new RegExp(
    words
      .trim()
      .split(/\s+/)
      .map(word => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("\\s*"),
    "gu",
  )

/**
 * Return [from, to] of each claim's words in the answer, in order as far as possible; null for a claim that is not there.
 * @param {(string | null)[]} claims
 * @param {string} answer
 * @returns {(Place | null)[]}
 */
export const placesOf = (claims, answer) => {
  let behind = 0
  return claims.map(words => {
    if (!words?.trim()) return null
    const pattern = spacedAnyhow(words)
    pattern.lastIndex = behind
    let hit = pattern.exec(answer)
    if (!hit) {
      pattern.lastIndex = 0
      hit = pattern.exec(answer)
      return hit && [hit.index, hit.index + hit[0].length]
    }
    behind = hit.index + hit[0].length
    return [hit.index, behind]
  })
}

/**
 * Return the answer without the words at these positions and the white space that belongs to them.
 * @param {string} answer
 * @param {Place} place
 */
export const without = (answer, [from, to]) => {
  const gap = answer.slice(to).match(/^\s*/)?.[0] ?? ""
  if (to + gap.length < answer.length || !from) return { answer: answer.slice(0, from) + answer.slice(to + gap.length), gap }
  const before = answer.slice(0, from).match(/\s*$/)?.[0] ?? ""
  return { answer: answer.slice(0, from - before.length) + answer.slice(to), gap: before }
}

/**
 * Return the answer with the text of the nth claim added: behind the nearest earlier claim in the answer, or at the beginning.
 * @param {string} answer
 * @param {(Place | null)[]} places
 * @param {number} n
 * @param {string} words
 * @param {string} gap
 */
export const withAgain = (answer, places, n, words, gap) => {
  const before = places.slice(0, n).findLast(place => place)
  if (!before) return answer ? words + gap + answer : words
  return answer.slice(0, before[1]) + gap + words + answer.slice(before[1])
}
