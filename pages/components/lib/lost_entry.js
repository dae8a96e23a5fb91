// What a sheet says of the entry before, which somebody else took over: one sentence beside the entry that came instead.

import { foreign } from "./dom.js"

/** @typedef {{ by: string, hasWords: boolean }} LostEntry */

/** @param {LostEntry} lost */
export const describeLost = ({ hasWords }) =>
  ` took over the one before: nothing was stored on it from you, and this is the next free one.${hasWords ? " What you typed on it is kept: b leads back to it." : ""}`

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
