// The line above the review desk that shows the person's progress. A run of the page's script draws the line, and the desk
// updates it when the desk opens the next item by itself; the text for the later item stays.

import { hearBar } from "../lib/bar_news.js"
import { mount } from "../lib/component.js"
import { find } from "../lib/dom.js"
import "./desk_bar.css"

/** @typedef {import("../lib/bar_news.js").BarNews} BarNews */

class BarLine {
  /** @type {DeskVisit | null} */
  visit = null

  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.words = find(parent, ".words")
    this.control = find(parent, ".control")
    this.opinions = find(parent, ".opinions")
    this.stop = hearBar(news => this.draw(news))
  }

  /** @param {import("../lib/component.js").StreamlitComponent} component */
  render({ data, setTriggerValue }) {
    this.opinions.onclick = () => setTriggerValue("opinions", true)
    this.draw(data)
  }

  /** @param {BarNews} news */
  draw({ bar, visit }) {
    if (visit && this.visit?.tab === visit.tab && visit.number < this.visit.number) return
    this.visit = visit
    this.words.textContent = bar.words
    this.opinions.hidden = !bar.disputed
    this.opinions.textContent = `${bar.disputed.toLocaleString("en")} to decide between`
    this.control.hidden = !bar.control
    this.control.textContent = bar.control
  }
}

export default mount(parent => new BarLine(parent))
