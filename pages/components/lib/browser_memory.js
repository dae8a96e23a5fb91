// Access to the browser's storage. If the storage is full or forbidden, nothing is stored, and no error is thrown.

/**
 * Return an object that stores JSON values by key in a browser storage, which may be missing or full.
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
   * Store a value; return whether it was stored.
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
      return // a browser that stores nothing has nothing to delete
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

/** Values that all tabs of this browser share. */
export const memory = overStorage(() => localStorage)

/** Values of only this tab, which stay after a reload. */
export const tabMemory = overStorage(() => sessionStorage)
