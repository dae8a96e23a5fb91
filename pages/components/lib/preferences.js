// The parts of the review desk that a person has opened or closed, stored in this browser for all items.

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
