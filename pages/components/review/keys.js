// The keyboard shortcuts of the review desk. They do nothing while a person types or with a modifier key, and each key press
// acts once.

import { focused } from "../lib/dom.js"
import { hasModifier, hearKeys } from "../lib/keyboard.js"

/** @typedef {import("./desk.js").Desk} Desk */

/** @type {Record<string, (desk: Desk) => unknown>} */
const LETTERS = {
  a: desk => desk.deciding.decide("accept"),
  x: desk => desk.discard.open("discard"),
  k: desk => desk.discard.open("skip"),
  n: desk => desk.deciding.leave("next"),
  b: desk => desk.deciding.leave("back"),
  u: desk => desk.deciding.undo(),
  q: desk => desk.enter("question"),
  w: desk => desk.enter("answer"),
  s: desk => desk.enter("sentences"),
  c: desk => desk.enter("remark"),
  e: desk => desk.paper.selecting.add() || desk.claims.addSpot(),
  f: desk => desk.paper.finding.open(),
  d: desk => desk.card.toggleDiff(),
  h: desk => desk.card.history.toggle(),
  g: desk => desk.claims.turn(),
  m: desk => desk.claims.toOpen(),
  l: desk => desk.questions.turn(),
  "[": desk => desk.paper.jump(-1),
  "]": desk => desk.paper.jump(1),
  p: desk => desk.paper.turnView(),
}

const ARROWS = '[role="radiogroup"], [role="tablist"], [role="slider"], [role="grid"]'

/** Listen to the keys of a desk; return a function that stops listening. @param {Desk} desk */
export const listen = desk =>
  hearKeys(
    () => desk.root,
    (event, at) => whileTyping(desk, event, at),
    (event, at) => whileReading(desk, event, at),
  )

/**
 * Handle a key in a text box: Esc leaves it, and Ctrl or Cmd with Enter accepts; all other keys type.
 * @param {Desk} desk
 * @param {KeyboardEvent} event
 * @param {HTMLElement} at
 */
const whileTyping = (desk, event, at) => {
  if (event.key === "Escape") {
    if (at.classList.contains("comment")) desk.discard.close()
    else if (at.classList.contains("find-words")) desk.paper.finding.close()
    else if (at.classList.contains("claim-fix")) desk.claims.fixed(false)
    else if (at.classList.contains("ask-words")) desk.questions.leave(at)
    else desk.leaveBox(at)
    return true
  }
  if (event.key !== "Enter") return false
  if (at.classList.contains("find-words")) {
    desk.paper.finding.step(event.shiftKey ? -1 : 1)
    return true
  }
  if (at.classList.contains("sentences")) {
    if (!event.repeat) desk.addTyped(event.shiftKey)
    return true
  }
  if (at.classList.contains("comment")) {
    if (!event.repeat) desk.discard.confirm()
    return true
  }
  if (at.classList.contains("claim-fix") && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
    if (!event.repeat) desk.claims.fixed(true)
    return true
  }
  if (!(event.ctrlKey || event.metaKey)) return false
  if (event.repeat) return true
  if (at.classList.contains("remark")) desk.comments.send()
  else desk.deciding.decide("accept")
  return true
}

/**
 * @param {Desk} desk
 * @param {KeyboardEvent} event
 * @param {HTMLElement} at
 */
const whileReading = (desk, event, at) => {
  const { key } = event
  if (hasModifier(event)) return false
  const onButton = at?.closest?.("button, summary, a[href], [role=radio]")
  if (desk.discard.isOpen) {
    const number = /^[1-9]$/.test(key) ? Number(key) : 0
    if (key === "Escape") desk.discard.close()
    else if (number) desk.discard.choose(number - 1)
    else if (key === "Enter" && !(onButton && desk.root.contains(onButton) && !onButton.matches(".reason"))) {
      if (!event.repeat) desk.discard.confirm()
    } else return Boolean(LETTERS[key.toLowerCase()]) // while the list is open, a letter key decides nothing
    return true
  }
  if (desk.feedback.isOpen && key === "Enter" && !onButton) {
    if (!event.repeat) desk.feedback.next()
    return true
  }
  if (desk.questions.key(key, event.repeat)) return true
  if (desk.claims.focused && !(key === "Enter" && onButton) && desk.claims.key(key, event.repeat)) return true
  if (desk.claims.focused && key === "Escape") {
    focused(desk.root)?.blur()
    return true
  }
  if (desk.paper.onPages && !at.closest?.(ARROWS) && desk.paper.pages.key(key)) return true
  if (!event.shiftKey && desk.opinions.key(key, event.repeat)) return true
  const act = event.shiftKey && /^[a-z]$/i.test(key) ? null : LETTERS[key.toLowerCase()]
  if (!act) return false
  if (!event.repeat) act(desk)
  return true
}
