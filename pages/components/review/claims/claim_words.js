// A claim in the answer as it is typed now: where its words stand, and the answer without them, or with them again.

/** @typedef {[from: number, to: number]} Place */

/**
 * However the words are spaced: a drafted claim may be joined otherwise than the answer is.
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
 * [from, to] of each claim's words in the answer, one behind the other as far as they are; null = not there.
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
 * The answer without what stands there, and the white space that goes with it.
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
 * The answer with the nth claim's words again: behind the nearest claim before it that is there, else at the beginning.
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
