"""Roles in the real app: what an annotator may not do a lead may, and whoever is removed while typing is told so and loses no
word."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from store.items import items
from tests.browser.conftest import Serve, Served, new_page, saving, sign
from workbench import Workbench

TYPED = "Which firmware did Ann have in mind when"


@pytest.fixture
def app(samples: Path, tmp_path: Path, serve: Serve) -> Served:
    """Two drafts wait; Ada is the admin, Lea leads, Ann annotates."""
    path = Path(shutil.copy(samples, tmp_path / "w.duckdb"))
    with Workbench.open(path) as bench:
        sample = items.get(bench.database, bench.reviews.items(task="explicit_factoid")[0].id)
        made = [replace(sample, id=name, question=f"Which one is {name}?", status="drafted") for name in ("one", "two")]
        items.add(bench.database, made)
        for person, role in (("Ada", "admin"), ("Lea", "lead"), ("Ann", "annotator")):
            bench.people.give(person, role)  # type: ignore[arg-type]
    return serve(path)


def at(page: Page, url: str, name: str, address: str) -> Page:
    sign(page, url, name)
    page.goto(f"{url}/{address}")
    return page


@pytest.mark.fault(40)
def test_an_annotator_is_refused_a_lead_is_not_and_whoever_is_removed_keeps_their_words(
    app: Served, page: Page, chromium: Browser
) -> None:
    lea = new_page(chromium)
    at(page, app.url, "Ann", "review")
    page.locator("button.accept:enabled").wait_for()
    mine = page.locator("[data-desk-item]").get_attribute("data-desk-item")
    expect(page.get_by_role("link", name="Freeze")).to_have_count(0)
    expect(page.get_by_role("button", name="Who holds what")).to_have_count(0)
    page.get_by_label("Question").fill("")
    with saving(page, TYPED):
        page.get_by_label("Question").press_sequentially(TYPED)

    at(lea, app.url, "Lea", "browse")
    expect(lea.get_by_role("link", name="Freeze")).to_have_count(0)
    expect(lea.get_by_text("may not see releases")).to_have_count(0)
    lea.goto(f"{app.url}/review")
    lea.get_by_role("button", name="Who holds what").click()
    lea.get_by_text(f"Which one is {mine}?").first.wait_for()
    lea.goto(f"{app.url}/people")
    lea.get_by_text("Choose somebody").wait_for()
    lea.locator("[data-testid=stDataFrame] .dvn-scroller").click(position={"x": 18, "y": 35 * 2 + 18})
    lea.get_by_role("button", name="End their work here").click()
    lea.get_by_role("button", name="End it").click()
    lea.get_by_text("Ann's work here has ended. All of their work stays.").wait_for()

    page.keyboard.press("Control+Enter")
    page.get_by_text("Ann's work here has ended: what was done stays and counts.", exact=False).wait_for()
    expect(page.get_by_label("Question")).to_have_value(TYPED)
    page.goto(f"{app.url}/browse?release=v1")
    page.get_by_text("Ann's work here has ended", exact=False).wait_for()
    page.goto(f"{app.url}/review?item={mine}")
    expect(page.get_by_label("Question")).to_have_value(TYPED)

    lea.get_by_role("button", name="Bring back").click()
    lea.get_by_text("Ann can work here again.").wait_for()
    page.goto(f"{app.url}/freeze")
    page.get_by_text("Ann is an annotator here and may not see releases: ask a lead, a researcher or an admin.").wait_for()
    lea.context.close()
    app.stop()
    with Workbench.open(app.workspace) as bench:
        assert items.get(bench.database, str(mine)).status == "drafted"
