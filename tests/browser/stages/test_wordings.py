"""Query variations on the screen, from six questions to the page Robustness, in real Chromium: they are varied, the variants
reviewed, two of them rewritten by two people each, a release frozen, and two systems asked in every wording."""

import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from core.nouns import Variant
from store.reviews.state import list_differences
from store.runs import runs
from store.variants import variants
from tests.browser.conftest import Serve, new_page, sign
from tests.browser.test_main_job import choose, go, settled
from workbench import Workbench

ITEMS, KINDS = 6, ("spelling", "imperative")
DISCARDED, EDITED = 7, 4
"""Which of the variants in the queue are discarded and edited."""
WORDS = {"Ada": "Say, {n}: what would one answer to this, put quite another way", "Bo": "Tell me in a word, {n}, dear machine"}
NAMES = {"Closed book": "closed_book", "Memory": "memory"}
"""What a system is called on the screen and in a command."""
LONG = 400_000
"""Milliseconds, on a loaded machine."""


@pytest.fixture
def six(workspace: Path) -> Path:
    """The samples with six accepted questions in English; the others wait no more."""
    with Workbench.open(workspace) as bench:
        found = bench.reviews.items(status="accepted")
        english = [one.id for one in found if one.language == "en"][:ITEMS]
        for one in found:
            if one.id not in english:
                bench.reviews.decide(one.id, "discard", person="Lea", reason="not of these")
    return workspace


@pytest.mark.slow
@pytest.mark.timeout(900)  # one minute alone, seven beside a whole suite on an overloaded machine
def test_from_six_questions_to_the_page_robustness(serve: Serve, six: Path, page: Page, chromium: Browser) -> None:
    app = serve(six)
    sign(page, app.url)
    page.goto(app.url)
    varied(page)
    seen = reviewed(page)
    for person in WORDS:
        rewritten(person, app.url, chromium)
    frozen(page)
    looked_at(page, app.url, [ran(page, app.url, system) for system in NAMES])
    app.stop()
    with Workbench.open(six) as bench:
        by_status = {
            status: variants.list_variants(bench.database, status=status) for status in ("drafted", "accepted", "discarded")
        }
        assert not by_status["drafted"] and len(seen) == ITEMS * len(KINDS) == len(set(seen))
        machine = [v for v in by_status["accepted"] if v.kind != "human"]
        assert len(machine) == ITEMS * len(KINDS) - 1
        assert {v.id for v in by_status["discarded"]} == {seen[DISCARDED], seen[EDITED]}
        [edit] = [v for v in machine if "edited" in v.checks]
        assert edit.checks["edited"]["of"] == seen[EDITED] and edit.checks["edited"]["by"] == "Ada"
        assert rewrites_of(by_status["accepted"]) == {2: 2}, "two questions, each in the words of two people"
        [release] = [one for one in bench.release_browser.list_releases() if one.name == "v1"]
        assert (release.items, release.variants) == (ITEMS, len(machine) + 4)
        asked = ITEMS + release.variants
        assert [len(runs.load_traces(bench.database, run.id)) for run in runs.list_runs(bench.database, "v1")] == [asked] * len(
            NAMES
        )
        assert not list_differences(bench.database) and bench.releases.verify("v1").ok


def varied(page: Page) -> None:
    """Six questions in two kinds, by nlpaug and the offline agent."""
    go(page, "Vary")
    for kind in KINDS[1:]:
        page.get_by_text(kind.capitalize(), exact=True).click()
        settled(page)
    choose(page, "Agent", "offline")
    page.get_by_role("button", name=f"Make {ITEMS * len(KINDS)} variants").click(timeout=LONG)
    page.get_by_role("button", name="Show the variants made").click(timeout=LONG)
    settled(page)


def reviewed(page: Page) -> list[str]:
    """All by keys; the ids in the order in which they stood there."""
    go(page, "Variants")
    seen: list[str] = []
    for n in range(ITEMS * len(KINDS)):
        seen.append(standing(page, seen[-1] if seen else ""))
        page.keyboard.press("y")
        page.keyboard.press("o" if n == DISCARDED else "y")
        if n == EDITED:
            page.keyboard.press("w")
            page.get_by_label("Your words").fill("Which one would it be, then, if one asked by hand")
            page.keyboard.press("Control+Enter")
            continue
        page.keyboard.press("Enter")
        if n == DISCARDED:
            page.keyboard.press("Enter")
    expect(page.get_by_text("No variant waits for you")).to_be_visible()
    return seen


