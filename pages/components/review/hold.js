// Keeps the item on the desk reserved for this person while they work on it, with a request each minute. If the item is
// reserved for somebody else, the desk names that person, allows no decision, and offers to take the item over; typed text is
// stored anyway.

import { tabMemory } from "../lib/browser_memory.js"
import { button, el, foreign } from "../lib/dom.js"
import { postOnce } from "../lib/requests.js"
import { clock } from "../lib/text.js"

const SIGN = 60_000
// person and undecided item that this tab showed last while the item was not reserved for anybody else
const MINE = "benchwright.desk.mine"

export class Hold {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk
    /** The other person who holds the item, or null. @type {Holder | null} */
    this.other = null
    /** Whether the other person took the item over while it was on this desk. */
    this.isLost = false
    this.timer = setInterval(() => this.sign(), SIGN)
    this.turned = () => this.sign() // the person has returned to this tab
    document.addEventListener("visibilitychange", this.turned)
  }

  stop() {
    clearInterval(this.timer)
    document.removeEventListener("visibilitychange", this.turned)
  }

  async sign() {
    const { desk } = this
    const { data, item, time } = desk
    if (!data?.person || !item || !time.isActive) return
    const answer = await this.send("/bench/hold")
    if (answer?.status !== 200) return
    this.hear(answer.body.held, item.id)
    if (this.isLost && item.id === desk.item.id && !desk.changed && desk.deciding.free)
      // a person who has typed text on the item sees the text, and may take the item over again
      await desk.deciding.passOn(answer.body.held.by)
  }

  /** Note who else holds the item that is opened. @param {Holder | null | undefined} held @param {string} item */
  open(held, item) {
    this.other = null
    this.hear(held, item)
    this.isLost = false
    this.draw()
  }

  /**
   * Open the next item if somebody else took over, or decided on, the item that this tab held before a break, unless there is
   * typed text on it. A decided item stays when it is opened again; only the page can name who decided on it.
   * @param {string} item
   */
  async resume(item) {
    const { desk, other } = this
    const { person, visit, decision } = desk.data
    const mine = `${person}:${item}`
    const wasMine = tabMemory.get(MINE) === mine
    const isDecided = ["accepted", "discarded"].includes(desk.item.status)
    if (isDecided) this.forget()
    else if (!other) tabMemory.set(MINE, mine)
    if (!wasMine || !visit || desk.changed) return
    if (other?.until) await desk.deciding.passOn(other.by)
    else if (isDecided && !decision) desk.deciding.ask("taken", item)
  }

  /** Forget that this tab held an item, because the item was decided on. */
  forget() {
    tabMemory.drop(MINE)
  }

  /**
   * Handle the server's message that the item is reserved for somebody else: {by, until}, or null if it is not.
   * @param {Holder | null | undefined} held
   * @param {string} item
   */
  hear(held, item) {
    if (item !== this.desk.data?.item.id || ((held ?? null)?.until === this.other?.until && held?.by === this.other?.by)) return
    this.isLost = Boolean(held) && (this.isLost || !this.other)
    this.other = held ?? null
    this.draw()
    this.desk.buttons()
  }

  draw() {
    const place = this.desk.find("held")
    place.hidden = !this.other
    if (!this.other) return
    const words = el("span")
    const until = this.other.until
    words.append(
      until ? "Held by " : "Given to ",
      foreign("b", "", this.other.by),
      until ? ` until ${clock(until, false)}. ` : ". ",
      this.desk.changed ? "What you typed is kept." : "",
    )
    const { person, keeps_from_taking: why } = this.desk.data
    const take = button("button take-over", "Take it over")
    take.disabled = !person || Boolean(why)
    take.title = why ?? ""
    take.onclick = () => this.take()
    place.replaceChildren(words, take)
    this.desk.fit.bring(place)
  }

  /** Take the item over; the page then draws it again, because it may have changed. */
  async take() {
    const { desk } = this
    if (desk.deciding.busy || desk.deciding.going) return
    await desk.deciding.flushed()
    const item = desk.item.id
    const answer = await this.send("/bench/take")
    if (answer?.status !== 200)
      return desk.say(answer?.body.message ?? "The item was not taken over: no connection. Try again.")
    this.hear(null, item)
    desk.deciding.go("open", item)
  }

  /** Send a request about the item on the desk; return null if no answer arrived. @param {string} path */
  send(path) {
    return postOnce(path, { person: this.desk.data.person, item: this.desk.item.id })
  }
}
