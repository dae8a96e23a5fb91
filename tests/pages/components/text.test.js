import assert from "node:assert/strict"
import { test } from "node:test"
import { insertPicture } from "../../../pages/components/editor/picture.js"
import { clock, points, units, unseen, unseenNote } from "../../../pages/components/lib/text.js"

test("code points count a surrogate pair once", () => {
  assert.equal(points("a😀b"), 3)
  assert.equal(points(""), 0)
})

test("units say where a code point stands in UTF-16", () => {
  assert.equal(units("a😀b", 2), 3)
  assert.equal(units("abc", 2), 2)
  assert.equal(units("ab", 9), 2)
})

test("an unseen character is found and named", () => {
  assert.deepEqual(unseen("ab\u200bc"), [[2, "\u200b"]])
  assert.match(unseenNote("x\u202ey"), /RLO/)
  assert.equal(unseenNote("plain"), "")
})

test("a joiner that an emoji or a script needs is none of them", () => {
  assert.deepEqual(unseen("👩\u200d🔬"), [])
  assert.deepEqual(unseen("a\u200db"), [[1, "\u200d"]])
})

test("a time of day has two digits each, and an unreadable one is told", () => {
  assert.match(clock(Date.now()), /^\d\d:\d\d:\d\d$/)
  assert.match(clock(Date.now(), false), /^\d\d:\d\d$/)
  assert.equal(clock("no date"), "earlier")
})

test("a picture stands at the caret and its data at the end", () => {
  const text = insertPicture("one two", 4, "a map.png", "data:image/webp;base64,AA")
  assert.match(text, /^one !\[a map\]\[(picture-\w+)\]two\n\n\[\1\]: data:image\/webp;base64,AA\n$/)
})
