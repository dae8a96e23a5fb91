// A sentence which says that somebody else took over the previous entry; it stands beside the entry that was opened instead.

import { foreign } from "./dom.js"

/** @typedef {{ by: string, hasWords: boolean }} LostEntry */

/** @param {LostEntry} lost */
export const describeLost = ({ hasWords }) =>
  ` took over what you had open: nothing was stored on it from you, and this is the next free one.${hasWords ? " What you typed on it is kept: b leads back to it." : ""}`

/**
 * Draw, once, the sentence which says that somebody else took the entry over.
 * @param {{ find(name: string): HTMLElement, lost: LostEntry | null }} sheet
 */
export const showLost = sheet => {
  const { lost } = sheet
  const place = sheet.find("lost")
  place.hidden = !lost
  sheet.lost = null
  if (lost) place.replaceChildren(foreign("b", "", lost.by), describeLost(lost))
}
