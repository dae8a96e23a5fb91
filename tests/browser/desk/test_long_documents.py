"""Long documents and long answers at the desk: little of them is in the page, all of it is found, and where one was is kept."""

from playwright.sync_api import Page, expect

from tests.browser.at_desk import Open, Tap, ready, shows
from tests.waiting import until

NODES = "scroller => scroller.querySelectorAll('*').length"
TOP = """scroller => {
  const edge = scroller.getBoundingClientRect().top
  const block = [...scroller.querySelectorAll('.block')].find(one => one.getBoundingClientRect().bottom > edge)
  return [block.textContent, Math.round(block.getBoundingClientRect().top - edge)]
}"""


SEEN = """scroller => {
  const view = scroller.getBoundingClientRect()
  return [...scroller.querySelectorAll('.block:not(.gap)')].some(one => {
    const box = one.getBoundingClientRect()
    return box.bottom > view.top && box.top < view.bottom
  })
}"""


def drawn(page: Page) -> None:
    """Text stands in the view."""
    until(lambda: page.locator(".scroller").evaluate(SEEN))


def place(page: Page) -> list[object]:
    """What stands at the upper edge of the document."""
    drawn(page)
    return list(page.locator(".scroller").evaluate(TOP))


def scroll_to(page: Page, share: float) -> list[object]:
    """Scroll to this share of the height, wait until the desk kept that, and return what stands at the upper edge."""
    began = page.evaluate("Date.now()")  # before scrolling: on a busy machine the place is kept before text is seen in the view
    page.locator(".scroller").evaluate("(node, share) => { node.scrollTop = node.scrollHeight * share + 7 }", share)
    page.wait_for_function(
        "began => Object.entries(localStorage).some(([key, text]) => key.includes('.place:') && JSON.parse(text).at > began)",
        arg=began,
    )
    return place(page)


def test_of_twenty_megabytes_a_few_screens_are_drawn_and_all_is_found(desk: Open, tap: Tap) -> None:
    tap(large=20_000_000)
    page = desk(5)
    expect(page.locator("mark.current")).to_be_in_viewport()
    scroller = page.locator(".scroller")
    assert scroller.evaluate(NODES) < 6_000, "3,300 of them are the empty sections"
    for share in (0, 0.5, 0.25, 0.75):
        scroller.evaluate("(node, share) => { node.scrollTop = node.scrollHeight * share }", share)
        drawn(page)
        assert scroller.evaluate(NODES) < 6_000
    page.keyboard.press("f")
    page.keyboard.type("the END  is")
    page.keyboard.press("Enter")
    expect(page.locator(".find-count")).to_have_text("1 of 1")
    expect(page.locator("mark.hit-now")).to_be_in_viewport()
    page.locator(".find-words").fill("calm water")
    page.keyboard.press("Enter")
    expect(page.locator(".find-count")).to_contain_text("of more than 10,000")
    page.keyboard.press("Escape")
    page.keyboard.press("]")
    expect(page.locator("mark.current")).to_be_in_viewport()
    assert not tap()["decided"]


def test_find_walks_through_the_places_and_hears_its_own_keys(desk: Open, tap: Tap) -> None:
    page = desk(5)
    page.keyboard.press("f")
    page.keyboard.type("chronicle ENTRY 1")
    expect(page.locator(".find-count")).to_have_text("1 of 11")  # 1, and 10 to 19
    expect(page.locator("mark.hit")).to_have_count(11)
    expect(page.locator("mark.hit").first).to_have_css("display", "inline")  # the words stay in their line
    page.keyboard.press("Enter")
    expect(page.locator("mark.hit-now")).to_be_in_viewport()
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".find-count")).to_have_text("11 of 11")
    page.locator(".find-words").fill("a (x")
    page.keyboard.press("Enter")
    expect(page.locator(".find-count")).to_have_text("not found")
    page.keyboard.press("Escape")
    expect(page.locator(".find-bar")).to_be_hidden()
    expect(page.locator("mark.hit")).to_have_count(0)
    assert not tap()["decided"]


def test_where_one_was_is_kept_over_items_and_reloads(desk: Open, tap: Tap) -> None:
    tap(large=2_000_000)
    page = desk(5)
    expect(page.locator("mark.current")).to_be_in_viewport()
    before = scroll_to(page, 1 / 3)
    page.keyboard.press("n")
    shows(page, 6)
    page.keyboard.press("b")
    shows(page, 5)
    until(lambda: place(page) == before)
    page.reload()
    ready(page)
    until(lambda: place(page) == before)


def test_another_item_of_the_document_opens_at_its_own_evidence_and_the_first_where_it_was(desk: Open, tap: Tap) -> None:
    page = desk(6)
    expect(page.locator("mark.current")).to_be_in_viewport()
    before = scroll_to(page, 1)
    page.keyboard.press("n")
    shows(page, 7)
    expect(page.locator("mark.current")).to_be_in_viewport()
    assert place(page) != before
    page.keyboard.press("b")
    shows(page, 6)
    until(lambda: place(page) == before)
    page.goto(page.url.replace("item=item6", "item=item8"))
    ready(page)
    expect(page.locator("mark.current")).to_be_in_viewport()


def test_the_document_that_was_open_is_open_again(desk: Open, tap: Tap) -> None:
    page = desk(4)
    page.get_by_role("tab").nth(1).click()
    expect(page.locator(".title")).to_have_text("<b>Hostile</b>")
    expect(page.locator(".block").first).to_be_visible()
    page.reload()
    ready(page)
    expect(page.locator(".title")).to_have_text("<b>Hostile</b>")
    page.keyboard.press("]")
    expect(page.locator(".title")).to_have_text("The lake")


def test_a_letter_in_a_very_long_answer_does_not_wait_for_the_difference(desk: Open, tap: Tap) -> None:
    words = "The ferry crosses the lake four times a day, and on Sundays twice. " * 4_500
    page = desk(5)
    page.keyboard.press("w")
    page.locator("textarea.answer").fill(words)
    expect(page.locator(".diff-body ins")).to_contain_text("characters")
    spent = page.locator("textarea.answer").evaluate(
        """box => [1, 2, 3, 4, 5].map(n => {
          const before = performance.now()
          box.setRangeText("x", 150_000, 150_000)
          box.dispatchEvent(new Event("input", { bubbles: true }))
          return performance.now() - before
        }).sort((a, b) => a - b)[2]"""
    )
    assert spent < 250, "milliseconds; 900 when each letter waited for the difference"
    expect(page.locator(".diff-body ins")).to_contain_text("characters")
