// Functions for text: they convert between code points and JavaScript's UTF-16 units, find invisible characters, and format
// times.

/** @type {Record<string, string>} */
export const LANGUAGE_NAMES = { en: "English", zh: "Chinese" }

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g

/** Return the number of code points in a piece of UTF-16 text. @param {string} text */
export const points = text => {
  let n = text.length
  PAIR.lastIndex = 0
  while (PAIR.test(text)) n--
  return n
}

/**
 * Return how many UTF-16 units the first `n` code points of a text take.
 * @param {string} text
 * @param {number} n
 */
export const units = (text, n) => {
  let at = 0
  for (; n > 0 && at < text.length; n--) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return at
}

/** @type {Record<number, string>} */
const NAMES = {
  0x00ad: "soft hyphen",
  0x061c: "ALM",
  0x180e: "MVS",
  0x200b: "zero width space",
  0x200c: "ZWNJ",
  0x200d: "ZWJ",
  0x200e: "LRM",
  0x200f: "RLM",
  0x2028: "line separator",
  0x2029: "paragraph separator",
  0x202a: "LRE",
  0x202b: "RLE",
  0x202c: "PDF",
  0x202d: "LRO",
  0x202e: "RLO",
  0x2060: "word joiner",
  0x2066: "LRI",
  0x2067: "RLI",
  0x2068: "FSI",
  0x2069: "PDI",
  0xfeff: "BOM",
}

const UNSEEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu

const JOINS =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Sinhala})$/u

const TURNS = /[\u202a-\u202e\u2066-\u2069]/

/** Return the name of an invisible character. @param {string} character */
export const nameOf = character => {
  const code = character.codePointAt(0) ?? 0
  return NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`
}

/**
 * Return the invisible characters of a text, each as [index, character], except joiners that a script or an emoji needs.
 * @param {string} text
 */
export const unseen = text => {
  /** @type {[number, string][]} */
  const found = []
  for (const match of text.matchAll(UNSEEN)) {
    const joins = match[0] === "\u200d" || match[0] === "\u200c"
    if (!joins || !JOINS.test(text.slice(Math.max(0, match.index - 2), match.index))) found.push([match.index, match[0]])
  }
  return found
}

/** Return whether a character changes the writing direction of the text around it. @param {string} character */
export const turnsText = character => TURNS.test(character)

/** Return a sentence that names the invisible characters of a text, or "" if there are none. @param {string} text */
export const unseenNote = text => {
  const names = [...new Set(unseen(text).map(([, character]) => nameOf(character)))]
  return names.length ? `This text contains invisible characters: ${names.join(", ")}` : ""
}

/**
 * Return the time of a date as "12:04:31", in the reader's time zone.
 * @param {string | number} when
 */
export const clock = (when, seconds = true) => {
  const at = new Date(when)
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0")
  return Number.isNaN(at.valueOf())
    ? "earlier"
    : [at.getHours(), at.getMinutes(), ...(seconds ? [at.getSeconds()] : [])].map(two).join(":")
}

/**
 * Return a date as "Nov 23, 2026, 12:04", in the reader's time zone.
 * @param {string} at
 */
export const day = at => {
  const when = new Date(at)
  return Number.isNaN(when.valueOf())
    ? "earlier"
    : `${when.toLocaleDateString([], { dateStyle: "medium" })}, ${clock(at, false)}`
}
