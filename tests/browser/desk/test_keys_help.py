"""`?` answers on every page, and goes away by the same key or Escape."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_desk import Open
from tests.browser.conftest import Serve, sign, until_still
from tests.workbench.build.test_web_questions import handed_in
from workbench import Workbench

PAGES = ("", "corpus", "draft", "run", "results", "agents", "prompts", "jobs")


def test_question_mark_shows_the_keys_on_every_page(serve: Serve, workspace: Path, page: Page) -> None:
    app = serve(workspace)
    sign(page, app.url)
    for place in PAGES:
        page.goto(f"{app.url}/{place}")
        until_still(page)
        page.locator(".veil kbd").first.wait_for(state="attached")
        overlay = page.get_by_role("dialog", name="Keyboard help")
        expect(overlay).to_have_count(0)  # hidden from everybody, screen readers too
        page.keyboard.press("?")
        expect(overlay).to_be_visible()
        page.keyboard.press("Escape" if len(place) % 2 else "?")
        expect(overlay).not_to_be_visible()


def test_the_desk_has_a_button_that_shows_the_keys(desk: Open) -> None:
    page = desk()
    overlay = page.get_by_role("dialog", name="Keyboard help")
    page.get_by_role("button", name="All keys").click()
    expect(overlay).to_be_visible()
    page.keyboard.press("?")
    expect(overlay).not_to_be_visible()


@pytest.mark.fault(31)
def test_a_question_mark_in_a_box_is_a_letter(serve: Serve, workspace: Path, page: Page) -> None:
    app = serve(workspace)
    sign(page, app.url)
    page.goto(f"{app.url}/freeze")
    box = page.get_by_label("Name", exact=True)
    box.wait_for()
    box.press_sequentially("v1?")
    expect(box).to_have_value("v1?")
    expect(page.get_by_role("dialog", name="Keyboard help")).to_have_count(0)


def test_two_phases_is_worked_by_keys_alone_and_a_link_shows_its_focus(serve: Serve, workspace: Path, page: Page) -> None:
    with Workbench.open(workspace) as bench:
        item = handed_in(bench)
    app = serve(workspace)
    sign(page, app.url)
    page.goto(f"{app.url}/phases")
    question, why = page.get_by_label("Question", exact=True), page.get_by_label("Reason (optional")
    expect(question).to_have_value(item.question)
    page.locator("[data-box-keys]").wait_for(state="attached")
    page.keyboard.press("q")
    expect(question).to_be_focused()
    page.keyboard.type(" axn")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Store it with my changes")).to_be_visible()
    page.keyboard.press("c")
    page.keyboard.type("xxx")
    page.keyboard.press("Escape")
    expect(why).not_to_be_focused()
    page.keyboard.press("a")
    expect(page.get_by_text("waits for another opinion")).to_be_visible()
    link = page.locator('[data-testid="stSidebarNav"] a').nth(2)
    page.keyboard.press("Tab")
    link.focus()
    assert link.evaluate("node => getComputedStyle(node).outline").endswith("solid 2px")
    app.stop()
    with Workbench.open(workspace) as bench:
        sheets = [bench.phases.find_next(name) for name in ("Ada", "Bob")]
        assert sheets[0] is None and sheets[1] is not None
