// What a person typed and has not submitted goes to the store 400 ms after the last key, and stays in this browser until the
// store has said that it is there.

const PAUSE = 400

/** This browser tab, the same after a reload. */
const TAB = (() => {
  const fresh = freshKey()
  try {
    const place = `${PREFIX}.tab`
    if (!sessionStorage.getItem(place)) sessionStorage.setItem(place, fresh)
    return sessionStorage.getItem(place)
  } catch { return fresh }
})()

class Keeper {
  constructor(desk) {
    this.desk = desk
    this.dirty = this.held = false
    this.body = {}
  }

  /** The person changed something. */
  typed() {
    const { item, data, words, work, base, time } = this.desk
    this.body = {
      person: data.person, item: item.id, revision: base, question: words.question, answer: words.answer, evidence: work.evidence,
      seconds: time.seconds, on: this.desk.on ?? "",
    }
    this.at = Date.now()
    this.dirty = true
    this.local = memory.set(this.keyOf(this.body), { ...this.body, at: this.at })
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.flush(), PAUSE)
  }

  /** Send what is not stored yet; resolves when it is. */
  flush() {
    clearTimeout(this.timer)
    if (this.dirty && !this.held && !this.asks) this.flight ??= this.send().finally(() => { this.flight = null })
    return this.flight ?? Promise.resolve()
  }

  async send() {
    for (let wait = 1; this.dirty && !this.held; wait = Math.min(wait * 2, 10)) {
      const { body, at } = this
      this.dirty = false
      let why = "no connection"
      try {
        const answer = await post(this.address(body), this.told(body))
        if (answer.status === 200) {
          this.stored(body, at)
          if (body.item === this.body.item && this.since !== undefined) this.since = answer.body.saved_at
          this.desk.holding?.told(answer.body.held, body.item)
          if (body.item === this.body.item) this.desk.saved(`saved ${clock(Date.now())}`)
          wait = 1
          continue
        }
        if (answer.status === 409 && answer.body.theirs) {
          if (body.item !== this.body.item) return
          this.asks = true
          this.desk.saved("not kept: choose one of the two", true)
          this.desk.elsewhere(answer.body.theirs, answer.body.message)
          return
        }
        if (answer.status < 500) {
          this.desk.saved(`not kept: ${answer.body.message ?? `the server answered ${answer.status}`}`, true)
          return
        }
        why = `the server answered ${answer.status}`
      } catch (error) {
        if (!(error instanceof TypeError || error instanceof DOMException)) throw error
      }
      if (body.item !== this.body.item || this.desk.gone) return  // the copy in this browser stays
      this.dirty = true
      this.desk.saved(`not saved yet: ${why}, trying again`, true)
      await new Promise(go => {
        const timer = setTimeout(go, wait * 1000)
        window.addEventListener("online", () => { clearTimeout(timer); go() }, { once: true })
      })
    }
  }

  /** The words, with the last ones of this item that this tab knows of, and the key of the press that may end them. */
  told(body) {
    return this.since === undefined ? body : { ...body, tab: TAB, since: this.since, key: this.desk.deciding?.key ?? "" }
  }

  /** Which words this tab knows of: those of the item that comes on the screen, or those that its person chose between. */
  knows(savedAt) {
    this.since = savedAt
    this.asks = false
  }

  address({ on }) { return on ? `/bench/${on}/scratch` : "/bench/scratch" }

  /** Where this browser keeps them: words on an item, or on something of it. */
  keyOf({ person, item, revision, on }) {
    return `${wordsKey(person, on ? `${on}:${item}` : item, revision)}:${TAB}`
  }

  /** Acknowledged: the copy here goes, unless newer words stand in it. */
  stored(body, at) {
    const key = this.keyOf(body)
    if (memory.get(key)?.at <= at) memory.drop(key)
  }

  /** The page goes away: a last word to the store, as far as the browser lets it. */
  last() {
    clearTimeout(this.timer)
    if (!this.dirty && !this.flight) return
    if (!this.body.item || this.held || this.asks) return
    const { body, at } = this
    post(this.address(body), this.told(body), { keepalive: true }).then(answer => answer.status === 200 && this.stored(body, at), () => {})
  }

  /** A decision is on its way: nothing typed before it may reach the store after it. */
  async hold() {
    clearTimeout(this.timer)
    this.held = true
    if (this.flight) await Promise.race([this.flight, new Promise(go => setTimeout(go, 1000))])
  }

  /** The decision was not taken: the words are scratch again. */
  release() {
    this.held = false
    if (this.dirty) this.flush()
  }

  /** The words were decided on, or given up. */
  done() {
    this.dirty = this.held = false
    this.body = {}
    clearTimeout(this.timer)
  }

  /** Another item comes on the screen. */
  leave() {
    if (this.dirty) this.last()
    this.done()
  }
}
