"""Labels from closed lists at the desk: shown with what they mean, chosen, remembered over a reload, sent with the decision."""

from playwright.sync_api import expect

from tests.browser.at_desk import Open, Tap, ready, shows


def test_a_label_is_chosen_with_its_meaning_and_goes_with_the_decision(desk: Open, tap: Tap) -> None:
    page = desk(7)
    expect(page.locator(".label-row")).to_have_count(2)
    expect(page.locator(".label-row").first).to_contain_text("Asks for one fact.")
    page.get_by_label("Question type").select_option("multi-hop")
    expect(page.locator(".label-row").first).to_contain_text("**bold**")
    assert page.locator(".label-row img").count() == 0 and page.title() == "Desk"
    page.reload()
    ready(page)
    expect(page.get_by_label("Question type")).to_have_value("multi-hop")
    page.keyboard.press("a")
    shows(page, 8)
    assert page.locator(".labels-part").is_hidden()
    (decided,) = tap()["decided"]
    assert decided["labels"] == {"question_type": "multi-hop", "popularity": ""}


def test_an_item_without_such_labels_sends_none(desk: Open, tap: Tap) -> None:
    page = desk(5)
    assert page.locator(".labels-part").is_hidden()
    page.keyboard.press("a")
    shows(page, 6)
    assert tap()["decided"][0]["labels"] is None
