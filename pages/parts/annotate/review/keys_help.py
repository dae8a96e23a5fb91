"""Help on `?`, or on a button of class keys-open: the keys of this page, laid over it; the same key or Escape takes it away."""

from collections.abc import Sequence
from typing import NoReturn

import streamlit as st

EVERYWHERE = (("?", "Show or hide this help"),)
"""Keys that work on every page."""

_DRAWN = "keys_help_drawn"
_OVERLAY = st.components.v2.component(
    "benchwright_keys_help",
    html="<div class='veil' hidden role='dialog' aria-modal='true' aria-label='Keyboard help'><div class='card'>"
    "<h2>Keyboard</h2><dl></dl><p>Press ? or Esc to close.</p></div></div>",
    css="""
.veil { position: fixed; inset: 0; z-index: 1000000; display: grid; place-items: center; background: rgb(0 0 0 / 45%); }
.veil[hidden] { display: none; }
.card {
  min-width: 22rem; max-width: min(44rem, 94vw); max-height: 88vh; overflow: auto; padding: 1.2rem 1.6rem 1rem;
  color: var(--st-text-color); background: var(--st-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-base-radius); font-family: var(--st-font); font-size: .95rem;
}
h2 { margin: 0 0 .8rem; font-size: 1.1rem; }
dl { margin: 0; }
dl > div {
  display: grid; grid-template-columns: 6.2rem 1fr; gap: 1.2rem; padding: .2rem 0; align-items: baseline; break-inside: avoid;
}
dt { text-align: right; }
@media (min-width: 900px) {
  .card.many { max-width: min(66rem, 94vw); }
  .many dl { columns: 2; column-gap: 1.6rem; }
}
dd { margin: 0; }
kbd {
  display: inline-block; padding: .05rem .45rem; font-family: var(--st-code-font); font-size: .85rem;
  background: var(--st-secondary-background-color); border: 1px solid var(--st-border-color); border-radius: 4px;
}
p { margin: 1rem 0 0; opacity: .65; font-size: .85rem; }
""",
    js="""
const typing = event => {
  const at = event.composedPath()[0]
  return at && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName))
}
const opened = new WeakMap()
export default function ({ data, parentElement }) {
  const veil = parentElement.querySelector(".veil")
  const list = parentElement.querySelector("dl")
  list.replaceChildren(...data.rows.map(([keys, about]) => {
    const row = document.createElement("div")
    const term = document.createElement("dt")
    for (const [n, key] of keys.split(" ").entries()) {
      if (n) term.append(" ")
      const cap = document.createElement("kbd")
      cap.textContent = key
      term.append(cap)
    }
    const what = document.createElement("dd")
    what.textContent = about
    row.append(term, what)
    return row
  }))
  list.parentElement.classList.toggle("many", data.rows.length > 12)
  if (!opened.has(parentElement)) {
    const heard = event => {
      if (event.key === "?" && !typing(event) && !event.ctrlKey && !event.metaKey && !event.altKey) veil.hidden = !veil.hidden
      else if (event.key === "Escape" && !veil.hidden) veil.hidden = true
      else {
        if (veil.hidden) return
        event.stopImmediatePropagation()  // a key under the help decides nothing, and presses no button that has the focus
        const mayScroll = /^(Arrow|Page|Home|End)/.test(event.key)
        if (!mayScroll && !event.ctrlKey && !event.metaKey && !event.altKey) event.preventDefault()
        return
      }
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    const pressed = event => {
      if (event.composedPath()[0]?.closest?.(".keys-open")) veil.hidden = false
    }
    const lifted = event => {
      if (veil.hidden) return
      event.preventDefault()  // Space presses a button when it is let go
      event.stopImmediatePropagation()
    }
    window.addEventListener("keydown", heard, true)
    window.addEventListener("keyup", lifted, true)
    window.addEventListener("click", pressed)
    opened.set(parentElement, () => {
      window.removeEventListener("keydown", heard, true)
      window.removeEventListener("keyup", lifted, true)
      window.removeEventListener("click", pressed)
    })
  }
  veil.onclick = event => { if (event.target === veil) veil.hidden = true }
  return () => {
    opened.get(parentElement)?.()
    opened.delete(parentElement)
  }
}
""",
)


def keys_help(rows: Sequence[tuple[str, str]] = ()) -> None:
    """What `?` shows on this page: (keys with spaces between them, what they do)."""
    st.session_state[_DRAWN] = True
    _OVERLAY(data={"rows": [list(row) for row in (*rows, *EVERYWHERE)]}, key="keys_help", height=1)


def begin() -> None:
    """A rerun begins: its page has said nothing about its keys yet."""
    st.session_state[_DRAWN] = False


def stop() -> NoReturn:
    """The page ends here, having nothing more to show; it still answers `?`."""
    end()
    st.stop()


def end() -> None:
    """The page is drawn: one that has no keys of its own still answers `?`."""
    if not st.session_state[_DRAWN]:
        keys_help()
