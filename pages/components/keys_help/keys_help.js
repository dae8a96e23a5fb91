// An overlay with the keyboard shortcuts of the page. The key `?`, or a button of the class keys-open, opens the overlay; `?`
// or Escape closes it.

import { mount } from "../lib/component.js"
import { el, find } from "../lib/dom.js"
import { hasModifier, typesInto } from "../lib/keyboard.js"
import "./keys_help.css"

const MAX_ROWS_OF_ONE_COLUMN = 12

/** @param {[string, string]} row */
const drawRow = ([keys, about]) => {
  const term = el("dt")
  for (const [n, key] of keys.split(" ").entries()) term.append(n ? " " : "", el("kbd", "", key))
  const row = el("div")
  row.append(term, el("dd", "", about))
  return row
}

/** Listen to the keys of the whole page; return a function that stops listening. @param {HTMLElement} veil */
const listen = veil => {
  /** @param {KeyboardEvent} event */
  const hearKey = event => {
    const at = event.composedPath()[0]
    const types = at instanceof HTMLElement && typesInto(at)
    if (event.key === "?" && !types && !hasModifier(event)) veil.hidden = !veil.hidden
    else if (event.key === "Escape" && !veil.hidden) veil.hidden = true
    else {
      if (veil.hidden) return
      // while the help is open, a key decides nothing on the page and presses no focused button
      event.stopImmediatePropagation()
      if (!/^(Arrow|Page|Home|End)/.test(event.key) && !hasModifier(event)) event.preventDefault()
      return
    }
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  /** Keep the space bar from pressing a button of the page when it is released. @param {KeyboardEvent} event */
  const hearKeyUp = event => {
    if (veil.hidden) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  /** @param {MouseEvent} event */
  const hearClick = event => {
    const at = event.composedPath()[0]
    if (at instanceof Element && at.closest(".keys-open")) veil.hidden = false
  }
  window.addEventListener("keydown", hearKey, true)
  window.addEventListener("keyup", hearKeyUp, true)
  window.addEventListener("click", hearClick)
  return () => {
    window.removeEventListener("keydown", hearKey, true)
    window.removeEventListener("keyup", hearKeyUp, true)
    window.removeEventListener("click", hearClick)
  }
}

export default mount(parent => {
  const veil = find(parent, ".veil")
  veil.onclick = event => {
    if (event.target === veil) veil.hidden = true
  }
  return {
    stop: listen(veil),
    /** @param {{ data: { rows: [string, string][] } }} component */
    render({ data }) {
      find(parent, "dl").replaceChildren(...data.rows.map(drawRow))
      find(parent, ".card").classList.toggle("many", data.rows.length > MAX_ROWS_OF_ONE_COLUMN)
    },
  }
})
