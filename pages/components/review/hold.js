// The item on the desk is this person's while they are at it: a sign of life a minute. When somebody else holds it, the desk says
// so, lets nobody decide, and offers to take it over; what is typed is kept all the same.

import { button, el, foreign } from "../lib/dom.js"
import { postOnce } from "../lib/requests.js"
import { clock } from "../lib/text.js"

const SIGN = 60_000

export class Hold {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk
    /** Somebody else who holds the item. @type {Holder | null} */
    this.other = null
    this.timer = setInterval(() => this.sign(), SIGN)
  }

  stop() {
    clearInterval(this.timer)
  }

  async sign() {
    const { data, item, time } = this.desk
    if (!data?.person || !item || !time.isActive) return
    const answer = await this.send("/bench/hold")
    if (answer?.status === 200) this.hear(answer.body.held, item.id)
  }

  /**
   * What the server says of who else holds that item: {by, until}, or null.
   * @param {Holder | null | undefined} held
   * @param {string} item
   */
  hear(held, item) {
    if (item !== this.desk.data?.item.id || ((held ?? null)?.until === this.other?.until && held?.by === this.other?.by)) return
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

  /** The item is mine; the page then draws it again, as it may have changed meanwhile. */
  async take() {
    const { desk } = this
    if (desk.deciding.busy || desk.deciding.going) return
    await desk.deciding.flushed()
    const item = desk.item.id
    const answer = await this.send("/bench/take")
    if (answer?.status !== 200) return desk.say(answer?.body.message ?? "It was not taken over: no connection. Try again.")
    this.hear(null, item)
    desk.deciding.go("open", item)
  }

  /** One request on the item of the desk; null when no answer came. @param {string} path */
  send(path) {
    return postOnce(path, { person: this.desk.data.person, item: this.desk.item.id })
  }
}
