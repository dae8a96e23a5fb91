// Nothing typed is lost, nothing is decided twice: requests with the desk's header, the copy in this browser until the store has
// acknowledged one, and the seconds that a person was really at it.

const PREFIX = "benchwright.desk"
const IDLE = 60_000
const KEEPALIVE_LIMIT = 60_000
const FORGET_AFTER = 30 * 86_400_000
const PATIENCE = 15_000

/** A key that no other press has; the browser gives its own only where the page came by https or from this machine. */
const freshKey = () => crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join("")

/** One request. Resolves to {status, body}; rejects only when no answer came. */
const post = async (path, body, { keepalive = false, patience = PATIENCE } = {}) => {
  const text = JSON.stringify(body)
  const answer = await fetch(path, {
    method: "POST", body: text, headers: { "Content-Type": "application/json", "X-Benchwright": "desk" },
    keepalive: keepalive && new Blob([text]).size < KEEPALIVE_LIMIT, signal: keepalive ? undefined : AbortSignal.timeout(patience),
  })
  return { status: answer.status, body: await answer.json().catch(() => ({})) }
}

/** Ask again with the same words until an answer comes: after 1, 2, 4, 8, 10, 10 ... seconds, or when the network is back. */
const persist = async (path, body, told) => {
  for (let wait = 1; ; wait = Math.min(wait * 2, 10)) {
    try {
      const answer = await post(path, body)
      if (answer.status < 500) return answer
      told(`the server answered ${answer.status}`)
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error
      told("no connection")
    }
    await new Promise(go => {
      const timer = setTimeout(done, wait * 1000)
      function done() {
        clearTimeout(timer)
        window.removeEventListener("online", done)
        go()
      }
      window.addEventListener("online", done)
    })
  }
}

/** The browser's own memory; full or forbidden, it holds nothing, and the store still does. */
const memory = {
  get(key) {
    try { return JSON.parse(localStorage.getItem(key)) } catch { return null }
  },
  set(key, value) {
    try { localStorage.setItem(key, JSON.stringify(value)); return true } catch { return false }
  },
  drop(key) {
    try { localStorage.removeItem(key) } catch { return }
  },
  keys(prefix) {
    try { return Object.keys(localStorage).filter(key => key.startsWith(prefix)) } catch { return [] }
  },
}

const wordsKey = (person, item, revision) => `${PREFIX}.words:${person}:${item}:${revision}`
const visitKey = (person, item, revision) => `${PREFIX}.visit:${person}:${item}:${revision}`

/** The newest copy of a person's words on an item in this browser, of whatever revision. */
const copyOf = (person, item) => memory.keys(`${PREFIX}.words:${person}:${item}:`).map(key => memory.get(key))
  .filter(copy => copy && typeof copy.question === "string" && Array.isArray(copy.evidence)).sort((a, b) => b.at - a.at)[0] ?? null

/** Forget a person's copies of an item: its words were decided on, or put back. */
const forget = (person, item) => {
  for (const key of memory.keys(`${PREFIX}.`)) if (key.includes(`:${person}:${item}:`)) memory.drop(key)
}

/** Copies that nobody came back for in a month go. */
const tidy = () => {
  for (const key of memory.keys(`${PREFIX}.`)) {
    const copy = memory.get(key)
    if (copy?.at && Date.now() - copy.at > FORGET_AFTER) memory.drop(key)
  }
}

/** Active time: monotonic, only while the tab is visible and the last sign of life is less than a minute old. */
class ActiveTime {
  constructor() {
    this.total = 0
    this.mark = this.life = performance.now()
    this.alive = () => {
      this.settle()
      this.life = performance.now()
    }
    this.turned = () => {
      this.settle()
      if (document.visibilityState === "visible") this.life = performance.now()
    }
    for (const kind of ActiveTime.SIGNS) window.addEventListener(kind, this.alive, { capture: true, passive: true })
    document.addEventListener("visibilitychange", this.turned, true)
  }

  static SIGNS = ["keydown", "mousemove", "pointerdown", "wheel", "scroll", "touchmove"]

  /** Count up to now; the time before this event belongs to what was visible before it. */
  settle() {
    const now = performance.now()
    const counted = Math.min(now, this.life + IDLE) - this.mark
    if (this.seen && counted > 0) this.total += counted
    this.mark = now
    this.seen = document.visibilityState === "visible"
  }

  /** Begin with the seconds of earlier visits. */
  start(seconds) {
    this.total = Math.max(0, Number(seconds) || 0) * 1000
    this.mark = this.life = performance.now()
    this.seen = document.visibilityState === "visible"
  }

  get seconds() {
    this.settle()
    return Math.round(this.total / 100) / 10
  }

  stop() {
    for (const kind of ActiveTime.SIGNS) window.removeEventListener(kind, this.alive, { capture: true })
    document.removeEventListener("visibilitychange", this.turned, true)
  }
}
