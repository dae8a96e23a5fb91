"""Comments at the desk, by keyboard: written, lost by no reload, shown letter by letter, taken back by a mark."""

from playwright.sync_api import expect

from tests.browser.at_desk import Open, Tap, arrived, ready, shows

EVIL = "Is <b>this</b> **right**? $5 <img src=x onerror=\"document.title='broken'\">"


def test_a_comment_is_written_and_sent_by_keyboard_and_decides_nothing(desk: Open, tap: Tap) -> None:
    page = desk(5)
    page.keyboard.press("c")
    page.keyboard.type(EVIL + " axn")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".remark-text")).to_have_text(EVIL + " axn")
    expect(page.locator(".comments-count")).to_have_text("1")
    assert page.locator(".thread img, .thread b").count() == 0 and page.title() == "Desk"
    known = tap()
    assert not known["decided"] and [one["text"] for one in known["posts"] if one["path"] == "comment"] == [EVIL + " axn"]
    page.keyboard.press("a")  # the caret has left the box
    shows(page, 6)
    assert page.locator(".remark-text").count() == 0


def test_half_a_comment_is_there_after_a_reload_and_after_the_decision(desk: Open, tap: Tap) -> None:
    page = desk(5)
    page.keyboard.press("c")
    page.keyboard.type("Half a sent")
    arrived(tap, lambda known: known["scratch"])
    page.reload()
    ready(page)
    expect(page.locator("textarea.remark")).to_have_value("Half a sent")
    page.keyboard.press("a")
    shows(page, 6)
    expect(page.locator("textarea.remark")).to_have_value("")
    page.keyboard.press("b")
    shows(page, 5)
    expect(page.locator("textarea.remark")).to_have_value("Half a sent")
    assert "item5" not in [key.split(":")[1] for key in tap()["scratch"] if not key.startswith("comment:")]


def test_an_own_comment_is_taken_back_and_another_ones_is_not_offered(desk: Open, tap: Tap) -> None:
    said = {"person": "Bo", "text": "Hm.", "at": "2026-11-20T12:04:31+00:00", "taken_back": False}
    tap(said={"item5": [said | {"id": "k1"}, said | {"id": "k2", "person": "Ada"}]})
    page = desk(5)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".back-taken .remark-text")).to_have_text("Hm.")
    expect(page.locator(".back-taken")).to_contain_text("taken back")
    expect(page.locator(".comments-count")).to_have_text("1")
    assert page.get_by_role("button", name="Take back").count() == 0
