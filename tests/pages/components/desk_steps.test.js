// What a run of the script drew of an item that the desk has left is left out; what the page leads to is drawn.

import assert from "node:assert/strict"
import { test } from "node:test"
import { DeskSteps } from "../../../pages/components/review/desk_steps.js"

/** @param {string} item @param {string} tab @param {number} number @param {number} went */
const drawn = (item, tab, number, went = 0) =>
  /** @type {any} */ ({ item: { id: item }, visit: { tab, number, kind: {} }, went })

const onDesk = (/** @type {string} */ item, /** @type {string} */ tab, /** @type {number} */ number) => {
  /** @type {string[]} */
  const told = []
  const deciding = { tell: (/** @type {string} */ _, /** @type {string} */ id) => told.push(id) }
  const desk = /** @type {any} */ ({ item: { id: item }, data: drawn(item, tab, number), deciding })
  const steps = new DeskSteps(desk)
  steps.address = () => {}
  return { desk, steps, told }
}

test("an earlier visit of the tab is past, the same one and a later one are not", () => {
  const { steps } = onDesk("c", "t", 3)
  assert.equal(steps.isPast(drawn("b", "t", 2)), true)
  assert.equal(steps.isPast(drawn("c", "t", 3)), false)
  assert.equal(steps.isPast(drawn("d", "t", 4)), false)
})

test("a desk that the page leads, and one that has drawn nothing, draw what comes", () => {
  const { desk, steps } = onDesk("c", "t", 3)
  assert.equal(steps.isPast({ ...drawn("b", "t", 2), visit: null }), false)
  desk.item = undefined
  assert.equal(steps.isPast(drawn("b", "t", 2)), false)
})

test("a server that began anew is told once which item is on the desk, and again when it is another by then", () => {
  const { desk, steps, told } = onDesk("c", "old", 3)
  assert.equal(steps.isPast(drawn("c", "new", 1)), false, "it knows of the item already")
  assert.equal(steps.isPast(drawn("a", "new", 1)), true)
  assert.equal(steps.isPast(drawn("a", "new", 1)), true)
  assert.deepEqual(told, ["c"])
  desk.item = { id: "d" }
  assert.equal(steps.isPast(drawn("c", "new", 2, 1)), true, "the desk went on meanwhile")
  assert.deepEqual(told, ["c", "d"])
  assert.equal(steps.isPast(drawn("e", "new", 3, 2)), false, "it was told of this one, and leads elsewhere")
})
