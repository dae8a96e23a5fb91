"""A PDF's pages on the desk: by a key and back, at the page of the evidence, with boxes where its letters are drawn."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from core.nouns import Item, Span
from store.items import items
from tests import pdfs
from tests.browser.conftest import Serve, sign
from workbench import Workbench

TOLL, FERRY = "The toll of 5 cents was abolished in 1954", "The old ferry stopped in spring."


@pytest.fixture
def bridge(page: Page, serve: Serve, tmp_path: Path) -> dict[str, str]:
    """The app on a PDF of three pages, with an item whose first evidence stands on the second page, the other on the third."""
    pages = ["A report", pdfs.PROSE.split(" The old")[0], f"An appendix. {FERRY}"]
    (tmp_path / "bridge.pdf").write_bytes(pdfs.drawn(*(pdfs.lines(*pdfs.wrapped(page, 44)) for page in pages)))
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        [added] = bench.corpus.add([tmp_path / "bridge.pdf"], domain="arts", language="en").added
        text = bench.corpus.document(added.id).text.replace("\n", " ")
        spans = tuple(Span(added.id, text.index(words), text.index(words) + len(words)) for words in (TOLL, FERRY))
        items.add(
            bench.database,
            [Item("toll", "explicit_factoid", "When was it abolished?", ("1954",), spans, 1, "arts", given=(added.id,))],
        )
    url = serve(tmp_path / "w.duckdb").url
    sign(page, url)
    return {"url": url, "document": added.id}


def ink(page: Page) -> list[dict[str, Any]]:
    """Each box on the page as it is shown, and how many dark points of the picture lie in it and left of it."""
    found: list[dict[str, Any]] = page.evaluate(
        """() => {
          const root = [...document.querySelectorAll("*")].find(node => node.shadowRoot?.querySelector(".leaf img")).shadowRoot
          const image = root.querySelector(".leaf img")
          const canvas = document.createElement("canvas")
          canvas.width = image.naturalWidth
          canvas.height = image.naturalHeight
          const paint = canvas.getContext("2d")
          paint.drawImage(image, 0, 0)
          const frame = image.getBoundingClientRect()
          const dark = (x, y, w, h) => {
            const data = paint.getImageData(x, y, Math.max(1, w), Math.max(1, h)).data
            let n = 0
            for (let i = 0; i < data.length; i += 4) if (data[i] < 128) n++
            return n
          }
          return [...root.querySelectorAll(".span-box")].map(node => {
            const box = node.getBoundingClientRect()
            const scale = canvas.width / frame.width
            const sides = [box.left - frame.left, box.top - frame.top, box.width, box.height]
            const [x, y, w, h] = sides.map(n => Math.round(n * scale))
            return { n: Number(node.dataset.evidence), inside: dark(x, y, w, h), left: dark(x - 8, y, 8, h) }
          })
        }"""
    )
    return found


def test_the_pages_by_a_key_and_back_with_boxes_over_the_letters(page: Page, bridge: dict[str, str]) -> None:
    page.set_viewport_size({"width": 1280, "height": 700})
    page.goto(f"{bridge['url']}/review?item=toll")
    expect(page.locator(".sheet mark").first).to_be_visible()
    expect(page.locator("button.view")).to_contain_text("Pages")
    page.locator("h3.title").click()
    page.keyboard.press("p")
    expect(page.locator(".page-number")).to_have_value("2")
    expect(page.locator(".span-box")).to_have_count(2)  # its words stand on two lines
    expect(page.locator(".span-box.current").first).to_be_visible()
    expect(page.locator(".sheet")).to_be_hidden()
    expect(page.locator(".span-number")).to_have_text("1")
    for box in ink(page):
        assert box["n"] == 0 and box["inside"] > 200 and box["left"] < 20, box
    page.keyboard.press("]")
    expect(page.locator(".page-number")).to_have_value("3")
    expect(page.locator('.span-box.current[data-evidence="1"]').first).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator('.span-box[data-evidence="0"]').first).to_be_visible()
    page.locator("ol.evidence .span-row").nth(1).locator("button").first.click()
    expect(page.locator('.span-box[data-evidence="1"]').first).to_be_visible()
    narrow = page.locator(".leaf img").bounding_box()
    page.keyboard.press("z")
    expect(page.locator(".pages-frame.whole")).to_be_visible()
    whole = page.locator(".leaf img").bounding_box()
    assert narrow and whole and whole["height"] < narrow["height"] and ink(page)[0]["inside"] > 200
    page.keyboard.press("p")
    expect(page.locator(".sheet mark.current").first).to_be_visible()
    expect(page.locator(".pages")).to_be_hidden()
    page.locator("textarea.answer").click()
    page.keyboard.type("pz")
    expect(page.locator(".pages")).to_be_hidden()
    expect(page.locator("textarea.answer")).to_have_value("1954pz")


def test_the_corpus_shows_a_document_by_its_pages_too(page: Page, bridge: dict[str, str]) -> None:
    """It is opened from the list, where a link to the page itself once led back to the list at the next press."""
    page.goto(f"{bridge['url']}/corpus")
    page.locator("[data-testid=stDataFrame] .dvn-scroller").last.click(position={"x": 18, "y": 35 + 18})
    page.get_by_role("button", name="Read it").click()
    page.get_by_text("Pages", exact=True).click()
    expect(page.locator(".page-number")).to_have_value("2")
    expect(page).to_have_url(f"{bridge['url']}/corpus?document={quote(bridge['document'], safe='')}")
    expect(page.locator('.span-box[data-evidence="0"]').first).to_be_visible()
    page.locator(".page-after").click()
    expect(page.locator('.span-box[data-evidence="1"]').first).to_be_visible()
    page.get_by_role("button", name="All documents").click()
    expect(page.get_by_text("Add documents")).to_be_visible()
    expect(page).to_have_url(f"{bridge['url']}/corpus")
