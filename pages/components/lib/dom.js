// Nodes of the page: made, found, and filled with text that is never read as markup.

import { nameOf, turnsText, unseen } from "./text.js"

/**
 * A new node of that class with that text.
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

/** A button that sends no form. */
export const button = (name = "", text = "") => Object.assign(el("button", name, text), { type: "button" })

/**
 * The node of that kind under `root`; its absence is an error of ours.
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
 * All nodes of that kind under `root`.
 * @template {typeof HTMLElement} [Kind=typeof HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {Kind} [_kind]
 * @returns {InstanceType<Kind>[]}
 */
export const findAll = (root, selector, _kind) => /** @type {InstanceType<Kind>[]} */ ([...root.querySelectorAll(selector)])

/**
 * The node of the page, or of the component's shadow tree, that has the keys.
 * @param {Node} root
 * @returns {HTMLElement | null}
 */
export const focused = root => /** @type {HTMLElement | null} */ (/** @type {ShadowRoot} */ (root.getRootNode()).activeElement)

/**
 * Put text into a node, its unseen characters labelled by style, so that what is selected is what is stored.
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
 * A node of foreign text: its own direction, its own letters.
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
 * Change the text at the beginning of a node, before its other children such as a key. Without `words`, restore the text of the HTML
 * file.
 * @param {HTMLElement} node
 * @param {string} [words]
 */
export const relabel = (node, words) => {
  const text = node.firstChild
  if (!text) return
  node.dataset.words ??= text.nodeValue ?? ""
  text.nodeValue = words === undefined ? node.dataset.words : `${words} `
}
