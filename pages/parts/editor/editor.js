const PAUSE = 300  // ms after the last key
const boxes = new WeakMap()

/** What this browser keeps for one text of one workspace; null when nothing, or when it may keep nothing. */
const shelf = place => ({
  get() {
    try { return JSON.parse(localStorage.getItem(place)) } catch { return null }
  },
  put(words) {
    try { localStorage.setItem(place, JSON.stringify(words)); return true } catch { return false }
  },
  drop() {
    try { localStorage.removeItem(place) } catch { /* a browser that keeps nothing has nothing to drop */ }
  },
})

const clock = at => new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })

export default function ({ data, parentElement, setTriggerValue }) {
  const find = selector => parentElement.querySelector(selector)
  const area = find("textarea"), note = find("input"), state = find(".state"), kept = find(".kept")
  const place = `benchwright:${data.kind}:${data.workspace}:${data.name}`
  const box = boxes.get(parentElement) ?? { place: null, pressed: 0 }
  boxes.set(parentElement, box)
  const mine = shelf(place)
  area.setAttribute("aria-label", data.label)
  area.spellcheck = data.prose
  area.dir = data.prose ? "auto" : "ltr"
  area.classList.toggle("prose", data.prose)
  find(".check").hidden = !data.checks
  let timer = 0

  const isChanged = () => area.value !== box.standing
  const draw = words => {
    const changed = isChanged()
    find(".save").disabled = !changed || !data.signed
    find(".back").disabled = !changed
    find(".save").title = data.signed ? "" : "Give your name in the sidebar first: it stands beside the version."
    state.textContent = words ?? (changed ? "Not saved; kept in this browser." : "These words stand.")
  }
  const keep = () => {
    clearTimeout(timer)
    timer = 0
    if (!isChanged()) { mine.drop(); kept.hidden = true; return draw() }
    const held = mine.put({ text: area.value, base: box.standing, note: note.value, at: Date.now() })
    draw(held ? undefined : "Not saved, and this browser keeps nothing: save before you leave.")
  }
  const typed = () => {
    draw("Typing ...")
    clearTimeout(timer)
    timer = setTimeout(keep, PAUSE)
  }
  const press = what => () => {
    keep()
    box.pressed = Math.max(box.pressed, data.last) + 1
    setTriggerValue("pressed", { n: box.pressed, what, text: area.value, note: note.value })
  }

  if (box.place !== place || box.standing !== data.text) {
    const before = box.place === place ? { text: area.value, base: box.standing, note: note.value } : null
    box.place = place
    box.standing = data.text
    const words = before && before.text !== before.base ? { ...before, at: Date.now() } : mine.get()
    if (words && words.text !== data.text) {
      area.value = words.text
      note.value = words.note ?? ""
      kept.hidden = false
      kept.textContent = words.base === data.text
        ? `Your unsaved words of ${clock(words.at)} stand in the box.`
        : `Your unsaved words of ${clock(words.at)} stand in the box; other words were saved or chosen since you began.`
    } else {
      area.value = data.text
      note.value = ""
      mine.drop()
      kept.hidden = true
    }
  }
  draw()

  area.oninput = typed
  note.oninput = typed
  area.onblur = () => { if (timer) keep() }
  find(".back").onclick = () => { area.value = box.standing; note.value = ""; keep() }
  find(".check").onclick = press("check")
  find(".save").onclick = press("save")
  const leave = event => {
    if (timer) keep()
    if (isChanged() && !mine.get()) event.preventDefault()  // the browser asks before such words are lost
  }
  window.addEventListener("beforeunload", leave)
  return () => {
    if (timer) keep()
    window.removeEventListener("beforeunload", leave)
  }
}