def standing(page: Page, before: str) -> str:
    """The variant on the screen, once it is another than that one and takes a press."""
    sheet = page.locator(f"[data-variant-item]:not([data-variant-item='{before}'])")
    sheet.wait_for()
    expect(page.get_by_role("button", name="Accept")).to_be_enabled()
    return str(sheet.get_attribute("data-variant-item"))


def rewritten(person: str, url: str, chromium: Browser) -> None:
    """The first two questions in that person's own words."""
    page = new_page(chromium)
    sign(page, url, person)
    page.goto(f"{url}/rewrite")
    for n in range(2):
        expect(page.get_by_text(f"{n} by you")).to_be_visible()
        page.locator("[data-rewrite-item]").wait_for()
        box = page.get_by_label("Your words")
        expect(box).to_have_value("")
        expect(page.get_by_role("button", name="Store and next")).to_be_enabled()
        box.fill(WORDS[person].format(n=("first", "second")[n]))
        box.press("Control+Enter")
    expect(page.get_by_text("2 by you")).to_be_visible()
    page.context.close()


def frozen(page: Page) -> None:
    go(page, "Freeze")
    expect(page.get_by_text(re.compile(rf"{ITEMS * len(KINDS) + 3} variants go in; left out: 2 discarded"))).to_be_visible()
    page.get_by_label("Name", exact=True).fill("v1")
    page.keyboard.press("Enter")
    settled(page)
    page.get_by_role("button", name="Freeze").click()
    page.get_by_text("v1 is frozen").wait_for()


def ran(page: Page, url: str, system: str) -> str:
    """That system on every wording; the run's id. Each choice is waited for in the command that the page shows."""
    page.goto(f"{url}/run?run_view=Full+run")
    settled(page)
    for label, option, said in (
        ("Release", "v1", "run v1"),
        ("System", system, f"--system {NAMES[system]}"),
        ("Agent", "offline", "--agent offline"),
    ):
        choose(page, label, option)
        page.get_by_test_id("stCode").filter(has_text=said).first.wait_for()
    page.get_by_text("With variants", exact=True).click()
    page.get_by_test_id("stCode").filter(has_text="--variants").first.wait_for()
    settled(page)
    page.get_by_role("button", name="Start the run").click()
    link = page.get_by_role("link", name="Open in Results")
    link.wait_for(timeout=LONG)
    return re.findall(r"run=([0-9a-f]+)", str(link.get_attribute("href")))[0]


def looked_at(page: Page, url: str, ids: list[str]) -> None:
    """The systems side by side, the families of one that break most, and a figure as a picture."""
    page.goto(f"{url}/robustness?{'&'.join(f'run={run}' for run in ids)}")
    expect(page.get_by_text(f"{ITEMS} items; 2 of them were asked with every kind of question variant")).to_be_visible()
    table = page.get_by_role("table").first
    for kind in (*KINDS, "human"):
        expect(table).to_contain_text(kind)
    page.get_by_test_id("stButtonGroup").get_by_text("Worst families").click()
    settled(page)
    expect(page.get_by_role("table").first).to_contain_text("?")
    page.goto(f"{url}/robustness?{'&'.join(f'run={run}' for run in ids)}&view=paper&preset=query_variations_fig14")
    picture = page.get_by_role("button", name="PNG").first
    picture.wait_for(timeout=LONG)
    with page.expect_download() as loaded:
        picture.click()
    with Image.open(loaded.value.path()) as drawn:
        assert loaded.value.suggested_filename.endswith(".png") and drawn.format == "PNG" and drawn.width == 2 * 840
        assert len(drawn.convert("RGB").getcolors(1 << 24) or []) > 8, "lines and letters are on it"


def rewrites_of(found: list[Variant]) -> dict[int, int]:
    """How many people rewrote a question -> how many such questions."""
    by_item: dict[str, set[str]] = {}
    for variant in found:
        if variant.kind == "human":
            by_item.setdefault(variant.item, set()).add(variant.generator)
    people = [len(names) for names in by_item.values()]
    return {n: people.count(n) for n in set(people)}
