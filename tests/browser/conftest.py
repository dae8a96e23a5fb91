"""The real app in real Chromium."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, ViewportSize, expect, sync_playwright

from tests.app_server import ROOT, Serve, Served, known_port
from tests.browser.at_desk import Open, Tap, ready
from tests.browser.chromium import TEST_FLAGS, find_chromium

__all__ = ["ROOT", "Serve", "Served", "count_told", "new_page", "saving", "sign", "until_still"]
LONG = 60_000
"""Milliseconds that anything has to appear, on a machine that does other things too."""
expect.set_options(timeout=LONG)
VIEWPORT: ViewportSize = {"width": 1280, "height": 900}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """The report of a failed test says where its page was, and whether the page was connected to the app."""
    report: Any = yield
    page = getattr(item, "funcargs", {}).get("page")
    if report.when == "call" and report.failed and page is not None:
        app = page.locator('[data-testid="stApp"]')
        state = app.evaluate("app => JSON.stringify(app.dataset)", timeout=5_000) if app.count() else "no app"
        report.sections.append(("The page", f"{page.url} {state}"))
    return report


@pytest.fixture(scope="module")
def driver() -> Iterator[Playwright]:
    """Playwright. It ends with the file: its event loop stands in the way of asynchronous tests."""
    with sync_playwright() as play:
        yield play


@pytest.fixture(scope="session")
def program() -> str:
    """The path of Chromium."""
    found = find_chromium()
    if not found:
        pytest.fail("No chromium: `apt-get install chromium`, or set CHROMIUM to its path.")
    return found


@pytest.fixture(scope="module")
def chromium(driver: Playwright, program: str) -> Iterator[Browser]:
    """A browser for further people, see `new_page`."""
    browser = driver.chromium.launch(executable_path=program, headless=True, args=list(TEST_FLAGS))
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which Chromium keeps compiled scripts: with them a page takes half the time."""
    return tmp_path_factory.mktemp("profile")


@pytest.fixture(scope="module")
def window(driver: Playwright, program: str, profile: Path) -> Iterator[BrowserContext]:
    """The browser of `page`, its window 1280 x 900."""
    with driver.chromium.launch_persistent_context(
        profile, executable_path=program, headless=True, args=list(TEST_FLAGS), viewport=VIEWPORT
    ) as window:
        window.set_default_timeout(LONG)
        yield window


@pytest.fixture
def page(window: BrowserContext) -> Iterator[Page]:
    """A page of Ada's browser, which remembers nothing; a test fails on any error on its console, and on any request that
    leaves this machine."""
    page = window.new_page()
    wrong: list[str] = []
    origins: set[str] = set()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda m: wrong.append(m.text) if m.type == "error" and "Content Security" in m.text else None)
    page.on("request", lambda r: wrong.append(r.url) if r.url.startswith("http") and "//127.0.0.1" not in r.url else None)
    page.on("framenavigated", lambda frame: origins.add("/".join(frame.url.split("/", 3)[:3])))
    yield page
    for other in window.pages[1:]:  # the browser ends with its last page
        other.close()
    window.clear_cookies()
    devtools = window.new_cdp_session(window.pages[0])
    for origin in origins:
        devtools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "local_storage,indexeddb"})
    devtools.detach()
    assert not wrong, wrong


@pytest.fixture(scope="module")
def desk_url() -> Iterator[str]:
    """The desk's test app, for all tests of this file."""
    port = known_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "tests/browser/desk_bench/app.py", "--server.port", str(port)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    address = f"http://127.0.0.1:{port}"
    for _ in range(1200):
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=2).read()
            break
        except OSError:
            assert process.poll() is None
            time.sleep(0.1)
    yield address
    process.send_signal(signal.SIGTERM)
    process.wait(60)


@pytest.fixture
def tap(desk_url: str) -> Tap:
    """tap() tells what arrived; tap(fail=2) sets how the routes behave. A test begins on a fresh bench."""

    def turn(**fields: Any) -> dict[str, Any]:
        body = json.dumps(fields).encode() if fields else None
        request = urllib.request.Request(f"{desk_url}/bench/tap", body, {"content-type": "application/json"})
        return dict(json.loads(urllib.request.urlopen(request, timeout=60).read()))

    turn(reset=True)
    return turn


@pytest.fixture
def desk(page: Page, desk_url: str, tap: Tap) -> Open:
    """desk(3) opens item 3, its document drawn and its keys alive."""

    def show(number: int = 1) -> Page:
        page.goto(f"{desk_url}/?item={number}")
        ready(page)
        return page

    return show


def new_page(chromium: Browser) -> Page:
    """A page in a browser of its own, its window 1280 x 900."""
    context = chromium.new_context(viewport=VIEWPORT)
    context.set_default_timeout(LONG)
    return context.new_page()


@contextmanager
def saving(page: Page, words: str) -> Iterator[None]:
    """Waits at the end of the block until the server has stored these words: on a slow machine a half of what is typed is
    stored first, and the page says "saved" to that too."""
    with page.expect_response(lambda reply: reply.ok and "/scratch" in reply.url and words in str(reply.request.post_data)):
        yield


def count_told(page: Page) -> Callable[[], int]:
    """A function that says how often this page has told Streamlit something since now: each time a script runs."""
    told: list[object] = []

    def hear(frame: object) -> None:
        told.append(frame)

    page.on("websocket", lambda socket: socket.on("framesent", hear))
    return lambda: len(told)


def until_still(page: Page) -> None:
    """Wait until no script runs for this page."""
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()


def sign(page: Page, url: str, name: str = "Ada") -> None:
    """The name that this browser remembers."""
    page.context.add_cookies([{"name": "benchwright_person", "value": name, "url": url}])
