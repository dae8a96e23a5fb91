// Passes key presses to a component, except while text is being composed or collected, if another listener has used the key, or
// while a list or dialog of the page is open.

const COVERS = '[role="dialog"], [role="listbox"], [data-baseweb="popover"] [role="menu"]'

const TYPING = "data-benchwright-typing"

/** Say whether a component collects what the person types, because the box that will receive it is not drawn yet. Other
 * components use no key then. @param {boolean} on */
export const markTyping = on => document.body.toggleAttribute(TYPING, on)

/** Return whether keys pressed at a node are text that the person types, not commands. @param {any} node */
export const typesInto = node =>
  Boolean(node?.isContentEditable) ||
  /^(INPUT|TEXTAREA|SELECT)$/.test(node?.tagName ?? "") ||
  document.body.hasAttribute(TYPING)

/** Return whether a list or a dialog of the page is open above this component. @param {HTMLElement} root */
const isCovered = root =>
  [...document.querySelectorAll(COVERS)].some(node => !root.contains(node) && node.getClientRects().length)

/**
 * Listen to keys for a component; return a function that stops listening. Each callback returns whether it used the key.
 * @param {() => HTMLElement} rootOf
 * @param {(event: KeyboardEvent, at: HTMLElement) => boolean} whileTyping
 * @param {(event: KeyboardEvent, at: HTMLElement) => boolean} whileReading
 */
export const hearKeys = (rootOf, whileTyping, whileReading) => {
  /** @param {KeyboardEvent} event */
  const heard = event => {
    if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return
    const root = rootOf()
    const at = /** @type {HTMLElement} */ (event.composedPath()[0])
    const used = typesInto(at) ? root.contains(at) && whileTyping(event, at) : !isCovered(root) && whileReading(event, at)
    if (!used) return
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener("keydown", heard, { capture: true })
  return () => document.removeEventListener("keydown", heard, { capture: true })
}

/** Return whether Ctrl, Cmd or Alt is pressed. @param {KeyboardEvent} event */
export const hasModifier = event => event.ctrlKey || event.metaKey || event.altKey

/**
 * Perform the action of a key, once per key press; return false if the key has no action.
 * @param {KeyboardEvent} event
 * @param {(() => unknown) | null | undefined} act
 */
export const pressOnce = (event, act) => {
  if (!act) return false
  if (!event.repeat) act()
  return true
}
