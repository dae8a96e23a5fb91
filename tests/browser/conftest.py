"""The real app in real Chromium."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.app_server import ROOT, Serve, Served, free_port

__all__ = ["ROOT", "Serve", "Served", "free_port", "sign"]
expect.set_options(timeout=20_000)  # milliseconds, on a machine that does other things too
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of one file run one after the other in one process: they share a browser, and often a server."""
    for item in items:
        if item.path.parent == ROOT / "tests" / "browser":
            item.add_marker(pytest.mark.xdist_group(item.path.name))


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """$CHROMIUM, or the chromium on PATH. It ends with the file: its event loop stands in the way of asynchronous tests."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not found:
        pytest.fail("No chromium: `apt-get install chromium`, or set CHROMIUM to its path.")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, headless=True, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A browser of Ada's, its window 1280 x 900; a test fails on any error on its console, and on any request that leaves this
    machine."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda m: wrong.append(m.text) if m.type == "error" and "Content Security" in m.text else None)
    page.on("request", lambda r: wrong.append(r.url) if r.url.startswith("http") and "//127.0.0.1" not in r.url else None)
    yield page
    context.close()
    assert not wrong, wrong


def sign(page: Page, url: str, name: str = "Ada") -> None:
    """The name that this browser remembers."""
    page.context.add_cookies([{"name": "benchwright_person", "value": name, "url": url}])
