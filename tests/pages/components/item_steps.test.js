// What a run of the script drew of an entry that the sheet has left is left out; what the page leads to is drawn; the way back is of
// this sheet's own entries, and the script runs for what stands around it alone.

import assert from "node:assert/strict"
import { test } from "node:test"
import { openBrowser, settle } from "./browser.js"

const browser = openBrowser()
const { ItemSteps } = await import("../../../pages/components/lib/item_steps.js")

/** @param {string} item @param {string} tab @param {number} number @param {object} more */
const drawn = (item, tab, number, more = {}) =>
  /** @type {any} */ ({ item: { id: item }, visit: { tab, number, kind: {} }, went: 0, person: "Ada", ...more })

const onSheet = (/** @type {string} */ item, /** @type {string} */ tab, /** @type {number} */ number, more = {}) => {
  /** @type {string[]} */
  const told = []
  /** @type {string[]} */
  const asked = []
  /** @type {string[]} */
  const runs = []
  const navigation = /** @type {any} */ ({
    going: null,
    tell: (/** @type {string} */ _, /** @type {string} */ id) => told.push(id),
    ask: (/** @type {string} */ to, /** @type {string} */ id) => asked.push(`${to} ${id}`),
    go: (/** @type {string} */ to, /** @type {string} */ id) => asked.push(`go ${to} ${id}`),
    lock(/** @type {string} */ to) {
      this.going = { to }
      return this.going
    },
  })
  const sheet = /** @type {any} */ ({
    item: { id: item },
    data: drawn(item, tab, number, more),
    setTriggerValue: (/** @type {string} */ name) => runs.push(name),
    saved: () => {},
    buttons: () => runs.push("buttons"),
    draw(/** @type {any} */ data) {
      this.data = data
      this.item = data.item
    },
  })
  const steps = new ItemSteps(sheet, navigation, { path: "/bench/next", name: "item" })
  /** @type {string[]} */
  const addresses = []
  steps.address = id => addresses.push(id)
  return { sheet, steps, told, asked, runs, addresses, navigation }
}

/** Answers the last request. @param {object | null} desk */
const answer = async (desk, status = 200) => {
  const request = browser.requests.at(-1)
  request.answer(status, { ok: true, desk })
  await settle()
  return request.body
}

test("an earlier visit of the tab is past, the same one and a later one are not", () => {
  const { steps } = onSheet("c", "t", 3)
  assert.equal(steps.isPast(drawn("b", "t", 2)), true)
  assert.equal(steps.isPast(drawn("c", "t", 3)), false)
  assert.equal(steps.isPast(drawn("d", "t", 4)), false)
})

test("a sheet that the page leads, and one that has drawn nothing, draw what comes", () => {
  const { sheet, steps } = onSheet("c", "t", 3)
  assert.equal(steps.isPast({ ...drawn("b", "t", 2), visit: null }), false)
  sheet.item = undefined
  assert.equal(steps.isPast(drawn("b", "t", 2)), false)
})

test("a server that began anew is told once which entry is here, and again when it is another by then", () => {
  const { sheet, steps, told } = onSheet("c", "old", 3)
  assert.equal(steps.isPast(drawn("c", "new", 1)), false, "it knows of the entry already")
  assert.equal(steps.isPast(drawn("a", "new", 1)), true)
  assert.equal(steps.isPast(drawn("a", "new", 1)), true)
  assert.deepEqual(told, ["c"])
  sheet.item = { id: "d" }
  assert.equal(steps.isPast(drawn("c", "new", 2, { went: 1 })), true, "the sheet went on meanwhile")
  assert.deepEqual(told, ["c", "d"])
  assert.equal(steps.isPast(drawn("e", "new", 3, { went: 2 })), false, "it was told of this one, and leads elsewhere")
})

