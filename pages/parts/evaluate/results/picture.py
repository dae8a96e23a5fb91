"""A figure with its files: SVG as it is drawn, and PNG at twice its size, made in the browser, which has the fonts that the
figure is shown in."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.ui.say import plain

_HTML = '<button type="button"><span class="icon" aria-hidden="true">download</span>PNG</button>'
_CSS = """
button { display: inline-flex; align-items: center; gap: .5rem; min-height: 2.5rem; padding: .25rem .75rem; cursor: pointer;
         font: 400 .875rem/1.6 var(--st-font); color: var(--st-text-color); background: var(--st-background-color);
         border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, .5rem); white-space: nowrap; }
button:hover { border-color: var(--st-primary-color); color: var(--st-primary-color); }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 1px; }
.icon { font: normal 1.15rem/1 "Material Symbols Rounded"; text-transform: none; user-select: none; }
"""
_JS = """
const SCALE = 2
export default function ({ data, parentElement }) {
  parentElement.querySelector("button").onclick = () => {
    const image = new Image()
    const source = URL.createObjectURL(new Blob([data.svg], { type: "image/svg+xml" }))
    image.onload = () => {
      const canvas = Object.assign(document.createElement("canvas"), {
        width: image.naturalWidth * SCALE, height: image.naturalHeight * SCALE,
      })
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height)
      URL.revokeObjectURL(source)
      canvas.toBlob(blob => {
        const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: data.name })
        link.click()
        setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
      }, "image/png")
    }
    image.src = source
  }
}
"""
_PNG = st.components.v2.component("benchwright_png", html=_HTML, css=_CSS, js=_JS)


def show(svg: str, name: str, key: str, notes: Sequence[str] = ()) -> None:
    """Draw it, what is said under it, and its files, named `name`.svg and `name`.png."""
    with st.container(horizontal_alignment="center"):
        st.image(svg, width=860)
    for sentence in notes:
        st.caption(plain(sentence))
    with st.container(horizontal=True):
        st.download_button(
            "SVG", svg, f"{name}.svg", "image/svg+xml", icon=":material/download:", key=f"{key}_svg", on_click="ignore"
        )
        _PNG(data={"svg": svg, "name": f"{name}.png"}, key=f"{key}_png", width="content")
