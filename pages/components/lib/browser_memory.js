// The browser's own memory; full or forbidden, it holds nothing.

/**
 * A storage as JSON values by key.
 * @param {() => Storage} open
 */
const overStorage = open => ({
  /**
   * @param {string} key
   * @returns {any}
   */
  get(key) {
    try {
      return JSON.parse(open().getItem(key) ?? "null")
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
      open().setItem(key, JSON.stringify(value))
      return true
    } catch {
      return false
    }
  },
  /** @param {string} key */
  drop(key) {
    try {
      open().removeItem(key)
    } catch {
      return // a browser that keeps nothing has nothing to drop
    }
  },
  /** @param {string} prefix */
  keys(prefix) {
    try {
      return Object.keys(open()).filter(key => key.startsWith(prefix))
    } catch {
      return []
    }
  },
})

/** What all tabs of this browser keep. */
export const memory = overStorage(() => localStorage)

/** What this tab keeps, over a reload too. */
export const tabMemory = overStorage(() => sessionStorage)
