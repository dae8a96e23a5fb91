// Scrolls a box with its own scroll bar to a mark in its text.

/**
 * Scroll a box so that the first mark in it is visible, once the box is drawn.
 * @param {HTMLElement} box @param {HTMLElement} text
 */
export const scrollToMark = (box, text) => {
  const first = text.querySelector("mark")
  if (first)
    requestAnimationFrame(() => {
      box.scrollTop = Math.max(0, first.offsetTop - box.offsetTop - 40)
    })
}
