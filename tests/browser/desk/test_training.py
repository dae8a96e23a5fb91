"""Qualification and blind items at the real desk: feedback comes before the next item, and nothing of a hidden answer is in
the browser before the person's own is stored."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response, expect

from store.items import items
from store.reviews import control_answers
from store.reviews.state import list_differences
from tests.browser.conftest import Serve, Served, saving, sign
from workbench import Workbench

SECRET = "Zanzibar harbour"


@pytest.fixture
def workspace(samples: Path, tmp_path: Path) -> Path:
    """The samples with two drafts that wait."""
    path = Path(shutil.copy(samples, tmp_path / "w.duckdb"))
    with Workbench.open(path) as bench:
        sample = items.get(bench.database, bench.reviews.items(task="explicit_factoid")[0].id)
        made = [replace(sample, id=f"draft-{n}", question=f"Which is {n}?", answers=(SECRET,), status="drafted") for n in "ab"]
        items.add(bench.database, made)
    return path


def at_desk(page: Page, app: Served) -> str:
    sign(page, app.url)
    page.goto(f"{app.url}/review")
    return standing(page)


def standing(page: Page, before: str = "") -> str:
    """The item on the desk, once it is another than that one and may be decided on."""
    desk = page.locator(f"[data-desk-item]:not([data-desk-item='{before}'])")
    desk.wait_for()
    page.locator("button.accept:enabled").wait_for()
    return str(desk.get_attribute("data-desk-item"))


def test_qualification_tells_after_each_decision_and_then_the_queue_opens(workspace: Path, serve: Serve, page: Page) -> None:
    with Workbench.open(workspace) as bench:
        bench.reviews.qualification.set_rule(2, 1, "Lead")
    app = serve(workspace)
    first = at_desk(page, app)
    page.get_by_text("Qualification: 0 of 2 done, 1 right needed to pass").wait_for()
    page.keyboard.press("a")
    told = page.locator(".feedback")
    told.get_by_text("You accepted it as it was.").wait_for()
    expect(told).to_contain_text("1 of 2 done")
    expect(page.locator("button.accept")).to_be_hidden()
    page.reload()
    told.get_by_text("You accepted it as it was.").wait_for()
    told.locator("button.onward:enabled").wait_for()
    page.keyboard.press("Enter")
    second = standing(page, first)
    expect(told).to_be_hidden()
    page.keyboard.press("x")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    told.get_by_text("You discarded it").wait_for()
    expect(told).to_contain_text("of 2 right")
    told.locator("button.onward:enabled").wait_for()
    page.keyboard.press("n")
    third = standing(page, second)
    app.stop()
    with Workbench.open(workspace) as bench:
        answers = control_answers.load_effective_answers(bench.database, "Ada")
        assert [(one.control, one.decision, one.round) for one in answers] == [(first, "accept", 1), (second, "discard", 1)]
        passed = bench.reviews.qualification.load_state("Ada").has_passed
        assert (third in ("draft-a", "draft-b")) == passed == any(one.is_right for one in answers)
        assert bench.reviews.items(status="drafted")[1].id == "draft-b" and not list_differences(bench.database)


def test_a_hidden_answer_comes_with_the_own_one_and_not_before(workspace: Path, serve: Serve, page: Page) -> None:
    with Workbench.open(workspace) as bench:
        bench.reviews.blind.set_rule(1.0, 0, "Lead")
    app = serve(workspace)
    heard: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))

    def note(reply: Response) -> None:
        if "/bench/" in reply.url and "/bench/document/" not in reply.url:
            heard.append(reply.text())

    page.on("response", note)
    item = at_desk(page, app)
    page.get_by_text("Answer this question yourself first.").wait_for()
    box = page.get_by_role("textbox", name="Your own answer")
    box.fill("")
    with saving(page, "The old port"):
        box.press_sequentially("The old port")
    page.reload()
    expect(page.locator("textarea.answer")).to_have_value("The old port")
    assert page.locator(".evidence-part").is_hidden() and page.locator(".history").is_hidden()
    for key in ("h", "g", "d", "Escape"):
        page.keyboard.press(key)
    assert any("Which is a?" in text for text in heard), "what the server sends can be read here"
    assert not any(SECRET in text for text in heard) and SECRET not in page.content()
    page.locator("button.accept:enabled").wait_for()
    expect(page.locator("button.accept")).to_have_text("Show the draft a")
    page.locator("textarea.answer").press("Control+Enter")
    expect(page.locator("textarea.answer")).to_have_value(SECRET)
    expect(page.locator("button.accept")).to_have_text("Accept a")
    expect(page.get_by_role("textbox", name="Your own answer")).to_have_count(0)
    expect(page.locator(".own-words")).to_have_text("The old port")
    assert any(SECRET in text for text in heard)
    page.locator("button.accept:enabled").wait_for()
    page.locator("textarea.answer").evaluate("box => box.blur()")
    page.keyboard.press("a")
    standing(page, item)
    app.stop()
    with Workbench.open(workspace) as bench:
        own = bench.reviews.blind.find_own_answer(item, "Ada")
        assert own is not None and own.text == "The old port"
        assert items.get(bench.database, item).status == "accepted" and not list_differences(bench.database)


def test_an_item_without_a_draft_is_answered_by_keyboard_and_no_word_is_lost(workspace: Path, serve: Serve, page: Page) -> None:
    with Workbench.open(workspace) as bench:
        bench.reviews.blind.set_rule(0.0, 0, "Lead", alone=1.0)
    app = serve(workspace)
    heard: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))

    def note(reply: Response) -> None:
        if "/bench/" in reply.url and "/bench/document/" not in reply.url:
            heard.append(reply.text())

    page.on("response", note)
    item = at_desk(page, app)
    page.get_by_text("Answer this question from the document alone").wait_for()
    page.keyboard.press("a")
    expect(page.locator(".said")).to_contain_text("There is no answer")
    page.keyboard.press("w")
    with saving(page, "The old port"):
        page.keyboard.type("The old port")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(page.locator(".said")).to_contain_text("There is no evidence yet")
    page.keyboard.press("s")
    page.keyboard.type("3")
    with page.expect_response(lambda reply: "/bench/scratch" in reply.url):
        page.keyboard.press("Enter")
    expect(page.locator(".evidence .span-row")).to_have_count(1)
    page.reload()
    page.locator(".alone-notice:visible").wait_for()
    expect(page.locator("textarea.answer")).to_have_value("The old port")
    expect(page.locator(".evidence .span-row")).to_have_count(1)
    assert page.locator(".history").is_hidden() and page.locator(".own-answer").is_hidden()
    for key in ("h", "g", "d", "Escape"):
        page.keyboard.press(key)
    assert any("Which is a?" in text for text in heard), "what the server sends can be read here"
    assert not any(SECRET in text for text in heard) and SECRET not in page.content()
    page.locator("button.accept:enabled").wait_for()
    page.keyboard.press("a")
    standing(page, item)
    app.stop()
    with Workbench.open(workspace) as bench:
        stored = items.get(bench.database, item)
        assert (stored.status, stored.answers, len(stored.evidence)) == ("accepted", ("The old port",), 1)
        [event] = bench.reviews.history(item, "Ada").decisions
        assert event.assistance == "none" and not list_differences(bench.database)
