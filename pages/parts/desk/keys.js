// The keyboard: which key is heard when. Never while typing or composing, never with a modifier, never twice for one press,
// never under a list or a dialog of the page.

const LETTERS = {
  a: desk => desk.deciding.decide("accept"), x: desk => desk.discard.open(), n: desk => desk.deciding.leave("next"),
  b: desk => desk.deciding.leave("back"), u: desk => desk.deciding.undo(), q: desk => desk.enter("question"),
  w: desk => desk.enter("answer"), s: desk => desk.enter("sentences"), c: desk => desk.enter("remark"), e: desk => desk.paper.selecting.add() || desk.claims.addSpot(),
  f: desk => desk.paper.finding.open(), d: desk => desk.card.toggleDiff(), h: desk => desk.card.history.toggle(), g: desk => desk.claims.turn(), m: desk => desk.claims.toOpen(), "[": desk => desk.paper.jump(-1),
  "]": desk => desk.paper.jump(1), p: desk => desk.paper.turnView(),
}
const COVERS = '[role="dialog"], [role="listbox"], [data-baseweb="popover"] [role="menu"]'
const ARROWS = '[role="radiogroup"], [role="tablist"], [role="slider"], [role="grid"]'

const typesInto = node => node?.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(node?.tagName ?? "")

/** Hear keys for a desk; returns what stops it. */
const listen = desk => {
  const heard = event => {
    if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return
    const at = event.composedPath()[0]
    const inside = desk.root.contains(at)
    const used = typesInto(at) ? inside && whileTyping(desk, event, at) : !covered(desk) && whileReading(desk, event, at)
    if (!used) return
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener("keydown", heard, true)
  return () => document.removeEventListener("keydown", heard, true)
}

const covered = desk => [...document.querySelectorAll(COVERS)].some(node => !desk.root.contains(node) && node.getClientRects().length)

/** In a box: Esc leaves it, Ctrl or Cmd with Enter accepts; everything else is the box's own. */
const whileTyping = (desk, event, at) => {
  if (event.key === "Escape") {
    if (at.classList.contains("comment")) desk.discard.close()
    else if (at.classList.contains("find-words")) desk.paper.finding.close()
    else if (at.classList.contains("claim-fix")) desk.claims.fixed(false)
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
  if (!event.repeat) at.classList.contains("remark") ? desk.comments.send() : desk.deciding.decide("accept")
  return true
}

const whileReading = (desk, event, at) => {
  const { key } = event
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const onButton = at?.closest?.("button, summary, a[href], [role=radio]")
  if (desk.discard.isOpen) {
    const number = /^[1-9]$/.test(key) ? Number(key) : 0
    if (key === "Escape") desk.discard.close()
    else if (number) desk.discard.choose(number - 1)
    else if (key === "Enter" && !(onButton && desk.root.contains(onButton) && !onButton.matches(".reason"))) {
      if (!event.repeat) desk.discard.confirm()
    } else return Boolean(LETTERS[key.toLowerCase()])  // a letter under the list decides nothing
    return true
  }
  if (desk.feedback.isOpen && key === "Enter" && !onButton) {
    if (!event.repeat) desk.feedback.next()
    return true
  }
  if (desk.claims.focused && !(key === "Enter" && onButton) && desk.claims.key(key, event.repeat)) return true
  if (desk.claims.focused && key === "Escape") {
    desk.root.getRootNode().activeElement.blur()
    return true
  }
  if (desk.paper?.onPages && !at.closest?.(ARROWS) && desk.paper.pages.key(key)) return true
  if (!event.shiftKey && desk.opinions.key(key, event.repeat)) return true
  const act = event.shiftKey && /^[a-z]$/i.test(key) ? null : LETTERS[key.toLowerCase()]
  if (!act) return false
  if (!event.repeat) act(desk)
  return true
}
