import assert from "node:assert/strict"
import { beforeEach, mock, test } from "node:test"
import { openBrowser, settle } from "./browser.js"

let browser = openBrowser() // before the import: the tab is known from its session
const { DraftKeeper, TAB, dropOldDrafts, forget, newestDraft, subjectOf } = await import(
  "../../../pages/components/lib/drafts.js"
)

const PAUSE_MS = 400
const key = (item, revision = 1) => `benchwright.desk.words:Ada:${item}:${revision}:${TAB}`

let owner, keeper, said, conflicts
beforeEach(() => {
  mock.timers.reset()
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 })
  browser = openBrowser()
  said = []
  conflicts = []
  owner = {
    item: { id: "i1" },
    data: { person: "Ada" },
    words: { question: "why", answer: "so" },
    evidence: [],
    base: 1,
    time: { seconds: 7 },
    pressKey: "k",
    saved: (words, trouble = false) => said.push([words, trouble]),
    elsewhere: theirs => conflicts.push(theirs),
  }
  keeper = new DraftKeeper(owner)
})

test("what is typed is in the browser at once and with the server after a pause", async () => {
  keeper.typed()
  assert.equal(JSON.parse(browser.stored.get(key("i1"))).question, "why")
  assert.equal(browser.requests.length, 0)
  mock.timers.tick(PAUSE_MS)
  assert.equal(browser.requests[0].path, "/bench/scratch")
  assert.deepEqual(browser.requests[0].body.evidence, [])
  browser.requests[0].answer(200, { saved_at: "2026-01-01" })
  await settle()
  assert.equal(browser.stored.has(key("i1")), false)
})

test("a word typed while the last one is on its way is sent too, and its copy stays until it is there", async () => {
  keeper.typed()
  mock.timers.tick(PAUSE_MS)
  owner.words = { question: "why not", answer: "so" }
  mock.timers.tick(1)
  keeper.typed()
  browser.requests[0].answer(200, {})
  await settle()
  assert.equal(JSON.parse(browser.stored.get(key("i1"))).question, "why not")
  assert.equal(browser.requests[1].body.question, "why not")
  browser.requests[1].answer(200, {})
  await settle()
  assert.equal(browser.stored.has(key("i1")), false)
})

test("without a network it says so, keeps the copy and asks again", async () => {
  keeper.typed()
  mock.timers.tick(PAUSE_MS)
  browser.requests[0].fail()
  await settle()
  assert.deepEqual(said.at(-1), ["not saved yet: no connection, trying again", true])
  assert.equal(browser.stored.has(key("i1")), true)
  mock.timers.tick(1000)
  await settle()
  assert.equal(browser.requests.length, 2)
  browser.requests[1].answer(200, {})
  await settle()
  assert.equal(browser.stored.has(key("i1")), false)
})

test("the network's return is not waited for a second time", async () => {
  keeper.typed()
  mock.timers.tick(PAUSE_MS)
  browser.requests[0].answer(503, {})
  await settle()
  window.dispatchEvent(new Event("online"))
  await settle()
  assert.equal(browser.requests.length, 2)
})

test("other words of another tab are shown, and nothing is sent before one is chosen", async () => {
  keeper.knows("then")
  keeper.typed()
  mock.timers.tick(PAUSE_MS)
  const { body } = browser.requests[0]
  assert.deepEqual([body.tab, body.since, body.key], [TAB, "then", "k"])
  browser.requests[0].answer(409, { theirs: { question: "other" }, message: "m" })
  await settle()
  assert.deepEqual(conflicts, [{ question: "other" }])
  keeper.typed()
  mock.timers.tick(PAUSE_MS)
  assert.equal(browser.requests.length, 1)
  keeper.knows("now")
  keeper.flush()
  assert.equal(browser.requests.length, 2)
})

test("while a decision is on its way nothing is sent, and after a refusal it is", () => {
  keeper.typed()
  keeper.hold()
  mock.timers.tick(10 * PAUSE_MS)
  assert.equal(browser.requests.length, 0)
  keeper.release()
  assert.equal(browser.requests.length, 1)
})

test("another item: the last word is sent as the page leaves, and its copy goes when it is there", async () => {
  keeper.typed()
  keeper.leave()
  assert.equal(browser.requests[0].keepalive, true)
  owner.item = { id: "i2" }
  browser.requests[0].answer(200, {})
  await settle()
  assert.equal(browser.stored.has(key("i1")), false)
  assert.deepEqual(said, [])
})

test("words on something of an item have their own address and copy", () => {
  owner.on = "comment"
  keeper.typed()
  mock.timers.tick(PAUSE_MS)
  assert.equal(browser.requests[0].path, "/bench/comment/scratch")
  assert.equal(browser.stored.has(key("comment:i1")), true)
  assert.equal(subjectOf("", "i1"), "i1")
})

test("of two copies the newer one comes back", () => {
  const stored = {
    question: "store",
    answer: "",
    evidence: [],
    revision: 1,
    seconds: 3,
    saved_at: new Date(5_000).toISOString(),
  }
  assert.equal(newestDraft("Ada", "i1", null), null)
  assert.equal(newestDraft("Ada", "i1", stored).question, "store")
  keeper.typed()
  const copy = newestDraft("Ada", "i1", stored)
  assert.deepEqual([copy.question, copy.local], ["why", true])
  assert.equal(newestDraft("Ada", "i1", { ...stored, saved_at: new Date(9_000_000).toISOString() }).question, "store")
  assert.equal(newestDraft("", "i1", null), null)
})

test("a broken copy in the browser is none", () => {
  browser.stored.set(key("i1"), "{ broken")
  browser.stored.set(key("i1", 2), JSON.stringify({ question: 3 }))
  assert.equal(newestDraft("Ada", "i1", null), null)
})

test("what was decided on is forgotten, what nobody came back for too", () => {
  keeper.typed()
  forget("Bob", "i1")
  assert.equal(browser.stored.size, 1)
  forget("Ada", "i1")
  assert.equal(browser.stored.size, 0)
  keeper.typed()
  mock.timers.tick(31 * 86_400_000)
  dropOldDrafts()
  assert.equal(browser.stored.size, 0)
})
