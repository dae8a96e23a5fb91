"""Half a sentence in the real app outlives a reload, a pulled cable, and a server that was killed."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from store.items import items, phase_marks
from tests.browser.cable import Cable
from tests.browser.conftest import ROOT, Serve, Served, new_page, saving, sign, until_still
from tests.workbench.build.test_web_questions import handed_in
from workbench import Workbench

HALF = "Which firmware was the first to use Sta"
MINUTE = 60_000


@pytest.fixture(scope="session")
def drafts(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with two drafts that wait."""
    path = Path(shutil.copy(samples, tmp_path_factory.mktemp("drafts") / "w.duckdb"))
    words = ["draft", "--task", "explicit_factoid", "--domain", "tech", "--count", "2", "--agent", "recorded", "--seed", "7"]
    subprocess.run([sys.executable, "cli.py", *words, "--workspace", str(path)], cwd=ROOT, check=True, capture_output=True)
    return path


@pytest.fixture
def app(drafts: Path, tmp_path: Path, serve: Serve) -> Served:
    return serve(Path(shutil.copy(drafts, tmp_path / "w.duckdb")))


@pytest.fixture
def cable(app: Served) -> Iterator[Cable]:
    made = Cable(int(app.url.rsplit(":", 1)[1]))
    yield made
    made.close()


def at_desk(page: Page, url: str) -> Page:
    sign(page, url)
    page.goto(f"{url}/review")
    hears_keys(page)
    return page


def hears_keys(page: Page) -> None:
    """The item has been on the screen for a moment: the desk hears no key before."""
    page.locator("button.accept:enabled").wait_for()
    page.locator("button.next:enabled").wait_for()


def question(page: Page) -> str:
    return page.get_by_label("Question").input_value()


def type_half(page: Page) -> None:
    page.get_by_label("Question").fill("")
    page.get_by_label("Question").press_sequentially(HALF)


@pytest.mark.fault(32)
def test_half_a_sentence_outlives_a_reload_and_the_place_too(app: Served, page: Page) -> None:
    at_desk(page, app.url)
    page.keyboard.press("n")
    expect(page.get_by_label("Question")).to_have_value(
        "What had settled on the common target plate when gate 2 at Inverlash falsely reported itself shut in November 2016?"
    )
    before = page.locator("[data-desk-item]").get_attribute("data-desk-item")
    hears_keys(page)
    type_half(page)
    page.reload()
    expect(page.get_by_label("Question")).to_have_value(HALF)
    assert page.locator("[data-desk-item]").get_attribute("data-desk-item") == before


@pytest.mark.fault(33)
def test_another_browser_finds_the_words_of_the_same_person(app: Served, page: Page, chromium: Browser) -> None:
    at_desk(page, app.url)
    with saving(page, HALF):
        type_half(page)
    other = new_page(chromium)
    at_desk(other, app.url)
    expect(other.get_by_label("Question")).to_have_value(HALF)
    other.context.close()


@pytest.mark.fault(33)
def test_while_the_server_is_away_a_banner_says_so_and_typing_goes_on(app: Served, cable: Cable, page: Page) -> None:
    at_desk(page, cable.url)
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.get_by_label("Question").fill("")
    page.get_by_label("Question").press_sequentially(HALF[:20])
    cable.pull()
    expect(page.locator(".benchwright-away")).to_contain_text("The server does not answer")
    while sum("_stcore/health" in url for url in failed) < 3:  # Streamlit's dialog comes with the first of them
        page.wait_for_timeout(100)
    assert not page.locator('[role="dialog"]:visible').count()
    expect(page.get_by_label("Question")).to_be_focused()
    page.keyboard.type(HALF[20:])
    assert question(page) == HALF
    with saving(page, HALF):
        cable.plug()
    expect(page.locator(".benchwright-away")).to_have_text("")
    expect(page.get_by_label("Question")).to_be_focused()
    page.keyboard.type("s")
    assert question(page) == f"{HALF}s"


@pytest.mark.fault(31, 33)
def test_in_a_plain_box_typing_goes_on_while_the_server_is_away_and_no_letter_decides(
    serve: Serve, workspace: Path, page: Page
) -> None:
    """Streamlit locks its boxes then, which takes the focus: the letters that follow were lost, or pressed the page's keys."""
    with Workbench.open(workspace) as bench:
        item = handed_in(bench)
    app = serve(workspace)
    line = Cable(int(app.url.rsplit(":", 1)[1]))
    sign(page, line.url)
    page.goto(f"{line.url}/phases")
    why, banner = page.get_by_label("Reason (optional"), page.locator(".benchwright-away")
    page.locator("[data-box-keys]").wait_for(state="attached")
    why.press_sequentially("an axiom ")
    line.pull()
    expect(banner).to_contain_text("The server does not answer")
    expect(why).to_be_focused()
    page.keyboard.type("nearly ")
    line.plug()
    expect(banner).to_have_text("")
    page.keyboard.type("exact")
    expect(why).to_have_value("an axiom nearly exact")
    page.keyboard.press("Escape")
    expect(why).not_to_be_focused()
    line.pull()
    expect(banner).to_contain_text("The server does not answer")
    expect(why).to_be_disabled()  # nobody types in it
    expect(why).not_to_be_focused()
    line.plug()
    expect(banner).to_have_text("")
    expect(why).to_have_value("an axiom nearly exact")
    until_still(page)  # it is drawn and hears its keys
    page.keyboard.press("a")
    expect(page.get_by_text("waits for another opinion")).to_be_visible()
    line.close()
    app.stop()
    with Workbench.open(workspace) as bench:
        [said] = phase_marks.load_marks(bench.database.rows, [item.id])[item.id, "labels"]
        assert said.comment == "an axiom nearly exact"


