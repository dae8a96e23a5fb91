// The item on the desk is this person's while they are at it: a sign of life a minute. When somebody else holds it, the desk says
// so, lets nobody decide, and offers to take it over; what is typed is kept all the same.

const SIGN = 60_000

class Holding {
  constructor(desk) {
    this.desk = desk
    this.other = null
    this.timer = setInterval(() => this.sign(), SIGN)
  }

  stop() { clearInterval(this.timer) }

  async sign() {
    const { data, item, time } = this.desk
    if (!data?.person || !item || document.visibilityState !== "visible" || performance.now() - time.life > IDLE) return
    const answer = await this.send("/bench/hold")
    if (answer?.status === 200) this.told(answer.body.held, item.id)
  }

  /** What the server says of who else holds that item: {by, until}, or null. */
  told(held, item) {
    if (item !== this.desk.data?.item.id || (held ?? null)?.until === this.other?.until && held?.by === this.other?.by) return
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
    words.append(until ? "Held by " : "Given to ", foreign("b", "", this.other.by), until ? ` until ${clock(until, false)}. ` : ". ", this.desk.changed ? "What you typed is kept." : "")
    const { person, keeps_from_taking: why } = this.desk.data
    const take = el("button", "button take-over", "Take it over")
    take.type = "button"
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
    await Promise.race([desk.keeper.flush(), new Promise(go => setTimeout(go, 1500))])
    const item = desk.item.id
    const answer = await this.send("/bench/take")
    if (answer?.status !== 200) return desk.say(answer?.body.message ?? "It was not taken over: no connection. Try again.")
    this.told(null, item)
    desk.deciding.go("open", item)
  }

  /** One request on the item of the desk; null when no answer came. */
  async send(path) {
    try {
      return await post(path, { person: this.desk.data.person, item: this.desk.item.id })
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error
      return null
    }
  }
}
