// As much of a browser as the modules under test ask for: memory, events, a clock that stands, and a server that waits.

/** An object that events can be sent to. */
const target = (more = {}) => Object.assign(new EventTarget(), more)

/** Puts a new browser into the globals; returns what a test steers: the time, what was asked, and what is answered. */
export const openBrowser = () => {
  const stored = new Map()
  const storage = {
    getItem: key => stored.get(key) ?? null,
    setItem: (key, value) => stored.set(key, value),
    removeItem: key => stored.delete(key),
  }
  // Object.keys(localStorage) gives the keys that are stored
  const localStorage = new Proxy(storage, {
    ownKeys: () => [...stored.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  })
  const attributes = new Set()
  const body = {
    hasAttribute: name => attributes.has(name),
    toggleAttribute: (name, on) => attributes[on ? "add" : "delete"](name),
  }
  const browser = { now: 0, requests: [], stored }
  const fetch = (path, options) =>
    new Promise((resolve, reject) => {
      const answer = (status, body) => resolve({ ok: status < 400, status, json: async () => body })
      browser.requests.push({
        path,
        body: JSON.parse(options.body),
        keepalive: options.keepalive,
        answer,
        fail: () => reject(new TypeError("offline")),
      })
    })
  const globals = {
    localStorage,
    sessionStorage: storage,
    document: target({ body, visibilityState: "visible", hidden: false, querySelectorAll: () => [] }),
    window: target(),
    performance: { now: () => browser.now },
    fetch,
  }
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  return browser
}

/** Lets everything that is due run. */
export const settle = () => new Promise(go => setImmediate(go))
