"""Keyboard shortcuts for the boxes of a form: a letter puts the focus into a box, Escape takes the focus out of it. The form's
buttons have their own keys (Streamlit's argument `shortcut`), which do nothing while somebody types in a box."""

from collections.abc import Mapping

import streamlit as st

_KEYS = st.components.v2.component(
    "benchwright_box_keys",
    html="<span hidden></span>",
    js="""
const listening = new WeakMap()
const isBox = at => /^(INPUT|TEXTAREA|SELECT)$/.test(at?.tagName ?? "") || at?.isContentEditable
const COVERS = '[role="dialog"], [role="listbox"]'

export default function ({ data, parentElement }) {
  listening.get(parentElement)?.()
  const heard = event => {
    if (event.isComposing || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const at = event.composedPath()[0]
    if (isBox(at)) {
      if (event.key === "Escape" && at.matches('textarea, input:not([role="combobox"])')) at.blur()
      return
    }
    if ([...document.querySelectorAll(COVERS)].some(node => node.getClientRects().length)) return
    const label = data.boxes[event.key]
    const box = label && [...document.querySelectorAll("input, textarea")].find(one => one.getAttribute("aria-label") === label)
    if (!box) return
    event.preventDefault()
    box.focus()
    box.setSelectionRange?.(box.value.length, box.value.length)
  }
  document.addEventListener("keydown", heard, true)
  parentElement.querySelector("span").dataset.boxKeys = Object.keys(data.boxes).join(" ")
  listening.set(parentElement, () => document.removeEventListener("keydown", heard, true))
  return () => {
    listening.get(parentElement)?.()
    listening.delete(parentElement)
  }
}
""",
)


def show_box_keys(boxes: Mapping[str, str], key: str) -> None:
    """Set the keyboard shortcuts of a form: `boxes` is a dict from a key to the label of the box that gets the focus."""
    _KEYS(data={"boxes": dict(boxes)}, key=key, height=1)
