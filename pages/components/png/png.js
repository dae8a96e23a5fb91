// A button that saves an SVG figure as a PNG file of twice its size. The browser draws the PNG, because it has the fonts of the
// figure.

import { find } from "../lib/dom.js"
import "./png.css"

const SCALE = 2
const URL_MILLISECONDS = 60_000

/** @param {Blob} blob @param {string} name */
const save = (blob, name) => {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), URL_MILLISECONDS)
}

/** @param {string} svg @param {string} name */
const savePng = (svg, name) => {
  const image = new Image()
  const source = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }))
  image.onload = () => {
    const size = { width: image.naturalWidth * SCALE, height: image.naturalHeight * SCALE }
    const canvas = Object.assign(document.createElement("canvas"), size)
    canvas.getContext("2d")?.drawImage(image, 0, 0, size.width, size.height)
    URL.revokeObjectURL(source)
    canvas.toBlob(blob => blob && save(blob, name), "image/png")
  }
  image.src = source
}

/** @param {import("../lib/component.js").StreamlitComponent} component */
export default ({ data, parentElement }) => {
  find(parentElement, "button").onclick = () => savePng(data.svg, data.name)
}
