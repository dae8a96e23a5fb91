// Passes the text of the line above the review desk from the desk to that line, after the desk has drawn another item by
// itself.

const NAME = "benchwright-desk-bar"

/** @typedef {{ bar: DeskBar, visit: DeskVisit | null }} BarNews */

/** @param {BarNews} news */
export const tellBar = news => window.dispatchEvent(new CustomEvent(NAME, { detail: news }))

/**
 * Call `hear` with the news that the desk sends to its bar; return a function that stops this.
 * @param {(news: BarNews) => void} hear
 */
export const hearBar = hear => {
  const heard = (/** @type {Event} */ event) => hear(/** @type {CustomEvent<BarNews>} */ (event).detail)
  window.addEventListener(NAME, heard)
  return () => window.removeEventListener(NAME, heard)
}
