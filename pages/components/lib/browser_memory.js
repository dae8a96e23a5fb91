// The browser's own memory; full or forbidden, it holds nothing.

/** localStorage as JSON values by key. */
export const memory = {
  /**
   * @param {string} key
   * @returns {any}
   */
  get(key) {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "null")
    } catch {
      return null
    }
  },
  /**
   * True when it is kept.
   * @param {string} key
   * @param {unknown} value
   */
  set(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value))
      return true
    } catch {
      return false
    }
  },
  /** @param {string} key */
  drop(key) {
    try {
      localStorage.removeItem(key)
    } catch {
      return // a browser that keeps nothing has nothing to drop
    }
  },
  /** @param {string} prefix */
  keys(prefix) {
    try {
      return Object.keys(localStorage).filter(key => key.startsWith(prefix))
    } catch {
      return []
    }
  },
}
