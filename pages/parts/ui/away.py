"""A banner on every page while the server does not answer. The banner takes no focus, so people can continue to type; the
review desk and similar components send the stored text once the server is back. Streamlit locks its own boxes meanwhile; this
module unlocks the box in which somebody types, because otherwise the next letters would be lost or act as keyboard shortcuts of
the page. The component form_words unlocks all boxes of its form. A tab whose session has ended is reloaded, which leads to the
sign-in page."""

import streamlit as st

from pages.parts.base_path import find_base

_BANNER = st.components.v2.component(
    "benchwright_away",
    html="<span hidden></span>",
    js="""
const WORDS = "The server does not answer. What you type at a desk, in nuggets or in questions is kept in this browser; "
  + "a desk sends it when the server is back."
const PATIENCE = 800  // milliseconds: a connection that is back at once is not worth a word
const ASK_AGAIN = 3000  // milliseconds: the server may be away itself when the session ends
const LOOK = "position:fixed;top:0;left:50%;transform:translateX(-50%);z-index:1000001;max-width:96vw;padding:.45rem 1.1rem;"
  + "border:1px solid currentColor;border-top:0;border-radius:0 0 6px 6px;font-size:.92rem;pointer-events:none;"
const watched = new WeakMap()

export default function ({ parentElement, setTriggerValue, data }) {
  if (watched.has(parentElement)) return
  const app = document.querySelector('[data-testid="stApp"]')
  const banner = document.createElement("div")
  banner.className = "benchwright-away"
  banner.setAttribute("role", "status")
  document.body.append(banner)
  let timer = null
  let asking = null
  const look = () => {
    if (isAway()) timer ??= setTimeout(show, PATIENCE)
    else {
      // The server breaks off a run whose browser goes away. The browser may not know that it began: the page stayed empty.
      if (timer !== null) setTriggerValue("back", true)
      clearTimeout(timer)
      clearInterval(asking)
      timer = asking = null
      banner.textContent = ""
      banner.style.cssText = "display:none"
    }
  }
  const isAway = () => app.dataset.testConnectionState !== "CONNECTED"
  const lock = new MutationObserver(([{ target }]) => {
    if (!target.disabled || !isAway()) return
    target.disabled = false
    target.focus({ preventScroll: true })
  })
  const follow = ({ type, target }) => {
    if (type === "focusout" && target.disabled) return  // it was locked, nobody left it
    lock.disconnect()
    if (type === "focusin" && target.matches("input, textarea")) lock.observe(target, { attributeFilter: ["disabled"] })
  }
  const FOLLOWED = ["focusin", "focusout"]
  const goToSignIn = async () => {
    const answer = await fetch(`${data.base}/_stcore/host-config`).catch(() => null)
    if (answer?.status === 401) location.reload()  // what was typed at a desk is kept in this browser
  }
  const show = () => {
    goToSignIn()
    asking ??= setInterval(goToSignIn, ASK_AGAIN)
    const theme = getComputedStyle(parentElement.host ?? parentElement)
    const of = name => theme.getPropertyValue(`--st-${name}`)
    const tint = of("orange-background-color")
    banner.style.cssText = `${LOOK}font-family:${of("font")};color:${of("orange-text-color")};`
      + `background:linear-gradient(${tint}, ${tint}), ${of("background-color")}`
    banner.textContent = WORDS
  }
  const observer = new MutationObserver(look)
  observer.observe(app, { attributes: true, attributeFilter: ["data-test-connection-state"] })
  for (const name of FOLLOWED) document.addEventListener(name, follow)
  look()
  watched.set(parentElement, () => {
    observer.disconnect()
    lock.disconnect()
    for (const name of FOLLOWED) document.removeEventListener(name, follow)
    clearTimeout(timer)
    clearInterval(asking)
    banner.remove()
  })
  return () => {
    watched.get(parentElement)?.()
    watched.delete(parentElement)
  }
}
""",
)


def watch() -> None:
    """Add to the page the banner that appears while the server does not answer."""
    _BANNER(data={"base": find_base()}, key="away", height=1, on_back_change=lambda: None)
