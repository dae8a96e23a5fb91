// Text as the desk needs it: code points beside JavaScript's UTF-16 units, characters nobody sees made visible without a
// change to the text, and the difference of two texts by words.

const el = (tag, name = "", text = null) => {
  const made = document.createElement(tag)
  if (name) made.className = name
  if (text !== null) made.textContent = text
  return made
}

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g

/** Code points in a piece of UTF-16 text. */
const points = text => {
  let n = text.length
  PAIR.lastIndex = 0
  while (PAIR.test(text)) n--
  return n
}

/** How many UTF-16 units the first `n` code points of a text take. */
const units = (text, n) => {
  let at = 0
  for (; n > 0 && at < text.length; n--) at += text.codePointAt(at) > 0xffff ? 2 : 1
  return at
}

const NAMES = {
  0x00ad: "soft hyphen", 0x061c: "ALM", 0x180e: "MVS", 0x200b: "zero width space", 0x200c: "ZWNJ", 0x200d: "ZWJ", 0x200e: "LRM",
  0x200f: "RLM", 0x2028: "line separator", 0x2029: "paragraph separator", 0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF",
  0x202d: "LRO", 0x202e: "RLO", 0x2060: "word joiner", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xfeff: "BOM",
}
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu
const JOINS = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Sinhala})$/u
const TURNS = /[\u202a-\u202e\u2066-\u2069]/

const nameOf = character => {
  const code = character.codePointAt(0)
  return NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`
}

/** The characters of a text that nobody sees, each [index, character]; joiners that a script or an emoji needs are left out. */
const unseen = text => {
  const found = []
  for (const match of text.matchAll(UNSEEN)) {
    const joins = match[0] === "\u200d" || match[0] === "\u200c"
    if (!joins || !JOINS.test(text.slice(Math.max(0, match.index - 2), match.index))) found.push([match.index, match[0]])
  }
  return found
}

/** Put text into a node: as text alone, its unseen characters labelled by style, so that what is selected is what is stored. */
const write = (node, text) => {
  let at = 0
  for (const [index, character] of unseen(text)) {
    if (index > at) node.append(text.slice(at, index))
    const ghost = el("span", TURNS.test(character) ? "ghost turn" : "ghost", character)
    ghost.dataset.name = nameOf(character)
    ghost.title = `An unseen character: ${nameOf(character)}`
    node.append(ghost)
    at = index + character.length
  }
  if (at < text.length) node.append(at ? text.slice(at) : text)
  return node
}

/** A block of foreign text: its own direction, its own letters. */
const foreign = (tag, name, text) => {
  const made = el(tag, `${name} foreign`)
  made.dir = "auto"
  return write(made, text)
}

/** "Hidden characters here: RLO, zero width space", or "". */
const unseenNote = text => {
  const names = [...new Set(unseen(text).map(([, character]) => nameOf(character)))]
  return names.length ? `Characters that cannot be seen are in this text: ${names.join(", ")}` : ""
}

const WORDS = /\p{Script=Han}\p{M}*|[\p{L}\p{N}][\p{L}\p{N}\p{M}'\u2019_-]*|\s+|\p{Extended_Pictographic}[\p{M}\ufe0f\u200d\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}]*|./gsu
const tokens = text => (text.match(WORDS) ?? []).flatMap(word => /^\p{Script=Han}/u.test(word) ? [word] : word.split(/(?=\p{Script=Han})/u))
const TOO_MANY = 4_000_000

/** [["same" | "gone" | "new", text], ...] between two texts: by words, Chinese by character. */
const wordDiff = (before, after) => {
  let a = tokens(before)
  let b = tokens(after)
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a[head] === b[head]) head++
  let tail = 0
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  const parts = [["same", a.slice(0, head).join("")]]
  const end = ["same", a.slice(a.length - tail).join("")]
  a = a.slice(head, a.length - tail)
  b = b.slice(head, b.length - tail)
  if (a.length * b.length > TOO_MANY) parts.push(["gone", a.join("")], ["new", b.join("")])
  else parts.push(...middle(a, b))
  parts.push(end)
  return joined(parts)
}

/** The longest common subsequence, walked. */
const middle = (a, b) => {
  const width = b.length + 1
  const longest = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? longest[(i + 1) * width + j + 1] + 1
        : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1])
    }
  }
  const parts = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { parts.push(["same", a[i]]); i++; j++ }
    else if (i < a.length && (j >= b.length || longest[(i + 1) * width + j] >= longest[i * width + j + 1])) parts.push(["gone", a[i++]])
    else parts.push(["new", b[j++]])
  }
  return parts
}

/** Neighbours of one kind become one; a lone space between two changes joins them, so that the eye reads phrases. */
const joined = parts => {
  const out = []
  let gone = ""
  let fresh = ""
  const flush = () => {
    if (gone) out.push(["gone", gone])
    if (fresh) out.push(["new", fresh])
    gone = fresh = ""
  }
  parts = parts.filter(([, text]) => text)
  parts.forEach(([kind, text], n) => {
    if (kind === "gone") gone += text
    else if (kind === "new") fresh += text
    else if (/^ $/.test(text) && (gone || fresh) && n + 1 < parts.length && parts[n + 1][0] !== "same") { gone += text; fresh += text }
    else {
      flush()
      if (out.at(-1)?.[0] === "same") out.at(-1)[1] += text
      else out.push(["same", text])
    }
  })
  flush()
  return out
}

/** "12:04:31" of a date, in the reader's own time. */
const clock = (when, seconds = true) => {
  const at = new Date(when)
  const two = n => String(n).padStart(2, "0")
  return Number.isNaN(at.valueOf()) ? "earlier" : [at.getHours(), at.getMinutes(), ...(seconds ? [at.getSeconds()] : [])].map(two).join(":")
}
