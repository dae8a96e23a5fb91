"""A guideline from the box in which it is written to the desk where it stands, and the history that tells of its use."""

import io
import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve, sign
from workbench import Workbench

TEXT = "Ask one thing.\n<b>No</b> *marks*, $5 or $10."


@pytest.mark.fault(4)
def test_what_is_written_stands_on_the_desk_to_the_letter_and_goes_with_the_decision(
    serve: Serve, workspace: Path, page: Page
) -> None:
    with Workbench.open(workspace) as bench:
        item = next(one.id for one in bench.reviews.items() if one.task == "explicit_factoid")
    app = serve(workspace)
    sign(page, app.url)
    page.goto(f"{app.url}/guidelines?task=explicit_factoid&view=Edit")
    box = page.get_by_label("The guideline")
    box.fill(TEXT)
    expect(page.locator(".state")).to_have_text("Not saved; kept in this browser.")
    page.reload()
    expect(page.locator(".kept")).to_be_visible()
    expect(box).to_have_value(TEXT)
    box.fill(f"{TEXT}\n")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("Version 1 is saved and applies from now on.")).to_be_visible()
    expect(page.locator(".state")).to_have_text("This text is saved.")
    expect(page.locator(".kept")).to_be_hidden()

    page.goto(f"{app.url}/review?item={item}")
    guideline = page.locator(".desk .guideline")
    expect(guideline.locator("summary")).to_have_text("Guideline, version 1")
    expect(guideline.locator("p")).to_be_visible()
    assert guideline.locator("p").inner_text() == TEXT.replace("*marks*", "marks"), "HTML stays text, Markdown is drawn"
    assert guideline.locator("em").inner_text() == "marks" and not guideline.locator("p b").count()
    guideline.locator("summary").click()
    expect(guideline.locator("p")).to_be_hidden()
    page.reload()
    expect(guideline.locator("summary")).to_be_visible()
    expect(guideline.locator("p")).to_be_hidden()

    page.locator(".desk .question").fill("Who asked this in other words?")
    page.get_by_role("button", name="Accept").click()
    expect(page.locator(".desk .saved")).to_contain_text("accepted")
    page.goto(f"{app.url}/review?item={item}")
    expect(page.locator(".desk .about")).to_contain_text("rev. 2")
    page.locator(".desk .history-toggle").click()
    events = page.locator(".desk .history-list .event")
    expect(events).to_have_count(3)
    expect(events.nth(0)).to_contain_text("You accepted")
    expect(events.nth(0)).to_contain_text("guideline 1")
    expect(events.nth(1).locator("ins").first).to_be_visible()

    page.get_by_role("button", name="Accept").click()
    expect(page.locator(".desk .saved")).to_contain_text("accepted")
    app.stop()


def test_a_picture_file_is_put_into_the_text_and_stands_on_the_desk(
    serve: Serve, workspace: Path, page: Page, tmp_path: Path
) -> None:
    with Workbench.open(workspace) as bench:
        item = next(one.id for one in bench.reviews.items() if one.task == "explicit_factoid")
    Image.new("RGB", (2000, 1000), "teal").save(tmp_path / "the map.png")
    (tmp_path / "no.png").write_text("no picture", encoding="utf-8")
    app = serve(workspace)
    sign(page, app.url)
    page.goto(f"{app.url}/guidelines?task=explicit_factoid&view=Edit")
    box = page.get_by_label("The guideline")
    box.fill("Look at this: ")
    file = page.locator("input.file")
    file.set_input_files(tmp_path / "no.png")
    expect(page.locator(".state")).to_contain_text("no.png is not a picture that this browser can read")
    expect(box).to_have_value("Look at this: ")
    file.set_input_files(tmp_path / "the map.png")
    expect(box).to_have_value(re.compile(r"^Look at this: !\[the map\]\[picture-\w+\]"))
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("Version 1 is saved and applies from now on.")).to_be_visible()
    page.goto(f"{app.url}/review?item={item}")
    picture = page.locator(".desk .guideline img")
    expect(picture).to_be_visible()
    expect(picture).to_have_attribute("alt", "the map")
    assert picture.evaluate("node => [node.naturalWidth, node.naturalHeight]") == [1000, 500]
    app.stop()


def test_a_guideline_that_goes_on_below_its_box_has_a_shade_there(serve: Serve, workspace: Path, page: Page) -> None:
    with Workbench.open(workspace) as bench:
        item = next(one.id for one in bench.reviews.items() if one.task == "explicit_factoid")
        bench.guidelines.save("explicit_factoid", "\n\n".join(f"Rule {n}." for n in range(40)), by="Lea")
    app = serve(workspace)
    sign(page, app.url)
    page.goto(f"{app.url}/review?item={item}")
    text = page.locator(".desk .guideline .marked")
    expect(text).to_be_visible()

    def lower_edge() -> int:
        """How bright the last row of pixels is, right of the words."""
        picture = Image.open(io.BytesIO(text.screenshot())).convert("L")
        return int(picture.getpixel((picture.width * 2 // 3, picture.height - 2)))  # type: ignore[arg-type]

    more = lower_edge()
    text.evaluate("node => node.scrollTo(0, node.scrollHeight)")
    page.wait_for_timeout(200)
    assert more < lower_edge() - 15
    app.stop()
