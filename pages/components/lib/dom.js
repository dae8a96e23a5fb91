// Functions that create and find nodes of the page, and fill them with text that is never read as markup.

import { nameOf, turnsText, unseen } from "./text.js"

/**
 * Create a node with that tag, class name and text.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string | null} [text]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export const el = (tag, name = "", text = null) => {
  const node = document.createElement(tag)
  if (name) node.className = name
  if (text !== null) node.textContent = text
  return node
}

/** Create a button that does not submit a form. */
export const button = (name = "", text = "") => Object.assign(el("button", name, text), { type: "button" })

/**
 * Return the node under `root` that matches the selector; throws an Error if there is none, which is a bug.
 * @template {typeof HTMLElement} [Kind=typeof HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {Kind} [kind]
 * @returns {InstanceType<Kind>}
 */
export const find = (root, selector, kind) => {
  const node = root.querySelector(selector)
  if (!(node instanceof (kind ?? HTMLElement))) throw new Error(`No ${kind?.name ?? "node"} at ${selector}.`)
  return /** @type {InstanceType<Kind>} */ (node)
}

/**
 * Return the function that finds the node of a class under `root`.
 * @param {ParentNode} root
 * @returns {<Kind extends typeof HTMLElement = typeof HTMLElement>(name: string, kind?: Kind) => InstanceType<Kind>}
 */
export const finder = root => (name, kind) => find(root, `.${name}`, kind)

/**
 * Return all nodes under `root` that match the selector.
 * @template {typeof HTMLElement} [Kind=typeof HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {Kind} [_kind]
 * @returns {InstanceType<Kind>[]}
 */
export const findAll = (root, selector, _kind) => /** @type {InstanceType<Kind>[]} */ ([...root.querySelectorAll(selector)])

/**
 * Return the node that has the keyboard focus, in the page or in the component's shadow tree.
 * @param {Node} root
 * @returns {HTMLElement | null}
 */
export const focused = root => /** @type {HTMLElement | null} */ (/** @type {ShadowRoot} */ (root.getRootNode()).activeElement)

/**
 * Put text into a node. Its invisible characters are marked only by their style, so that selected text equals the stored text.
 * @template {Element} Target
 * @param {Target} node
 * @param {string} text
 * @returns {Target}
 */
export const write = (node, text) => {
  let at = 0
  for (const [index, character] of unseen(text)) {
    if (index > at) node.append(text.slice(at, index))
    const ghost = el("span", turnsText(character) ? "ghost turn" : "ghost", character)
    ghost.dataset.name = nameOf(character)
    ghost.title = `An unseen character: ${nameOf(character)}`
    node.append(ghost)
    at = index + character.length
  }
  if (at < text.length) node.append(at ? text.slice(at) : text)
  return node
}

/**
 * Create a node for text in any language; the node has the writing direction and font of that language.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} name
 * @param {string} text
 */
export const foreign = (tag, name, text) => {
  const node = el(tag, `${name} foreign`)
  node.dir = "auto"
  return write(node, text)
}

/**
 * Change the text at the beginning of a node, before its other children such as a key. Without `words`, restore the text of the
 * HTML file.
 * @param {HTMLElement} node
 * @param {string} [words]
 */
export const relabel = (node, words) => {
  const text = node.firstChild
  if (!text) return
  node.dataset.words ??= text.nodeValue ?? ""
  text.nodeValue = words === undefined ? node.dataset.words : `${words} `
}
