import assert from "node:assert/strict"
import { test } from "node:test"
import { relabel } from "../../../pages/components/lib/dom.js"

test("words that are changed come back as the HTML file has them", () => {
  const button = { dataset: {}, firstChild: { nodeValue: "Accept " } }
  relabel(button, "Show the draft")
  assert.equal(button.firstChild.nodeValue, "Show the draft ")
  relabel(button, "Next")
  relabel(button)
  assert.equal(button.firstChild.nodeValue, "Accept ")
})

test("a node without words stays as it is", () => {
  const empty = { dataset: {}, firstChild: null }
  relabel(empty, "Accept")
  assert.equal(empty.firstChild, null)
})
