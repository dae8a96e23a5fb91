import assert from "node:assert/strict"
import { afterEach, test } from "node:test"
import { getJson, isOffline, post } from "../../../pages/components/lib/requests.js"

const realFetch = globalThis.fetch
afterEach(() => {
  globalThis.fetch = realFetch
})

/** The next requests get these answers, whole or broken off. @param {string} text @param {number} status */
const answerWith = (text, status) => {
  globalThis.fetch = async () => new Response(text, { status })
}

test("an answer is its status and its JSON", async () => {
  answerWith('{"ok": true}', 200)
  assert.deepEqual(await post("/bench/decide", {}), { status: 200, body: { ok: true } })
})

test("an answer that broke off is none, so that the request is sent again", async () => {
  answerWith('{"ok": tr', 200)
  await assert.rejects(post("/bench/decide", {}), isOffline)
})

test("an error without JSON keeps its status", async () => {
  answerWith("Bad gateway", 502)
  assert.deepEqual(await post("/bench/decide", {}), { status: 502, body: {} })
})

test("every path is asked for below the base path of the app", async () => {
  /** @type {string[]} */
  const asked = []
  globalThis.fetch = async address => {
    asked.push(String(address))
    return new Response("{}", { status: 200 })
  }
  globalThis.benchwrightBase = "/team/bench"
  await post("/bench/decide", {})
  await getJson("/bench/document/1")
  globalThis.benchwrightBase = undefined
  await post("/bench/decide", {})
  assert.deepEqual(asked, ["/team/bench/bench/decide", "/team/bench/bench/document/1", "/bench/decide"])
})
