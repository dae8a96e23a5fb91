import assert from "node:assert/strict"
import { test } from "node:test"
import { wordDiff } from "../../../pages/components/lib/diff.js"

/** One of the two texts again, from the pieces. */
const textFrom = (pieces, kind) =>
  pieces
    .filter(([one]) => one === "same" || one === kind)
    .map(([, text]) => text)
    .join("")

test("equal texts are one piece", () => {
  assert.deepEqual(wordDiff("The bridge stood.", "The bridge stood."), [["same", "The bridge stood."]])
  assert.deepEqual(wordDiff("", ""), [])
})

test("a changed word is taken out and put in, with its neighbours left alone", () => {
  assert.deepEqual(wordDiff("built in 1987 by hand", "built in 1986 by hand"), [
    ["same", "built in "],
    ["gone", "1987"],
    ["new", "1986"],
    ["same", " by hand"],
  ])
})

test("words that changed beside each other are read as one phrase", () => {
  assert.deepEqual(wordDiff("a red house here", "a blue boat here"), [
    ["same", "a "],
    ["gone", "red house"],
    ["new", "blue boat"],
    ["same", " here"],
  ])
})

test("Chinese differs by character", () => {
  assert.deepEqual(wordDiff("桥建于春天", "桥建于秋天"), [
    ["same", "桥建于"],
    ["gone", "春"],
    ["new", "秋"],
    ["same", "天"],
  ])
})

test("an emoji is never cut into halves", () => {
  for (const [, text] of wordDiff("so 😀 ends", "so 😁 ends")) assert.ok(text.isWellFormed?.() ?? true)
  assert.deepEqual(wordDiff("😀", "😁"), [
    ["gone", "😀"],
    ["new", "😁"],
  ])
})

test("both texts can be read from the pieces, whatever changed", () => {
  const words = "the river rose and the mayor of Orvel closed its old bridge".split(" ")
  for (let seed = 1; seed < 200; seed++) {
    const before = words.filter((_, n) => (seed * (n + 3)) % 7 !== 1).join(" ")
    const after = words.filter((_, n) => (seed * (n + 5)) % 5 !== 2).join(" ")
    const pieces = wordDiff(before, after)
    assert.equal(textFrom(pieces, "gone"), before)
    assert.equal(textFrom(pieces, "new"), after)
  }
})

test("texts that have little in common are shown whole", () => {
  const [before, after] = ["old", "new"].map(word => Array.from({ length: 3000 }, (_, n) => `${word}${n}`).join(" "))
  assert.deepEqual(wordDiff(before, after), [
    ["gone", before],
    ["new", after],
  ])
})
