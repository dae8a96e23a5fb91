// The text box for the reason of a decision between opinions. It keeps typed text, which is submitted with the decision.

import { SideBox } from "./side_box.js"

export class Rationale extends SideBox {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    super(desk, "why", desk.find("because", HTMLTextAreaElement), desk.find("because-saved"))
  }

  /** Open another item, with the text that was typed for it before. */
  open() {
    this.fill(this.data.opinions?.why)
  }
}
