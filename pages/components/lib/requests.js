// Requests to the server: they have the header that the server requires of the desk, and are repeated until an answer arrives.

const KEEPALIVE_LIMIT_BYTES = 60_000
const PATIENCE_MS = 15_000

/** @typedef {{ status: number, body: any }} Reply */

/**
 * Return a random key that no other button press has. The browser's own function for random ids exists only over https or on
 * this machine.
 */
export const freshKey = () =>
  crypto.randomUUID?.() ??
  [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join("")

/** Return whether an error means that no answer arrived; any other error is a bug. @param {unknown} error */
export const isOffline = error => error instanceof TypeError || error instanceof DOMException

/** Return a text that says why a request failed. @param {unknown} error */
export const reasonOf = error =>
  error instanceof TypeError ? "no connection" : error instanceof Error ? error.message : String(error)

/**
 * Return the address of a path of the app, below the base path that the server writes into each bundle.
 * @param {string} path
 */
export const locate = path => `${globalThis.benchwrightBase ?? ""}${path}`

/**
 * Return the response to a GET request; throws an Error with the server's own sentence if it fails.
 * @param {string} path @param {AbortSignal} [signal]
 */
export const get = async (path, signal) => {
  const answer = await fetch(locate(path), { signal })
  if (answer.ok) return answer
  throw new Error((await answer.json().catch(() => ({}))).message ?? `The server answered ${answer.status}.`)
}

/** Return the JSON at a path. @param {string} path @returns {Promise<any>} */
export const getJson = async path => (await get(path)).json()

/**
 * Send one POST request. Rejects only if no complete answer arrived.
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
    // the server may have stored the request, so it is sent again with the same key
    if (answer.ok) throw new TypeError("The server's answer is incomplete.")
    return {}
  })
  return { status: answer.status, body: received }
}

/**
 * Send one POST request to a server that may be unreachable; return null if no answer arrived.
 * @param {string} path @param {object} body
 */
export const postOnce = async (path, body) => {
  try {
    return await post(path, body)
  } catch (error) {
    if (!isOffline(error)) throw error
    return null
  }
}

/** Wait the given number of seconds, or until the network is back. @param {number} seconds @returns {Promise<void>} */
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
 * Send the same request again until an answer arrives: after 1, 2, 4, 8, 10, 10 ... seconds, or when the network is back.
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

/**
 * Wait for a promise, but no longer than the given number of milliseconds. @param {Promise<unknown>} awaited @param {number}
 * most
 */
export const waitAtMost = (awaited, most) => Promise.race([awaited, new Promise(go => setTimeout(go, most))])