test("a press draws the entry that comes, writes it into the address, and the way back is the way there", async () => {
  const { sheet, steps, addresses, asked } = onSheet("a", "way", 1)
  steps.go("saved", "a")
  const sent = await answer(drawn("b", "way", 2))
  assert.deepEqual([sent.item, sent.to, sent.target, sent.number, sent.person], ["a", "next", "", 1, "Ada"])
  steps.go("next", "b")
  await answer(drawn("c", "way", 3))
  assert.deepEqual(steps.passed, ["a", "b"])
  steps.go("back", "c")
  assert.equal((await answer(drawn("b", "way", 4))).target, "b")
  assert.equal(steps.before, "a")
  steps.go("undone", "x")
  assert.deepEqual((await answer(drawn("x", "way", 5))).target, "x")
  assert.deepEqual(addresses, ["b", "c", "b", "x"])
  assert.equal(sheet.item.id, "x")
  assert.deepEqual(asked, [])
})

test("where nothing more comes the page is asked, and back leads to no entry that is here already", async () => {
  const { steps, asked } = onSheet("a", "end", 1)
  steps.go("next", "a")
  await answer(null)
  assert.deepEqual(asked, ["next a"])
  assert.equal(steps.before, undefined, "the page kept the entry")
  steps.go("open", "z")
  await answer(null, 422)
  assert.deepEqual(asked, ["next a", "open z"])
})

test("a decision brings the next entry, and asks for it where its answer brought none", () => {
  const { sheet, steps, asked, addresses, runs } = onSheet("a", "onward", 4)
  const { key, ...onward } = steps.onward
  assert.ok(key)
  assert.deepEqual(onward, { tab: "onward", number: 4, kind: {} })
  steps.goOn("saved", "a", drawn("b", "onward", 5))
  assert.deepEqual([sheet.item.id, steps.passed, addresses], ["b", ["a"], ["b"]])
  steps.goOn("saved", "b", undefined)
  assert.deepEqual(asked, ["go saved b"])
  steps.goOn("saved", "b", null)
  assert.deepEqual(asked, ["go saved b", "saved b"], "nothing waits: the page says so")
  assert.deepEqual(steps.passed, ["a", "b"])
  steps.goOn("saved", "a", drawn("c", "onward", 6))
  assert.deepEqual([sheet.item.id, runs], ["b", ["buttons"]], "a run of the script led elsewhere while it was stored")
  sheet.data = { ...sheet.data, visit: null }
  assert.equal(steps.onward, undefined, "the page leads from item to item")
})

test("a step that a run of the script overtook draws nothing", async () => {
  const { sheet, steps, navigation } = onSheet("a", "late", 1)
  steps.go("next", "a")
  navigation.going = null
  await answer(drawn("b", "late", 2))
  assert.equal(sheet.item.id, "a")
})

test("the script runs when what stands around the sheet is of another entry, and not before", async () => {
  const { steps, runs } = onSheet("a", "around", 1, { around: "task 1" })
  steps.isPast(drawn("a", "around", 1, { around: "task 1" }))
  steps.go("next", "a")
  await answer(drawn("b", "around", 2, { around: "task 1" }))
  assert.deepEqual(runs, [])
  steps.go("next", "b")
  await answer(drawn("c", "around", 3, { around: "other 2" }))
  assert.deepEqual(runs, ["around"])
  assert.equal(steps.isPast(drawn("b", "around", 2, { around: "task 1" })), true)
  assert.deepEqual(runs, ["around", "around"], "that run drew what stands around an earlier entry")
  assert.equal(steps.isPast(drawn("c", "around", 3, { around: "other 2" })), false)
  assert.deepEqual(runs, ["around", "around"])
})

test("an entry that somebody took over leads to the next, and the page is told where none is free", async () => {
  const { steps, asked } = onSheet("a", "taken", 1)
  steps.go("taken", "a")
  const sent = await answer(drawn("b", "taken", 2))
  assert.deepEqual([sent.to, sent.target], ["next", ""])
  steps.go("taken", "b")
  await answer(null)
  assert.deepEqual(asked, ["taken b"])
})
