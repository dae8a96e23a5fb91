"""Nuggets and question sets in a form: a press right after typing, and words that were typed and not saved."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from store.runs.question_sets import TABLE, QuestionSet
from tests.browser.cable import Cable
from tests.browser.conftest import Serve, sign, until_still
from workbench import Workbench


@pytest.fixture
def places(workspace: Path) -> dict[str, str]:
    """The address of an item of the page Nuggets with two nuggets, and that of a question set with one question."""
    with Workbench.open(workspace) as bench:
        item = bench.reviews.items(status="accepted")[0]
        bench.nuggets.save(item.id, [{"text": "It burnt."}, {"text": "It was rebuilt."}], seen=0, by="Bob")
        one = QuestionSet(item.id, item.answers[0], item.language, (("When?", "1902"),), 1, "m", ("p@b2:1",))
        bench.database.write(lambda cursor: TABLE.insert_sets(cursor, [one]))
    return {"Nugget": f"nuggets?item={item.id}", "Question": f"question_sets?item={item.id}&gold={one.gold}"}


LABELS = {"Nugget": "Nugget", "Question": "Question about the gold answer"}


def find_box(page: Page, noun: str, number: int = 1) -> Locator:
    """The text box of an entry, by its name: the second one may be drawn before the first."""
    return page.get_by_role("textbox", name=LABELS[noun] if number == 1 else f"{LABELS[noun]} {number}", exact=True)


def open_form(page: Page, url: str, place: str) -> None:
    """Open the form at this address as Ada."""
    sign(page, url)
    page.goto(f"{url}/{place}")
    until_still(page)


@pytest.mark.parametrize("noun", ["Nugget", "Question"])
def test_a_press_right_after_typing_misses_no_word(
    serve: Serve, workspace: Path, page: Page, places: dict[str, str], noun: str
) -> None:
    app = serve(workspace)
    open_form(page, app.url, places[noun])
    find_box(page, noun).click()
    page.keyboard.press("End")
    page.keyboard.type(" Twice?")
    page.keyboard.press("Alt+a")
    page.keyboard.type("And when was that?")
    added = find_box(page, noun, 2 if noun == "Question" else 3)
    expect(added).to_be_focused()
    expect(added).to_have_value("And when was that?")
    page.keyboard.press("Control+s")
    page.keyboard.type(" Typed on.")
    expect(page.get_by_text("Saved as set 2")).to_be_visible()
    expect(added).to_be_focused()
    expect(added).to_have_value("And when was that? Typed on.")
    app.stop()
    with Workbench.open(workspace) as bench:
        item = bench.reviews.items(status="accepted")[0].id
        if noun == "Nugget":
            current = bench.nuggets.card(item).current
            assert current is not None
            assert [one.text for one in current.nuggets] == ["It burnt. Twice?", "It was rebuilt.", "And when was that?"]
        else:
            row = bench.question_sets.page()[0][0].set
            assert row.pairs == (("When? Twice?", "1902"), ("And when was that?", "unanswerable"))


@pytest.mark.parametrize("noun", ["Nugget", "Question"])
def test_a_question_mark_typed_before_the_new_row_is_drawn_opens_no_help(
    serve: Serve, workspace: Path, page: Page, places: dict[str, str], noun: str
) -> None:
    """While the row is added the focus is nowhere, and `?` opens the help, which takes every other letter."""
    app = serve(workspace)
    open_form(page, app.url, places[noun])
    find_box(page, noun).fill("Typed")
    page.wait_for_function("Object.values(localStorage).some(words => words.includes('Typed'))")  # the collector is there
    page.locator('[class*="_add"] button').evaluate("""button => {
        button.click()
        document.activeElement.blur()
        for (const key of "Why? Who?")
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))
    }""")
    added = find_box(page, noun, 2 if noun == "Question" else 3)
    expect(added).to_be_focused()
    expect(added).to_have_value("Why? Who?")
    expect(page.get_by_role("dialog", name="Keyboard help")).to_be_hidden()
    app.stop()


@pytest.mark.parametrize("noun", ["Nugget", "Question"])
def test_words_that_were_not_saved_are_there_again_after_a_reload_and_after_another_page(
    serve: Serve, workspace: Path, page: Page, places: dict[str, str], noun: str
) -> None:
    app = serve(workspace)
    open_form(page, app.url, places[noun])
    box = find_box(page, noun)
    box.fill("Typed and not saved")
    page.reload()
    expect(page.get_by_text("You have changes that are not saved")).to_be_visible()
    expect(box).to_have_value("Typed and not saved")
    box.fill("Typed once more")
    page.get_by_role("link", name="Guidelines").click()
    expect(page.get_by_role("heading", name="Guidelines")).to_be_visible()
    page.goto(f"{app.url}/{places[noun]}")
    expect(box).to_have_value("Typed once more")
    page.get_by_role("button", name="Show set 1").click()
    expect(page.get_by_text("You have changes that are not saved")).to_be_hidden()
    expect(box).to_have_value("It burnt." if noun == "Nugget" else "When?")
    page.reload()
    expect(box).to_have_value("It burnt." if noun == "Nugget" else "When?")
    box.fill("Saved")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved as set 2")).to_be_visible()
    page.reload()
    expect(box).to_have_value("Saved")
    expect(page.get_by_text("You have changes that are not saved")).to_be_hidden()
    app.stop()


def test_words_typed_before_the_components_are_loaded_are_kept(
    serve: Serve, workspace: Path, page: Page, places: dict[str, str]
) -> None:
    app = serve(workspace)
    sign(page, app.url)
    components: list[Route] = []

    def hold(route: Route) -> None:
        components.append(route)

    page.route("**/BidiComponent*.js", hold)
    page.goto(f"{app.url}/{places['Nugget']}")
    box = find_box(page, "Nugget")
    until_still(page)
    box.fill("Typed early")
    assert components
    for component in components:
        component.continue_()
    page.wait_for_function("Object.values(localStorage).some(words => words.includes('Typed early'))")
    page.unroute("**/BidiComponent*.js")
    page.reload()
    expect(page.get_by_text("You have changes that are not saved")).to_be_visible()
    expect(box).to_have_value("Typed early")
    app.stop()


def test_words_that_were_not_saved_are_there_again_after_the_app_was_killed(
    serve: Serve, workspace: Path, page: Page, places: dict[str, str]
) -> None:
    app = serve(workspace)
    open_form(page, app.url, places["Nugget"])
    box = find_box(page, "Nugget")
    box.fill("Typed before the end")
    app.kill()
    serve(workspace, port=int(app.url.rpartition(":")[2]))
    expect(page.get_by_text("You have changes that are not saved")).to_be_visible(timeout=60_000)
    expect(box).to_have_value("Typed before the end")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved as set 2")).to_be_visible()


@pytest.mark.parametrize("noun", ["Nugget", "Question"])
def test_every_box_of_the_form_is_open_while_the_server_is_away(
    serve: Serve, workspace: Path, page: Page, places: dict[str, str], noun: str
) -> None:
    app = serve(workspace)
    line = Cable(int(app.url.rsplit(":", 1)[1]))
    open_form(page, line.url, places[noun])
    box = find_box(page, noun)
    box.fill("Typed")
    page.wait_for_function("Object.values(localStorage).some(words => words.includes('Typed'))")  # what keeps words is there
    page.get_by_role("heading").first.click()
    line.pull()
    expect(page.locator(".benchwright-away")).to_contain_text("in nuggets or in questions is kept")
    expect(page.locator("[data-testid=stFormSubmitButton] button").first).to_be_disabled()
    box.fill("Typed without a server")
    line.plug()
    expect(page.locator(".benchwright-away")).to_have_text("")
    expect(box).to_have_value("Typed without a server")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved as set 2")).to_be_visible()
    page.reload()
    expect(box).to_have_value("Typed without a server")
    line.close()
    app.stop()
