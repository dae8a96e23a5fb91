// Requests to the server: with the desk's header, and asked again until an answer comes.

const KEEPALIVE_LIMIT_BYTES = 60_000
const PATIENCE_MS = 15_000

/** @typedef {{ status: number, body: any }} Reply */

/** A key that no other press has; the browser gives its own only where the page came by https or from this machine. */
export const freshKey = () =>
  crypto.randomUUID?.() ??
  [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join("")

/** Whether an error means that no answer came; any other one is ours. @param {unknown} error */
export const isOffline = error => error instanceof TypeError || error instanceof DOMException

/** Why something could not be had, for people. @param {unknown} error */
export const reasonOf = error =>
  error instanceof TypeError ? "no connection" : error instanceof Error ? error.message : String(error)

/** The address of a path of the app, below the base path that the server writes into each bundle. @param {string} path */
export const locate = path => `${globalThis.benchwrightBase ?? ""}${path}`

/** The answer of a path, or an Error with the server's own sentence. @param {string} path @param {AbortSignal} [signal] */
export const get = async (path, signal) => {
  const answer = await fetch(locate(path), { signal })
  if (answer.ok) return answer
  throw new Error((await answer.json().catch(() => ({}))).message ?? `The server answered ${answer.status}.`)
}

/** The JSON of a path. @param {string} path @returns {Promise<any>} */
export const getJson = async path => (await get(path)).json()

/**
 * One request. Rejects only when no whole answer came.
 * @param {string} path
 * @param {object} body
 * @returns {Promise<Reply>}
 */
export const post = async (path, body, { keepalive = false, patience = PATIENCE_MS } = {}) => {
  const text = JSON.stringify(body)
  const answer = await fetch(locate(path), {
    method: "POST",
    body: text,
    headers: { "Content-Type": "application/json", "X-Benchwright": "desk" },
    keepalive: keepalive && new Blob([text]).size < KEEPALIVE_LIMIT_BYTES,
    signal: keepalive ? undefined : AbortSignal.timeout(patience),
  })
  const received = await answer.json().catch(() => {
    if (answer.ok) throw new TypeError("The answer broke off.") // what was sent may be stored: it is sent again, with its key
    return {}
  })
  return { status: answer.status, body: received }
}

/** A request that may find nobody; null when no answer came. @param {string} path @param {object} body */
export const postOnce = async (path, body) => {
  try {
    return await post(path, body)
  } catch (error) {
    if (!isOffline(error)) throw error
    return null
  }
}

/** Wait so long, or until the network is back. @param {number} seconds @returns {Promise<void>} */
export const untilOnline = seconds =>
  new Promise(go => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener("online", done)
      go()
    }
    const timer = setTimeout(done, seconds * 1000)
    window.addEventListener("online", done)
  })

/**
 * Ask again with the same words until an answer comes: after 1, 2, 4, 8, 10, 10 ... seconds, or when the network is back.
 * @param {string} path
 * @param {object} body
 * @param {(why: string) => void} hearTrouble
 */
export const persist = async (path, body, hearTrouble) => {
  for (let wait = 1; ; wait = Math.min(wait * 2, 10)) {
    const answer = await postOnce(path, body)
    if (answer && answer.status < 500) return answer
    hearTrouble(answer ? `the server answered ${answer.status}` : "no connection")
    await untilOnline(wait)
  }
}

/** Wait for something, but no longer than so many milliseconds. @param {Promise<unknown>} awaited @param {number} most */
export const waitAtMost = (awaited, most) => Promise.race([awaited, new Promise(go => setTimeout(go, most))])
