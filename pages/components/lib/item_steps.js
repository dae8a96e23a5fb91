// Goes from one entry of a queue to the next without a run of the page's script: the sheet requests the entry that a button
// press leads to, draws it, and writes its id into the page's URL. If no further entry is free, or the server does not send the
// entry, the page takes over.

import { tellBar } from "./bar_news.js"
import { freshKey, persist } from "./requests.js"

const MAX_PASSED = 200

/**
 * The data of an entry that a sheet shows. `around` is the key of the parts of the page around the sheet.
 * @typedef {{ item: { id: string }, person: string, went?: number, visit?: DeskVisit | null, bar?: DeskBar | null, around?: string }} SteppedData
 */

/**
 * @typedef {object} SteppedSheet
 * @property {any} data its SteppedData
 * @property {{ id: string }} item
 * @property {boolean} [gone]
 * @property {import("./component.js").StreamlitComponent["setTriggerValue"]} setTriggerValue
 * @property {(data: any) => void} draw another entry, or the same one anew
 * @property {() => void} buttons draws what may be pressed
 * @property {(words: string, trouble?: boolean) => void} saved
 */

/** @typedef {{ path: string, name: string }} StepPlace where a sheet asks for the entry, and what its id is called in the address */

export class ItemSteps {
  /**
   * @param {SteppedSheet} sheet
   * @param {import("./navigation.js").Navigation<any>} navigation
   * @param {StepPlace} place
   */
  constructor(sheet, navigation, place) {
    this.sheet = sheet
    this.navigation = navigation
    this.place = place
  }

  /**
   * The last visit (the entry on the screen, and the button press that opened it) that this sheet reported to a restarted
   * server.
   */
  told = { tab: "", item: "", n: 0 }

  /** Key of the parts of the page that the last run of the script drew around the sheet. */
  around = ""

  /** Whether the sheet opens the next entry by itself; otherwise the page does. */
  get isOn() {
    return Boolean(this.sheet.data?.visit)
  }

  /**
   * Ids of the entries that this sheet showed before, the last one at the end; they are kept while other pages are open.
   * @returns {string[]}
   */
  get passed() {
    try {
      return JSON.parse(sessionStorage.getItem(this.passedKey) ?? "[]")
    } catch {
      return []
    }
  }

  set passed(items) {
    try {
      sessionStorage.setItem(this.passedKey, JSON.stringify(items.slice(-MAX_PASSED)))
    } catch {
      return // if the browser stores nothing, the way back leads only through the entries that the person decided on
    }
  }

  /** Id of the entry that was shown before the current one. */
  get before() {
    return this.passed.findLast(item => item !== this.sheet.item.id)
  }

  /** Key under which this browser stores the entries shown before; each sample has its own key. */
  get passedKey() {
    const { visit } = this.sheet.data
    return ["benchwright.desk.passed", visit?.tab, visit?.kind.sample].filter(Boolean).join(":")
  }

  /**
   * Return whether a run of the script drew an entry that the sheet has left since; the sheet then keeps the entry on the
   * screen.
   * @param {SteppedData} data
   */
  isPast(data) {
    const { item, data: own } = this.sheet
    this.around = data.around ?? ""
    if (!item || !own?.visit || !data.visit) return false
    const isOfTab = own.visit.tab === data.visit.tab
    const isPast = isOfTab ? data.visit.number < own.visit.number : this.isUntold(data)
    if (!isPast) return false
    this.address(item.id) // the run of the script wrote the id of its own entry into the URL
    if (isOfTab) this.renewAround()
    return true
  }

  /**
   * Return, once, whether a restarted server drew an older entry because it does not know the current one yet.
   * @param {SteppedData} data
   */
  isUntold(data) {
    const { item } = this.sheet
    if (item.id === data.item.id) return false
    const { told } = this
    const went = data.went ?? 0
    if (told.tab !== data.visit?.tab || (went >= told.n && told.item !== item.id))
      this.told = { tab: data.visit?.tab ?? "", item: item.id, n: this.navigation.tell("open", item.id) }
    return went < this.told.n
  }

  /** Let the page's script run again if it drew the parts around the sheet for another kind of entry. */
  renewAround() {
    const { sheet } = this
    if ((sheet.data.around ?? "") !== this.around) sheet.setTriggerValue("around", freshKey())
  }

  /**
   * Open the entry that a button press leads to.
   * @param {string} to
   * @param {string} about the entry that it is about
   */
  async go(to, about) {
    const { sheet, navigation } = this
    const { visit, person } = sheet.data
    if (!visit) return
    const way = to === "back" ? "back" : ["open", "undone", "changed"].includes(to) ? "open" : "next"
    const target = way === "open" ? about : way === "back" ? (this.before ?? "") : ""
    const going = navigation.lock(to, about)
    if (way === "back") this.passed = this.passed.slice(0, Math.max(0, this.passed.lastIndexOf(target)))
    const { tab, number, kind } = visit
    const body = { person, key: freshKey(), tab, number, kind, item: sheet.item.id, to: way, target }
    const trouble = (/** @type {string} */ why) => sheet.saved(`the item is not here yet: ${why}, trying again`, true)
    const answer = await persist(this.place.path, body, trouble)
    if (sheet.gone || navigation.going !== going) return // a run of the script led elsewhere meanwhile
    navigation.going = null
    const found = answer.status === 200 ? answer.body.desk : null
    if (found?.visit) return this.arrive(found, way !== "back")
    if (way !== "back") this.pass()
    if (target) navigation.ask("open", target)
    else navigation.ask(to, about)
  }

  /** Fields that are sent with a decision, so that the response contains the next entry. */
  get onward() {
    const { visit } = this.sheet.data
    if (!visit) return undefined
    const { tab, number, kind } = visit
    return { key: freshKey(), tab, number, kind }
  }

  /**
   * Open the next entry after a decision was stored. `found` is that entry, null if the page has to show the next step, or
   * undefined if the entry must be requested.
   * @param {string} to
   * @param {string} about
   * @param {SteppedData | null | undefined} found
   */
  goOn(to, about, found) {
    if (this.sheet.gone) return
    if (this.sheet.item.id !== about) return this.sheet.buttons() // a run of the script led elsewhere meanwhile
    if (found?.visit) return this.arrive(found)
    if (found === undefined) return this.navigation.go(to, about)
    this.pass()
    this.navigation.ask(to, about)
  }

  /** Add the entry on the screen to the entries shown before, because the sheet leaves it. */
  pass() {
    const { passed } = this
    const here = this.sheet.item.id
    if (passed.at(-1) !== here) this.passed = [...passed, here]
  }

  /**
   * Draw the entry that a button press led to.
   * @param {SteppedData} found @param {boolean} isPassed whether the way back leads here
   */
  arrive(found, isPassed = true) {
    const { sheet } = this
    const isOther = found.item.id !== sheet.item.id
    if (isOther && isPassed) this.pass()
    sheet.draw(found)
    if (isOther) this.address(found.item.id)
    if (found.bar) tellBar({ bar: found.bar, visit: found.visit ?? null })
    this.renewAround()
  }

  /** Write the id of the entry into the page's URL, for a reload or a copied link. @param {string} item */
  address(item) {
    const url = new URL(location.href)
    url.searchParams.set(this.place.name, item)
    history.replaceState(history.state, "", url)
  }
}
