"""A rewrite in the real app: half a sentence outlives a reload, Ctrl+Enter stores it once and goes on, without a run of the
page's script."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from store.queue.kind import ItemKind
from store.variants import variants
from tests.browser.conftest import Serve, count_told, saving, sign, until_still
from workbench import Workbench

OWN = "Say, which release gave up on the old datum for the level of the water"


@pytest.mark.fault(30)
def test_typed_reloaded_and_stored_once_by_eight_presses(serve: Serve, workspace: Path, page: Page) -> None:
    served = serve(workspace)
    sign(page, served.url)
    page.goto(f"{served.url}/rewrite")
    sheet = page.locator("[data-rewrite-item]")
    sheet.wait_for()
    first = str(sheet.get_attribute("data-rewrite-item"))
    box = page.get_by_label("Your words")
    box.fill("Which firmware version is it, 4.0?")
    expect(page.get_by_text("contains the gold answer")).to_be_visible()
    box.press("Control+Enter")
    expect(page.get_by_role("alert").filter(has_text="Not stored")).to_be_visible()
    box.fill("")
    box.press_sequentially(OWN)
    expect(page.get_by_label("Live numbers")).to_contain_text("%")
    page.reload()
    expect(box).to_have_value(OWN)
    assert sheet.get_attribute("data-rewrite-item") == first
    box.press("End")
    box.press("?")
    expect(page.get_by_role("button", name="Store and next")).to_be_enabled()
    for _ in range(8):
        box.press("Control+Enter")
    expect(page.locator(f'[data-rewrite-item]:not([data-rewrite-item="{first}"])')).to_be_visible()
    expect(box).to_have_value("")
    expect(page.get_by_text("1 by you")).to_be_visible()
    expect(page.get_by_text("last rewrite stored")).to_be_visible()
    expect(page.get_by_role("button", name="Back")).to_be_enabled()
    expect(box).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    expect(page.locator(f'[data-rewrite-item="{first}"]')).to_be_visible()
    expect(page.get_by_text("Rewrites of this question")).to_be_visible()
    served.stop()
    with Workbench.open(workspace) as bench:
        [stored] = variants.list_variants(bench.database)
        assert (stored.text, stored.item, stored.generator) == (f"{OWN}?", first, "Ada")
        assert stored.checks["seconds"] > 0


@pytest.mark.fault(29)
def test_two_tabs_of_one_person_show_both_rewrites_before_either_is_lost(serve: Serve, workspace: Path, page: Page) -> None:
    served = serve(workspace)
    sign(page, served.url)
    page.goto(f"{served.url}/rewrite")
    page.locator("[data-rewrite-item]").wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    other.locator("[data-rewrite-item]").wait_for()
    with saving(page, OWN):
        page.get_by_label("Your words").fill(OWN)
    other.get_by_label("Your words").fill("Quite another one")
    told = other.locator(".other-words")
    expect(told).to_contain_text("in another tab")
    expect(told.locator(".theirs")).to_have_text(OWN)
    expect(other.get_by_label("Your words")).to_have_value("Quite another one")
    with saving(other, "Quite another one"):
        other.get_by_role("button", name="Keep mine").click()
    page.get_by_label("Your words").press("End")
    page.get_by_label("Your words").press("?")
    expect(page.locator(".other-words .theirs")).to_have_text("Quite another one")
    page.get_by_role("button", name="Take the other").click()
    expect(page.get_by_label("Your words")).to_have_value("Quite another one")
    expect(page.locator(".other-words")).to_have_count(0)


def standing(page: Page, item: str) -> None:
    """That question is on the screen, takes presses, and stands in the address."""
    expect(page.locator(f'[data-rewrite-item="{item}"]')).to_be_visible()
    expect(page.locator("button.next")).to_be_enabled()
    assert page.url.endswith(f"item={item}")


@pytest.mark.fault(32, 33)
def test_no_script_runs_from_question_to_question_until_what_stands_around_the_sheet_is_another(
    serve: Serve, workspace: Path, page: Page
) -> None:
    with Workbench.open(workspace) as bench:
        order = [str(bench.rewrites.find_next(ItemKind(), "Ada"))]
        while (item := bench.rewrites.find_next(ItemKind(), "Ada", order[-1])) not in (None, order[0]):
            order.append(str(item))
        tasks = [bench.rewrites.sheet(item, "Ada").item.task for item in order]
        bench.guidelines.save(tasks[0], "Ask for one fact.", by="Lea")
    of_task = next(n for n, task in enumerate(tasks) if task != tasks[0])
    assert of_task > 2
    served = serve(workspace)
    sign(page, served.url)
    told = count_told(page)
    page.goto(f"{served.url}/rewrite")
    standing(page, order[0])
    until_still(page)
    before = told()
    assert before, "what is told to Streamlit can be heard here"
    lost: list[str] = []

    def lose(route: Route) -> None:
        if len(lost) < 2:
            lost.append(str(route.request.post_data_json["key"]))
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/bench/rewrite/next", lose)
    page.get_by_label("Your words").fill("Half of a")
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    expect(page.get_by_text("the item is not here yet: no connection, trying again")).to_be_visible()
    standing(page, order[1])
    assert len(lost) == 2 and len(set(lost)) == 1, "it was told three times, and is one step"
    expect(page.get_by_label("Your words")).to_have_value("")
    page.get_by_label("Your words").fill(OWN)
    for _ in range(8):
        page.get_by_label("Your words").press("Control+Enter")
    standing(page, order[2])
    expect(page.locator(".bar .words")).to_have_text(f"1 by you, {len(order) - 1} left")
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    standing(page, order[3 % len(order)])
    page.keyboard.press("b")
    standing(page, order[2])
    assert told() == before, "no run of the script between them"

    page.keyboard.press("b")
    standing(page, order[1])
    expect(page.get_by_text("Rewrites of this question")).to_be_visible()
    assert told() > before
    standing(page, order[1])
    page.keyboard.press("b")
    standing(page, order[0])
    expect(page.get_by_label("Your words")).to_have_value("Half of a")
    expect(page.get_by_text("Rewrites of this question")).to_have_count(0)
    expect(page.get_by_text("Guideline, version 1")).to_be_visible()
    for item in order[2 : of_task + 1]:
        page.keyboard.press("n")
        standing(page, item)
    expect(page.get_by_text("Guideline, version 1")).to_have_count(0)
    until_still(page)
    standing(page, order[of_task])
    page.reload()
    standing(page, order[of_task])
    served.stop()
    with Workbench.open(workspace) as bench:
        assert [(one.item, one.text) for one in variants.list_variants(bench.database)] == [(order[1], OWN)]
