"""Labels from closed lists at the desk: shown with what they mean, chosen, remembered over a reload, sent with the decision.
And the project's own label questions, answered by keys alone."""

from playwright.sync_api import expect

from tests.browser.at_desk import Open, Tap, arrived, ready, shows


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


def test_label_questions_are_answered_by_keys_kept_over_a_reload_and_sent_with_the_decision(desk: Open, tap: Tap) -> None:
    page = desk(8)
    expect(page.locator(".ask")).to_have_count(4)
    assert page.locator(".ask img").count() == 0
    page.keyboard.press("a")  # refused: it names the question, which has the keys then
    expect(page.locator(".said")).to_contain_text("This question is required, answer it first: <img src=x")
    expect(page.locator(".ask").first).to_be_focused()
    for key in ("2", "l", "1", "ArrowRight", "ArrowRight", "ArrowRight", "Space", "ArrowDown", "4", "Enter", "Enter"):
        page.keyboard.press(key)
    page.keyboard.type("Reads well, n and a.")
    page.keyboard.press("Escape")
    expect(page.locator(".ask").last).to_be_focused()
    answers = {"tone": "warm", "topics": ["law", "tech"], "clarity": 4, "remark": "Reads well, n and a."}
    arrived(tap, lambda known: known["posts"] and known["posts"][-1]["label_answers"] == answers)
    page.reload()
    ready(page)
    expect(page.locator(".choice[aria-checked=true]")).to_have_text(["2 warm", "1 law", "3 tech", "4"])
    expect(page.locator(".ask-words")).to_have_value(answers["remark"])
    assert tap()["decided"] == []
    page.keyboard.press("l")
    page.keyboard.press("Backspace")
    page.keyboard.press("a")
    expect(page.locator(".said")).to_contain_text("This question is required")
    page.locator(".choice", has_text="dry").click()
    page.keyboard.press("a")
    shows(page, 9)
    assert page.locator(".questions-part").is_hidden()
    (decided,) = tap()["decided"]
    assert decided["label_answers"] == answers | {"tone": "dry"}
