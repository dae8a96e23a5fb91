"""What tests at the desk's own test app share: when it is ready, what is on it, and what has arrived at its bench."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.waiting import until

Tap = Callable[..., dict[str, Any]]
Open = Callable[..., Page]


def ready(page: Page) -> None:
    expect(page.locator(".sheet .block").first).to_be_visible()
    expect(page.locator("button.accept")).to_be_enabled()


def shows(page: Page, number: int) -> None:
    """Item `number` is on the screen, and may be decided on."""
    asked = f"How often does the ferry cross Lake Orme, asked for the time {number}?"
    expect(page.locator("textarea.question")).to_have_value(asked)
    ready(page)


def arrived(tap: Tap, claim: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """What the bench knows, once the claim is true of it."""
    until(lambda: claim(tap()))
    return tap()


def select(page: Page, first: str, last: str) -> None:
    """Drag the mouse from the first letter of one piece of the document to the last of another."""
    corners = page.evaluate(
        """([first, last]) => {
          const host = [...document.querySelectorAll("*")].find(node => node.shadowRoot?.querySelector(".sheet"))
          const place = (words, end) => {
            const walk = document.createTreeWalker(host.shadowRoot.querySelector(".sheet"), NodeFilter.SHOW_TEXT)
            for (let node; node = walk.nextNode();) {
              const at = node.data.indexOf(words)
              if (at < 0) continue
              const range = document.createRange()
              range.setStart(node, end ? at + words.length - 1 : at)
              range.setEnd(node, end ? at + words.length : at + 1)
              const box = range.getBoundingClientRect()
              return [end ? box.right - 0.5 : box.left + 0.5, box.top + box.height / 2]
            }
          }
          return [place(first, false), place(last, true)]
        }""",
        [first, last],
    )
    page.mouse.move(*corners[0])
    page.mouse.down()
    page.mouse.move(*corners[1], steps=5)
    page.mouse.up()
