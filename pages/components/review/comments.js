// The comments on an item, and a text box for a new comment, which keeps text that was typed and not sent.

import { button, el, find, foreign } from "../lib/dom.js"
import { forget, TAB } from "../lib/drafts.js"
import { hideOtherWords } from "../lib/other_words.js"
import { freshKey, persist } from "../lib/requests.js"
import { clock, day } from "../lib/text.js"
import { SideBox } from "./side_box.js"

export class CommentThread extends SideBox {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    const part = find(desk.root, ".comments")
    super(desk, "comment", find(part, ".remark", HTMLTextAreaElement), find(part, ".remark-saved"))
    this.part = part
    find(this.part, ".send").onclick = () => this.send()
  }

  sending = false
  key = ""

  // The part of the desk in which the box stands; text from another place is shown below the box.
  get line() {
    return find(this.part, ".remark-line")
  }

  /** Whether the comment box contains text that was not sent. */
  get isTyped() {
    return Boolean(this.box.value.trim())
  }

  /** Open the thread of another item, with the text that was typed for it before. */
  open() {
    const { comments } = this.data
    this.key = freshKey()
    this.sending = false
    this.draw(comments?.thread ?? [])
    this.fill(comments?.scratch)
  }

  leave() {
    this.keeper.leave()
  }

  /** @param {Remark[]} thread */
  draw(thread) {
    const { person } = this.data
    const standing = thread.filter(one => !one.taken_back).length
    find(this.part, ".comments-count").textContent = standing ? String(standing) : ""
    find(this.part, ".thread").replaceChildren(...thread.map(one => this.row(one)))
    this.box.readOnly = !person || this.sending
    this.box.placeholder = person
      ? "Say something about this item. Ctrl+Enter sends it."
      : "Give your name first: comments are stored under it."
    find(this.part, ".send", HTMLButtonElement).disabled = !person || this.sending
  }

  /** @param {Remark} one */
  row(one) {
    const node = el("li", one.taken_back ? "remark-row back-taken" : "remark-row")
    const head = el("div", "event-head")
    const time = Object.assign(el("span", "faint", day(one.at)), { title: one.at })
    head.append(foreign("span", "gate", one.person), time)
    if (one.taken_back) head.append(el("span", "faint", "taken back"))
    else if (one.person === this.data.person) {
      const back = button("plain take-back", "Take back")
      back.onclick = () => this.takeBack(one.id)
      head.append(back)
    }
    node.append(head, foreign("p", "remark-text", one.text))
    return node
  }

  async send() {
    const { item, data, key } = this
    if (this.sending || !data.person) return
    if (!this.isTyped) return this.saved("The comment is empty: write a word, or leave it.", true)
    this.sending = this.box.readOnly = true
    await this.keeper.hold()
    const body = { person: data.person, item: item.id, key, text: this.box.value, tab: TAB }
    const answer = await persist("/bench/comment", body, why => this.saved(`not sent yet: ${why}, trying again`, true))
    if (answer.status === 200) forget(body.person, `comment:${body.item}`)
    if (this.item.id !== body.item) return
    this.sending = false
    if (answer.status === 200) {
      this.keeper.done()
      this.keeper.knows("")
      hideOtherWords(this)
      this.key = freshKey()
      this.box.value = ""
      this.desk.leaveBox(this.box)
      this.saved(`sent ${clock(Date.now())}`)
      this.draw(answer.body.thread)
    } else {
      this.keeper.release()
      this.box.readOnly = false
      this.saved(answer.body.message ?? `Not sent: the server answered ${answer.status}.`, true)
    }
  }

  /** @param {string} id */
  async takeBack(id) {
    const { item, data } = this
    const answer = await persist("/bench/comment/back", { person: data.person, comment: id }, why =>
      this.saved(`not taken back yet: ${why}, trying again`, true),
    )
    if (this.item.id !== item.id) return
    this.saved(
      answer.status === 200 ? "" : (answer.body.message ?? `Not taken back: the server answered ${answer.status}.`),
      answer.status !== 200,
    )
    if (answer.status === 200) this.draw(answer.body.thread)
  }
}
