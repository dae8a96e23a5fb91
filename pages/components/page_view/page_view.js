// Shows the pages of one document, which stays the same as long as it is on the screen.

import { mount } from "../lib/component.js"
import { find } from "../lib/dom.js"
import { PageView } from "./pages.js"
import "../review/desk.css"
import "./pages.css"

class LonePages extends PageView {
  /** @param {import("../lib/component.js").StreamlitComponent} component */
  render({ data }) {
    this.marks(data.spans, -1)
    if (this.id !== data.document) this.open(data.document, data.spans[0]?.start)
  }
}

export default mount(parent => new LonePages(find(parent, ".pages")))
