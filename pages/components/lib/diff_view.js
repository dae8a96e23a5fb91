// Shows the difference of two texts in a line. In long texts, the middle of each equal stretch is left out.

import { wordDiff } from "./diff.js"
import { el, findAll, write } from "./dom.js"

const MAX_SHOWN = 1_200 // characters of an equal stretch that are shown

/**
 * Return a line that shows a change from `before` to `after`; a piece of more than `most` characters shows only its ends.
 * @param {string} name
 * @param {string} before
 * @param {string} after
 */
export const differenceLine = (name, before, after, most = MAX_SHOWN) => {
  const line = el("p", "diff-line foreign")
  line.dir = "auto"
  line.append(el("span", "faint diff-name", `${name} `))
  for (const [kind, text] of wordDiff(before, after)) {
    const piece = el(kind === "gone" ? "del" : kind === "new" ? "ins" : "span")
    if (text.length <= most) write(piece, text)
    else {
      write(piece, text.slice(0, most / 2))
      piece.append(el("span", "faint", ` \u2026 ${(text.length - most).toLocaleString("en")} characters \u2026 `))
      write(piece, text.slice(-most / 2))
    }
    line.append(piece)
  }
  return line
}

/**
 * Return a text in which the words that `other` does not have are marked.
 * @param {string} name
 * @param {string} other
 * @param {string} text
 */
export const markedText = (name, other, text) => {
  const line = el("p", `${name} foreign`)
  line.dir = "auto"
  for (const [kind, words] of wordDiff(other, text)) {
    if (kind === "gone") continue
    const piece = el(kind === "new" ? "ins" : "span")
    write(piece, words)
    line.append(piece)
  }
  return line
}

/** Scroll each text of a difference line so that the text's first marked word is visible. @param {HTMLElement} place */
export const scrollToMarked = place => {
  for (const line of findAll(place, ".versus p")) {
    const first = line.querySelector("ins")
    if (first) line.scrollTop = first.getBoundingClientRect().top - line.getBoundingClientRect().top - 24
  }
}
