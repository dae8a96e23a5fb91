// Fits the review desk into the browser window: it fills the free height, and only its two sides scroll.

export class WindowFit {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk
    const tree = desk.root.getRootNode()
    this.host = /** @type {HTMLElement} */ (tree instanceof ShadowRoot ? tree.host : desk.root)
    this.now = () => this.take()
    window.addEventListener("resize", this.now)
    this.sized = new ResizeObserver(this.now)
    this.sized.observe(desk.root)
    const around = this.host.closest('[data-testid="stMainBlockContainer"]')
    if (around) this.sized.observe(around)
  }

  /** Set the desk's height to the rest of the window, so that there is nothing to scroll to below the desk. */
  take() {
    const main = this.host.closest('[data-testid="stMain"]')
    const top = this.desk.root.getBoundingClientRect().top + (main?.scrollTop ?? 0)
    const least = Math.max(400, Math.min(560, window.innerHeight - 90))
    this.desk.root.style.setProperty("--desk-height", `${Math.max(least, Math.floor(window.innerHeight - top - 12))}px`)
    this.host.style.marginBottom = ""
    const spare = main ? main.scrollHeight - main.clientHeight : 0
    if (spare > 0 && spare <= 120) this.host.style.marginBottom = `${-spare}px`
  }

  /** Scroll up a desk that begins low on its page, as far as its buttons need. */
  raise() {
    if (this.desk.root.getBoundingClientRect().bottom > window.innerHeight) this.desk.root.scrollIntoView({ block: "end" })
  }

  /** Scroll only the right side until the node is visible. @param {HTMLElement} node */
  bring(node) {
    const scroller = this.desk.find("card-scroll")
    const [frame, box] = [scroller.getBoundingClientRect(), node.getBoundingClientRect()]
    if (box.top < frame.top || box.height > frame.height) scroller.scrollTop += box.top - frame.top - 8
    else if (box.bottom > frame.bottom) scroller.scrollTop += box.bottom - frame.bottom + 8
  }

  stop() {
    this.sized.disconnect()
    window.removeEventListener("resize", this.now)
  }
}