@pytest.mark.slow
@pytest.mark.fault(33)
def test_half_a_sentence_outlives_a_minute_without_a_connection(app: Served, cable: Cable, page: Page) -> None:
    page.clock.install()
    at_desk(page, cable.url)
    cable.pull()
    type_half(page)
    page.get_by_text("no connection", exact=False).first.wait_for()
    page.clock.run_for(MINUTE)
    assert question(page) == HALF
    with saving(page, HALF):
        cable.plug()
    assert question(page) == HALF
    page.reload()
    expect(page.get_by_label("Question")).to_have_value(HALF)


@pytest.mark.slow
@pytest.mark.fault(33)
def test_a_decision_pressed_without_a_connection_is_made_once_when_it_is_back(app: Served, cable: Cable, page: Page) -> None:
    at_desk(page, cable.url)
    item = str(page.locator("[data-desk-item]").get_attribute("data-desk-item"))
    cable.pull()
    page.keyboard.press("a")
    page.get_by_text("no connection", exact=False).first.wait_for()
    cable.plug()
    page.locator(f"[data-desk-item]:not([data-desk-item='{item}'])").wait_for()
    app.stop()
    with Workbench.open(app.workspace) as bench:
        assert items.get(bench.database, item).status == "accepted"
        decisions = bench.reviews.history(item, "Ada").decisions
        assert [(one.person, one.decision) for one in decisions] == [("Ada", "accept")]


@pytest.mark.fault(34)
def test_half_a_sentence_outlives_a_killed_server(app: Served, page: Page, serve: Serve) -> None:
    at_desk(page, app.url)
    with saving(page, HALF):
        type_half(page)
    app.kill()
    page.get_by_label("Question").press("End")
    page.get_by_label("Question").press_sequentially("tion")
    serve(app.workspace, port=int(app.url.rsplit(":", 1)[1]))
    page.reload()
    expect(page.get_by_label("Question")).to_have_value(f"{HALF}tion")


@pytest.mark.fault(29)
def test_two_tabs_on_one_item_lose_neither_text(app: Served, page: Page, chromium: Browser) -> None:
    at_desk(page, app.url)
    other = new_page(chromium)
    sign(other, app.url, "Bob")
    item = str(page.locator("[data-desk-item]").get_attribute("data-desk-item"))
    other.goto(f"{app.url}/review?item={item}")
    other.locator(f"[data-desk-item='{item}']").wait_for()
    other.locator(".held").get_by_text("Held by Ada until").wait_for()
    other.get_by_role("button", name="Take it over").click()
    other.locator("button.accept:enabled").wait_for()
    type_half(page)
    page.locator(".held").get_by_text("Held by Bob until").wait_for()
    page.get_by_label("Question").press("Control+Enter")
    page.locator(f"[data-desk-item]:not([data-desk-item='{item}'])").wait_for()
    expect(page.locator(".lost")).to_contain_text("Bob took over what you had open")
    hears_keys(page)
    page.keyboard.press("b")
    page.locator(f"[data-desk-item='{item}']").wait_for()
    assert question(page) == HALF, "nothing was decided, nothing was lost"
    page.get_by_role("button", name="Take it over").click()
    page.locator("button.accept:enabled").wait_for()
    assert question(page) == HALF
    page.get_by_label("Question").press("Control+Enter")
    page.locator(f"[data-desk-item]:not([data-desk-item='{item}'])").wait_for()
    other.get_by_label("Question").fill("What does Bob ask?")
    other.locator("button.accept:enabled").wait_for()
    other.get_by_label("Question").press("Control+Enter")
    expect(other.get_by_text("Ada took over the item that you had open.")).to_be_visible()  # and no other is free
    other.goto(f"{app.url}/review?item={item}")
    other.locator(".conflict").wait_for()
    assert HALF in other.locator(".conflict").inner_text()
    assert question(other) == "What does Bob ask?"
    other.context.close()
    app.stop()
    with Workbench.open(app.workspace) as bench:
        assert items.get(bench.database, item).question == HALF


@pytest.mark.fault(29)
def test_two_tabs_of_one_person_show_both_words_before_either_is_lost(app: Served, page: Page) -> None:
    at_desk(page, app.url)
    other = page.context.new_page()
    other.goto(page.url)
    other.locator("[data-desk-item]").wait_for()
    with saving(page, HALF):
        type_half(page)
    other.get_by_label("Question").fill("Quite another question?")
    conflict = other.locator(".conflict")
    conflict.get_by_text("in another tab", exact=False).wait_for()
    expect(conflict).to_contain_text(HALF)
    assert question(other) == "Quite another question?"
    other.get_by_role("button", name="Take the other").click()
    assert question(other) == HALF
    with saving(other, "Mine at last?"):
        other.get_by_label("Question").fill("Mine at last?")
    page.get_by_label("Question").press_sequentially("!")
    page.locator(".conflict").get_by_text("Mine at last?").wait_for()
    with saving(page, f"{HALF}!"):
        page.get_by_role("button", name="Keep mine").click()
    page.reload()
    expect(page.get_by_label("Question")).to_have_value(f"{HALF}!")


@pytest.mark.fault(32)
def test_half_a_sentence_outlives_another_page_of_the_menu(app: Served, page: Page) -> None:
    """Left at once, before the words were on their way."""
    at_desk(page, app.url)
    item = str(page.locator("[data-desk-item]").get_attribute("data-desk-item"))
    type_half(page)
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Guidelines").click()
    page.get_by_test_id("stHeading").filter(has_text="Guidelines").wait_for()
    page.goto(f"{app.url}/review?item={item}")
    expect(page.get_by_label("Question")).to_have_value(HALF)
