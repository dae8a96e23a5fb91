import assert from "node:assert/strict"
import { test } from "node:test"
import {
  lastUpTo,
  layOut,
  sentencesOf,
  spansFromNumbers,
  textOf,
  unitAt,
} from "../../../pages/components/lib/document_cache.js"

const documentFrom = (text, sentences = []) => ({ id: "d", text, sentences, ...layOut(text) })

test("a block is a line, and counts units and code points", () => {
  const { blocks, length, astral } = layOut("a😀\n\nbc")
  assert.deepEqual(blocks, [
    { u: 0, e: 3, p: 0, n: 2 },
    { u: 4, e: 4, p: 3, n: 0 },
    { u: 5, e: 7, p: 4, n: 2 },
  ])
  assert.equal(length, 6)
  assert.equal(astral, true)
})

test("the text of a span is asked by code points", () => {
  const found = documentFrom("one 😀 two\nthree 😁 four")
  assert.equal(textOf(found, { start: 6, end: 9 }), "two")
  assert.equal(textOf(found, { start: 10, end: 17 }), "three 😁")
  assert.equal(unitAt(found, 0), 0)
})

test("a very long line is cut where a word ends, and loses nothing", () => {
  const text = "word ".repeat(3000).trim()
  const { blocks } = layOut(text)
  assert.ok(blocks.length > 1 && blocks.every(({ u, e }) => e - u <= 4001))
  assert.equal(blocks.map(({ u, e }) => text.slice(u, e)).join(""), text)
})

test("a surrogate pair is never cut by a block", () => {
  const text = "😀".repeat(5000)
  for (const { u, e } of layOut(text).blocks) assert.equal((e - u) % 2, 0)
})

test("sections cover all blocks in their order", () => {
  const { blocks, sections } = layOut("a line\n".repeat(500))
  assert.equal(sections[0].first, 0)
  assert.equal(sections.at(-1).last, blocks.length - 1)
  sections.slice(1).forEach((section, n) => assert.equal(section.first, sections[n].last + 1))
})

test("sentences are told by the numbers that a span touches", () => {
  const found = documentFrom("One. Two. Three.", [
    [0, 4],
    [5, 9],
    [10, 16],
  ])
  assert.equal(sentencesOf(found, { document: "d", start: 5, end: 9 }), "2")
  assert.equal(sentencesOf(found, { document: "d", start: 2, end: 12 }), "1-3")
  assert.equal(sentencesOf(documentFrom("One."), { document: "d", start: 0, end: 4 }), "")
})

test("numbers mean spans, one a run, and a wrong one is told", () => {
  const found = documentFrom("One. Two. Three.", [
    [0, 4],
    [5, 9],
    [10, 16],
  ])
  assert.deepEqual(spansFromNumbers("1, 2-3", found), [
    { document: "d", start: 0, end: 4 },
    { document: "d", start: 5, end: 16 },
  ])
  assert.throws(() => spansFromNumbers("4", found), /sentences 1 to 3/)
  assert.throws(() => spansFromNumbers("two", found), /is not a sentence number/)
})

test("the last place up to a value is found, or none", () => {
  assert.equal(
    lastUpTo([1, 3, 5], 4, n => n),
    1,
  )
  assert.equal(
    lastUpTo([1, 3, 5], 0, n => n),
    -1,
  )
})
