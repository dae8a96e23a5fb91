import assert from "node:assert/strict"
import { beforeEach, test } from "node:test"
import { Hold } from "../../../pages/components/review/hold.js"
import { openBrowser } from "./browser.js"

const BO = { by: "Bo", until: "2026-01-01T10:15:00.000+00:00" }

beforeEach(() => {
  openBrowser()
})

const DECIDED = { status: "accepted" }

/** A desk that opens the item as after a reload; returns whose take-over it went on for, or what it asked of the page. */
const openItem = async (
  id,
  held,
  { person = "Ada", changed = false, visit = { number: 1 }, status = "drafted", decision = null } = {},
) => {
  const passedOn = []
  const item = { id, status }
  const desk = { data: { person, visit, item, decision }, item, changed, buttons: () => {} }
  desk.deciding = { passOn: async by => passedOn.push(by), ask: (to, about) => passedOn.push(`${to} ${about}`) }
  const hold = new Hold(desk)
  hold.draw = () => {}
  hold.open(held, id)
  await hold.resume(id)
  hold.stop()
  return passedOn
}

test("back from a break, an item that somebody took over leads to the next one", async () => {
  assert.deepEqual(await openItem("a", null), [])
  assert.deepEqual(await openItem("a", BO), ["Bo"])
})

test("an item of somebody else that was never mine here stays on the screen", async () => {
  assert.deepEqual(await openItem("a", BO), [])
  await openItem("b", null)
  assert.deepEqual(await openItem("a", BO), [])
  assert.deepEqual(await openItem("b", BO, { person: "Cem" }), [], "another person in the same tab")
})

test("words of one's own keep a lost item on the screen, and so does a list from Find", async () => {
  await openItem("a", null)
  assert.deepEqual(await openItem("a", BO, { changed: true }), [])
  assert.deepEqual(await openItem("a", BO, { visit: null }), [])
})

test("an item that somebody decided on during the break leads to the next one, once", async () => {
  await openItem("a", null)
  assert.deepEqual(await openItem("a", null, DECIDED), ["taken a"])
  assert.deepEqual(await openItem("a", null, DECIDED), [], "opened again on purpose")
})

test("a decided item stays that was opened by its address, has words or a decision of one's own, or is in a list from Find", async () => {
  assert.deepEqual(await openItem("a", null, DECIDED), [])
  assert.deepEqual(await openItem("a", null, DECIDED), [], "reloaded")
  for (const own of [{ changed: true }, { decision: {} }, { visit: null }, { person: "Cem" }]) {
    await openItem("a", null)
    assert.deepEqual(await openItem("a", null, { ...DECIDED, ...own }), [])
  }
})
