// The difference of two texts by words, and a line that shows it; of long texts what is the same is left out but for its ends.

const WORDS = /\p{Script=Han}\p{M}*|[\p{L}\p{N}][\p{L}\p{N}\p{M}'\u2019_-]*|\s+|\p{Extended_Pictographic}[\p{M}\ufe0f\u200d\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}]*|./gsu
const tokens = text => (text.match(WORDS) ?? []).flatMap(word => /^\p{Script=Han}/u.test(word) ? [word] : word.split(/(?=\p{Script=Han})/u))
const TOO_MANY = 4_000_000
const TOO_LONG = 200_000
const WORD = 100
const SHOWN = 1_200

/** [["same" | "gone" | "new", text], ...] between two texts: by words, Chinese by character. */
const wordDiff = (before, after) => {
  const [from, to] = sameEnds(before, after)
  const [gone, fresh] = [before.slice(from, before.length - to), after.slice(from, after.length - to)]
  const around = parts => joined([["same", before.slice(0, from)], ...parts, ["same", before.slice(before.length - to)]])
  if (gone.length + fresh.length > TOO_LONG) return around([["gone", gone], ["new", fresh]])
  let a = tokens(gone)
  let b = tokens(fresh)
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
  return around(parts)
}

/** How many characters two texts begin and end with alike, up to where a word begins and ends. */
const sameEnds = (before, after) => {
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before[from] === after[from]) from++
  let to = 0
  while (to < shorter - from && before[before.length - 1 - to] === after[after.length - 1 - to]) to++
  const blank = at => /\s/.test(before[at] ?? " ")
  for (let n = 0; n < WORD && from > 0 && !blank(from - 1); n++) from--
  for (let n = 0; n < WORD && to > 0 && !blank(before.length - to); n++) to--
  const splits = at => /[\udc00-\udfff]/.test(before[at] ?? "")
  return [from && splits(from) ? from - 1 : from, to && splits(before.length - to) ? to - 1 : to]
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

/** A line that says what changed; a long stretch is told by its ends. */
const differenceLine = (name, before, after) => {
  const line = el("p", "diff-line foreign")
  line.dir = "auto"
  line.append(el("span", "faint diff-name", `${name} `))
  for (const [kind, text] of wordDiff(before, after)) {
    const piece = el(kind === "gone" ? "del" : kind === "new" ? "ins" : "span")
    if (text.length <= SHOWN) write(piece, text)
    else {
      write(piece, text.slice(0, SHOWN / 2))
      piece.append(el("span", "faint", ` \u2026 ${(text.length - SHOWN).toLocaleString("en")} characters \u2026 `))
      write(piece, text.slice(-SHOWN / 2))
    }
    line.append(piece)
  }
  return line
}

/** A text in which the words that the other has not are marked. */
const marked = (name, other, text) => {
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

/** The first marked word of each such text comes into its view. */
const toMarked = place => {
  for (const line of place.querySelectorAll(".versus p")) {
    const first = line.querySelector("ins")
    if (first) line.scrollTop = first.getBoundingClientRect().top - line.getBoundingClientRect().top - 24
  }
}
