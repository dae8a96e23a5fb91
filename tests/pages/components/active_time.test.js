import assert from "node:assert/strict"
import { beforeEach, test } from "node:test"
import { ActiveTime } from "../../../pages/components/lib/active_time.js"
import { openBrowser } from "./browser.js"

let browser
beforeEach(() => {
  browser = openBrowser()
})

test("time counts until a minute after the last sign of life", () => {
  const time = new ActiveTime()
  time.start()
  browser.now = 40_000
  window.dispatchEvent(new Event("keydown"))
  browser.now = 300_000
  assert.equal(time.seconds, 100)
  assert.equal(time.isActive, false)
})

test("a hidden tab counts nothing", () => {
  const time = new ActiveTime()
  time.start()
  browser.now = 10_000
  document.visibilityState = "hidden"
  document.dispatchEvent(new Event("visibilitychange"))
  browser.now = 50_000
  document.visibilityState = "visible"
  document.dispatchEvent(new Event("visibilitychange"))
  browser.now = 55_000
  assert.equal(time.seconds, 15)
})

test("earlier visits are counted on, and a stopped clock hears nothing", () => {
  const time = new ActiveTime()
  time.start(12.5)
  browser.now = 1_000
  assert.equal(time.seconds, 13.5)
  time.stop()
  browser.now = 61_000
  window.dispatchEvent(new Event("keydown"))
  assert.equal(time.life, 0)
})
