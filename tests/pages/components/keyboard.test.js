import assert from "node:assert/strict"
import { beforeEach, test } from "node:test"
import { hearKeys, markTyping, pressOnce, typesInto } from "../../../pages/components/lib/keyboard.js"
import { openBrowser } from "./browser.js"

const box = { tagName: "TEXTAREA" }
const page = { tagName: "BODY" }
const root = { contains: node => node === box }

const press = (key, { at = page, ...more } = {}) => {
  const event = Object.assign(new Event("keydown", { cancelable: true }), {
    key,
    isComposing: false,
    keyCode: 0,
    repeat: false,
    ...more,
  })
  event.composedPath = () => [at]
  document.dispatchEvent(event)
  return event
}

let heard, stop
beforeEach(() => {
  openBrowser()
  heard = []
  const hear = name => event => {
    heard.push(`${name} ${event.key}`)
    return event.key !== "z"
  }
  stop = hearKeys(() => root, hear("typing"), hear("reading"))
})

test("a key is read on the page and typed in a box", () => {
  press("a")
  press("b", { at: box })
  assert.deepEqual(heard, ["reading a", "typing b"])
})

test("a key that is used goes no further, another one does", () => {
  assert.equal(press("a").defaultPrevented, true)
  assert.equal(press("z").defaultPrevented, false)
})

test("a box of somebody else hears alone", () => {
  press("a", { at: { tagName: "INPUT" } })
  assert.deepEqual(heard, [])
})

test("nothing is heard while composing, or twice", () => {
  press("a", { isComposing: true })
  press("a", { keyCode: 229 })
  const used = Object.assign(new Event("keydown", { cancelable: true }), { key: "a", composedPath: () => [page] })
  used.preventDefault()
  document.dispatchEvent(used)
  assert.deepEqual(heard, [])
})

test("under an open dialog of the page no key is read", () => {
  document.querySelectorAll = () => [{ getClientRects: () => [1] }]
  press("a")
  press("b", { at: box })
  assert.deepEqual(heard, ["typing b"])
})

test("who stopped hears nothing", () => {
  stop()
  press("a")
  assert.deepEqual(heard, [])
})

test("a key that is held down acts once and is used all the same", () => {
  let acts = 0
  const act = () => {
    acts++
  }
  assert.equal(pressOnce({ repeat: false }, act), true)
  assert.equal(pressOnce({ repeat: true }, act), true)
  assert.equal(pressOnce({ repeat: false }, undefined), false)
  assert.equal(acts, 1)
})

test("keys are typed into boxes and what can be edited", () => {
  assert.equal(typesInto({ tagName: "SELECT" }), true)
  assert.equal(typesInto({ isContentEditable: true, tagName: "DIV" }), true)
  assert.equal(typesInto({ tagName: "DIV" }), false)
  assert.equal(typesInto(null), false)
})

test("while a component collects what is typed, no other component uses a key", () => {
  markTyping(true)
  press("a")
  assert.deepEqual(heard, [])
  markTyping(false)
  press("a")
  assert.equal(heard.length, 1)
})
