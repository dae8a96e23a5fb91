// From item to item without a run of the page's script: the desk asks for the item that a press leads to, draws it, and writes it
// into the address. The page hears of it where nothing more is free, or the server does not give the item.

import { tellBar } from "../lib/bar_news.js"
import { freshKey, persist } from "../lib/requests.js"

const MAX_PASSED = 200

export class DeskSteps {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk
  }

  /** What the page of a server that began anew was told: which item is here, by which press. */
  told = { tab: "", item: "", n: 0 }

  /** Whether the desk goes on by itself; else the page does. */
  get isOn() {
    return Boolean(this.desk.data?.visit)
  }

  /** The items that were on this desk before, the last one last; they outlive another page of the menu. @returns {string[]} */
  get passed() {
    try {
      return JSON.parse(sessionStorage.getItem(this.place) ?? "[]")
    } catch {
      return []
    }
  }

  set passed(items) {
    try {
      sessionStorage.setItem(this.place, JSON.stringify(items.slice(-MAX_PASSED)))
    } catch {
      return // a browser that keeps nothing goes back through the decisions alone
    }
  }

  get place() {
    return `benchwright.desk.passed:${this.desk.data.visit?.tab}`
  }

  /**
   * Whether what a run of the script drew is of an item that the desk has left since: the item on the screen stays.
   * @param {ReviewData} data
   */
  isPast(data) {
    const { item, data: own } = this.desk
    if (!item || !own?.visit || !data.visit) return false
    const isPast = own.visit.tab === data.visit.tab ? data.visit.number < own.visit.number : this.isUntold(data)
    if (isPast) this.address(item.id) // the run wrote its own item there
    return isPast
  }

  /**
   * Whether a restarted server drew an older item, because it does not know yet which item is on the desk. It is told once.
   * @param {ReviewData} data
   */
  isUntold(data) {
    const { item, deciding } = this.desk
    if (item.id === data.item.id) return false
    const { told } = this
    const went = data.went ?? 0
    if (told.tab !== data.visit?.tab || (went >= told.n && told.item !== item.id))
      this.told = { tab: data.visit?.tab ?? "", item: item.id, n: deciding.tell("open", item.id) }
    return went < this.told.n
  }

  /**
   * Go where the press leads.
   * @param {string} to
   * @param {string} about the item that it is about
   */
  async go(to, about) {
    const { desk } = this
    const { deciding, data } = desk
    const { visit } = data
    if (!visit) return
    const here = desk.item.id
    const way = to === "back" ? "back" : to === "open" || to === "undone" ? "open" : "next"
    const target = way === "open" ? about : way === "back" ? (this.passed.at(-1) ?? "") : ""
    const going = deciding.lock(to, about)
    if (way === "back") this.passed = this.passed.slice(0, -1)
    const { tab, number, kind } = visit
    const body = { person: data.person, key: freshKey(), tab, number, kind, item: here, to: way, target }
    const answer = await persist("/bench/next", body, why => desk.saved(`the item is not here yet: ${why}, trying again`, true))
    if (desk.gone || deciding.going !== going) return // a run of the script led elsewhere meanwhile
    deciding.going = null
    /** @type {ReviewData | null} */
    const found = answer.status === 200 ? answer.body.desk : null
    const isOther = found?.item.id !== here
    const { passed } = this
    if (way !== "back" && isOther && passed.at(-1) !== here) this.passed = [...passed, here]
    if (!found?.visit) return target ? deciding.ask("open", target) : deciding.ask(to, about)
    desk.draw(found)
    if (isOther) this.address(found.item.id)
    if (found.bar) tellBar({ bar: found.bar, visit: found.visit })
  }

  /** Write the item into the address, for a reload and a copied link. @param {string} item */
  address(item) {
    const url = new URL(location.href)
    url.searchParams.set("item", item)
    history.replaceState(history.state, "", url)
  }
}
