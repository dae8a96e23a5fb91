// Draws one claim of an answer as a row: its text, in which numbers that the evidence lacks are marked; the passages that it
// cites or that may support it; its marks; and a text box while a person rewrites it.

import { documentOf, sentencesOf, textOf } from "../../lib/document_cache.js"
import { button, el, write } from "../../lib/dom.js"

/** @typedef {"supported" | "fix" | "drop"} Mark */

/** @type {Mark[]} */
export const MARKS = ["supported", "fix", "drop"]

/**
 * Return the row of the nth claim.
 * @param {import("./claims.js").ClaimList} claims
 * @param {number} n
 */
export const claimRow = (claims, n) => {
  const { desk, at, rows } = claims
  const [row, state] = [rows[n], claims.stateOf(n)]
  const node = el(
    "li",
    ["claim", n === at ? "current" : "", state.words === undefined ? (state.mark ?? "") : "fixed"].join(" "),
  )
  node.onclick = event => {
    if (!(event.target instanceof HTMLTextAreaElement)) claims.move(n)
  }
  const missing = (row.figures_not_found ?? []).filter(Boolean)
  const spans = el("div", "claim-spans")
  const cited = row.evidence ?? []
  spans.append(
    ...claims.spotsOf(n).map((span, spot) => claimSpan(claims, n, spot, span, spot < cited.length ? "cites" : "candidate")),
  )
  const buttons = el("div", "claim-marks")
  buttons.append(
    ...MARKS.map((name, index) => {
      const mark = button(state.mark === name ? `small mark-${name} on` : `small mark-${name}`)
      mark.append(name, " ", el("kbd", "", String(index + 1)))
      mark.setAttribute("aria-pressed", String(state.mark === name))
      mark.disabled = !desk.mayEdit
      mark.onclick = event => {
        event.stopPropagation()
        claims.at = n
        claims.set(name)
      }
      return mark
    }),
  )
  const write = button("small rewrite-claim", "write it anew ")
  write.append(el("kbd", "", "Enter"))
  write.disabled = !desk.mayEdit || state.mark === "drop"
  write.onclick = event => {
    event.stopPropagation()
    claims.at = n
    claims.fix()
  }
  buttons.append(write)
  if (state.words !== undefined) buttons.append(el("span", "faint", "written anew"))
  if (missing.length && state.words === undefined)
    buttons.append(el("span", "missing-note", `not in the evidence: ${missing.join(", ")}`))
  if (state.isLost) buttons.append(el("span", "faint lost-note", "not in the answer as it stands"))
  node.append(
    n === claims.fixing ? fixBox(claims, n) : claimText(state.words ?? row.claim, state.words === undefined ? missing : []),
    spans,
    buttons,
  )
  return node
}

/**
 * Return the text of a claim with the figures in `missing` marked where they are whole words.
 * @param {string} text
 * @param {string[]} missing
 */
const claimText = (text, missing) => {
  const words = el("p", "claim-text foreign")
  words.dir = "auto"
  const any = missing.map(figure => figure.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")
  let at = 0
  for (const hit of any ? text.matchAll(new RegExp(`(?<![A-Za-z0-9])(?:${any})(?![A-Za-z0-9])`, "gu")) : []) {
    write(words, text.slice(at, hit.index))
    words.append(Object.assign(write(el("span", "missing"), hit[0]), { title: "This figure is not in the evidence." }))
    at = hit.index + hit[0].length
  }
  return write(words, text.slice(at))
}

/**
 * Return a passage that a claim cites, or one that may support it.
 * @param {import("./claims.js").ClaimList} claims
 * @param {number} n
 * @param {number} spot
 * @param {Span} span
 * @param {string} kind
 */
const claimSpan = (claims, n, spot, span, kind) => {
  const isNow = n === claims.at && spot === claims.spot
  const place = button(`plain claim-span ${kind}${isNow ? " now" : ""}`)
  place.tabIndex = -1
  const words = el("span", "words foreign", "\u2026")
  place.append(el("span", "faint", kind === "cites" ? "cites" : "or"), words)
  documentOf(span.document).then(
    found => {
      words.replaceChildren()
      write(words, textOf(found, span).slice(0, 240))
      found.numbered.then(() => {
        const numbers = sentencesOf(found, span)
        if (numbers) place.append(el("span", "faint sentence-numbers", `s. ${numbers}`))
      })
    },
    () => {
      words.textContent = "The document could not be opened."
    },
  )
  place.onclick = event => {
    event.stopPropagation()
    claims.at = n
    claims.look(spot)
  }
  return place
}

/**
 * Return the text box with the claim's words; typed text changes the answer at once.
 * @param {import("./claims.js").ClaimList} claims
 * @param {number} n
 */
const fixBox = (claims, n) => {
  const box = el("textarea", "claim-fix")
  box.rows = 2
  box.dir = "auto"
  box.spellcheck = true
  box.setAttribute("aria-label", "The claim in other words")
  box.value = claims.stateOf(n).words ?? claims.rows[n].claim
  box.oninput = () => claims.typed(box.value)
  box.onblur = () => {
    if (claims.fixing === n) claims.fixed(false)
  }
  return box
}
