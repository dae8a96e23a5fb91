import assert from "node:assert/strict"
import { test } from "node:test"
import { PageView } from "../../../pages/components/page_view/pages.js"

/** The style of the number of each span that begins at [left, top], in a line that begins at `start`. */
const stylesOf = places => {
  globalThis.document = { createElement: () => ({ style: {} }) }
  const firsts = places.map(([left, top, start], n) => ({ span: { n }, box: [left, top, left + 0.1, top + 0.02], start }))
  return PageView.prototype.numbers.call({ current: 0 }, firsts).map(node => node.style.cssText)
}

test("a number stands in the left margin, wherever its sentence begins in the line", () => {
  assert.deepEqual(stylesOf([[0.4, 0.5, 0.125]]), ["top:50%;left:max(0.2rem, calc(12.5% - 1.5rem))"])
})

test("a number of a right column stands in the right margin, not on the letters of the left column", () => {
  assert.deepEqual(stylesOf([[0.7, 0.5, 0.508]]), ["top:50%;right:0.2rem"])
})

test("numbers at one height stand side by side in their margin", () => {
  const styles = stylesOf([
    [0.125, 0.5, 0.125],
    [0.508, 0.5, 0.508],
    [0.25, 0.5, 0.125],
    [0.36, 0.51, 0.36],
    [0.508, 0.525, 0.508],
    [0.508, 0.75, 0.508],
  ])
  assert.deepEqual(styles, [
    "top:50%;left:max(0.2rem, calc(12.5% - 1.5rem))",
    "top:50%;right:0.2rem",
    "top:50%;left:max(0.2rem, calc(12.5% - 2.8rem))",
    "top:51%;right:1.5rem",
    "top:52.5%;right:0.2rem",
    "top:75%;right:0.2rem",
  ])
})
