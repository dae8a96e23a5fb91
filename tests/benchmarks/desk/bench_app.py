"""The app at size: a click on a page of the menu until it stands, and a decision until the next item stands, with 100,000 items
against 1,000, in real Chromium."""

import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from builders.drafting.samples import sample_documents, sample_items
from store.corpus import documents
from store.items import items
from tests.app_server import started
from tests.browser.chromium import FLAGS, find_chromium
from workbench import Workbench

SIZES = (1_000, 100_000)
TARGET = 2.0
"""Times as long, at most."""
ROUNDS = 7
PAGES = {
    "Home": "",
    "Corpus": "corpus",
    "Draft": "draft",
    "Review": "review",
    "Freeze": "freeze",
    "Releases": "browse",
    "Run": "run",
    "Results": "results",
    "Traces": "traces",
    "Jobs": "jobs",
}
STATUSES = ("accepted", "accepted", "accepted", "drafted", "discarded")
STANDS = '[data-testid="stApp"][data-test-script-state="notRunning"]'


def fill(path: Path, size: int) -> None:
    """A workspace of so many items over the sample documents: most accepted and frozen, a fifth waiting."""
    with Workbench.open(path) as bench:
        found = sample_documents()
        documents.add(bench.database, found)
        models = sample_items(found)
        made = [
            replace(
                models[n % len(models)],
                id=f"item-{n}",
                question=f"{models[n % len(models)].question} ({n})",
                status=STATUSES[n % len(STATUSES)],
            )
            for n in range(size)
        ]
        items.add(bench.database, made)  # type: ignore[arg-type]
        bench.releases.freeze("v1")


def clicks(page: Page, url: str) -> dict[str, float]:
    """Median seconds a page."""
    page.goto(url)
    page.locator(STANDS).wait_for()
    took: dict[str, list[float]] = {name: [] for name in PAGES}
    for _ in range(ROUNDS):
        for name, path in PAGES.items():
            page.get_by_test_id("stSidebarNavLink").filter(has_text=name).first.click(trial=True)
            began = time.perf_counter()
            page.get_by_test_id("stSidebarNavLink").filter(has_text=name).first.click()
            page.wait_for_url(lambda at, path=path: path in at)
            page.get_by_test_id("stHeading").filter(has_text=name).first.wait_for()
            page.locator(STANDS).wait_for()
            took[name].append(time.perf_counter() - began)
    return {name: statistics.median(values[1:]) for name, values in took.items()}


def decisions(page: Page, url: str) -> float:
    """Median seconds from a press on Accept until another item stands."""
    page.goto(f"{url}/review")
    took = []
    for _ in range(ROUNDS + 1):
        page.locator("[data-desk-item]").wait_for()
        before = page.locator("[data-desk-item]").get_attribute("data-desk-item")
        page.wait_for_timeout(400)
        began = time.perf_counter()
        page.keyboard.press("a")
        page.locator(f"[data-desk-item]:not([data-desk-item='{before}'])").wait_for()
        took.append(time.perf_counter() - began)
    return statistics.median(took[1:])


def measured(browser: Any, size: int) -> dict[str, float]:
    """Everything at one size."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder) / "w.duckdb"
        fill(workspace, size)
        served = started(workspace, workspace.with_suffix(".log"), is_forked=True)
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        try:
            context.add_cookies([{"name": "benchwright_person", "value": "Ada", "url": served.url}])
            page = context.new_page()
            found = clicks(page, served.url)
            found["a decision, to the next item"] = decisions(page, served.url)
        finally:
            context.close()
            served.stop()
        return found


def main() -> None:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find_chromium(), headless=True, args=list(FLAGS))
        small, large = (measured(browser, size) for size in SIZES)
        browser.close()
    print(f"{'click to screen (ms)':<40}{SIZES[0]:>10,}{SIZES[1]:>10,}{'ratio':>8}{'target':>8}  held")
    for name, value in small.items():
        ratio = large[name] / value
        held = "yes" if ratio <= TARGET else "no"
        print(f"{name:<40}{value * 1e3:>10.0f}{large[name] * 1e3:>10.0f}{ratio:>8.2f}{TARGET:>8.1f}  {held}")


if __name__ == "__main__":
    main()
