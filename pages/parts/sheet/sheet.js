// A sheet that is judged by keys. What is chosen and typed is kept in this browser until it is stored, so that a reload loses no
// word; a press is told with a key of its own, so that it is stored once, and nothing is chosen while the next one is awaited.

const COVERS = '[role="dialog"], [role="listbox"], [data-baseweb="popover"] [role="menu"]'
const REST = 60_000  // ms without a sign of life: nobody reads
const SIGNS = ["pointermove", "pointerdown", "wheel"]
const sheets = new WeakMap()

const make = (tag, kind, text = "") => Object.assign(document.createElement(tag), { className: kind, textContent: text })
const typesInto = node => /^(INPUT|TEXTAREA|SELECT)$/.test(node?.tagName ?? "") || node?.isContentEditable
const covered = root => [...document.querySelectorAll(COVERS)].some(node => !root.contains(node) && node.getClientRects().length)

/** One subject on the screen. A sheet of a kind says what is `given` at first (start), how it is built and drawn, what its keys
 *  do (acts, by key), and what Ctrl+Enter does from within a box (confirm). */
class Sheet {
  constructor(root) {
    this.root = root
    this.subject = null
    this.pressed = 0
  }

  get place() { return `benchwright:${this.data.kind}:${this.data.workspace}:${this.data.person}:${this.subject}` }

  find(selector) { return this.root.querySelector(selector) }

  show(data) {
    this.data = data
    this.waits = this.waits && data.last < this.pressed && data.subject === this.subject
    if (data.subject === this.subject) return this.draw()
    this.subject = data.subject
    this.active = 0
    this.alive = performance.now()
    this.given = this.start()
    try {
      const kept = JSON.parse(localStorage.getItem(this.place))
      if (kept) this.given = kept
    } catch { /* a browser that keeps nothing has kept nothing */ }
    this.build()
    this.find(".save").onclick = () => this.save()
    this.find(".skip").onclick = () => this.tell("skip")
    this.find(".undo").onclick = () => this.tell("undo")
    this.draw()
  }

  keep() {
    try { localStorage.setItem(this.place, JSON.stringify(this.given)) } catch { /* it stays on the screen alone */ }
  }

  /** The buttons under the sheet: `may` = all that is needed to store it is chosen. */
  foot(may, said = "") {
    const { person } = this.data
    this.find(".save").disabled = !may || !person || this.waits
    this.find(".undo").disabled = this.find(".skip").disabled = !person || this.waits
    this.find(".said").textContent = person ? said : "Give your name in the sidebar: nothing can be stored without one."
  }

  save() {
    if (!this.find(".save").disabled) this.tell("save")
  }

  tell(what) {
    if (this.waits || !this.data.person) return
    this.waits = true
    this.pressed = Math.max(this.pressed, this.data.last, Date.now()) + 1
    this.setTriggerValue("pressed", {
      n: this.pressed, what, subject: this.subject, key: `${this.subject}/${this.data.person}/${this.pressed}`, ...this.given,
      seconds: Math.round(this.active / 100) / 10,
    })
    if (what === "save") try { localStorage.removeItem(this.place) } catch { /* nothing was kept */ }
    this.draw()
  }

  /** A sign of life: the time since the last one was active, unless it was long. */
  lives() {
    const now = performance.now()
    if (!document.hidden && now - this.alive < REST) this.active += now - this.alive
    this.alive = now
  }

  /** Whether the key is one of this sheet's; held down it acts once. */
  key(event) {
    const { key } = event
    const act = {
      Enter: () => this.save(), u: () => this.tell("undo"), n: () => this.tell("skip"), ...this.acts(),
    }[key.length === 1 ? key.toLowerCase() : key]
    if (!act) return false
    if (!event.repeat) act()
    return true
  }

  heard(event) {
    this.lives()
    if (event.isComposing || event.defaultPrevented || covered(this.root)) return
    const at = event.composedPath()[0]
    const withKey = event.ctrlKey || event.metaKey
    let used = false
    if (typesInto(at)) {
      used = this.root.contains(at) && (event.key === "Escape" || (event.key === "Enter" && withKey))
      if (used) at.blur()
      if (used && event.key === "Enter") this.confirm()
    } else if (!withKey && !event.altKey) {
      used = !(event.key === "Enter" && at?.closest?.("button, summary, a[href]")) && this.key(event)
    }
    if (used) { event.preventDefault(); event.stopPropagation() }
  }
}

/** The component's entry: one sheet of that kind in its place, which hears keys as long as it is there. */
const shown = Kind => ({ data, parentElement, setTriggerValue }) => {
  const root = parentElement.querySelector(".desk")
  const sheet = sheets.get(parentElement) ?? new Kind(root)
  sheets.set(parentElement, sheet)
  Object.assign(sheet, { root, setTriggerValue })
  sheet.show(data)
  const heard = event => sheet.heard(event)
  const lives = () => sheet.lives()
  document.addEventListener("keydown", heard, true)
  for (const name of SIGNS) document.addEventListener(name, lives, { passive: true })
  return () => {
    document.removeEventListener("keydown", heard, true)
    for (const name of SIGNS) document.removeEventListener(name, lives)
  }
}
