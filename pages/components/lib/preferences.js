// What a person likes open, over all items, kept in this browser.

import { memory } from "./browser_memory.js"
import { PREFIX } from "./drafts.js"

const PREFERENCES = `${PREFIX}.shown`

export const preferences = {
  /**
   * @template Value
   * @param {string} name
   * @param {Value} otherwise
   * @returns {Value}
   */
  get: (name, otherwise) => memory.get(PREFERENCES)?.[name] ?? otherwise,
  /** @param {string} name @param {unknown} value */
  set: (name, value) => memory.set(PREFERENCES, { ...memory.get(PREFERENCES), [name]: value }),
}
