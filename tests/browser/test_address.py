"""A press that changes the address stays, although the timer of a fragment sends the address before it."""

import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.app_server import ROOT, known_port
from tests.waiting import until

APP = """
import streamlit as st

from pages.parts.ui.in_place import draw_in_place, redraw_page
from pages.parts.ui.in_url import begin_address, remember_address, switch_view


def ask_for_the_page():
    if st.session_state.pop("is_page", False):
        st.caption("waiting")
    else:
        redraw_page()


begin_address()
st.session_state["is_page"] = True
view = switch_view({"first": "First", "second": "Second"}, "views")
st.session_state["runs"] = st.session_state.get("runs", 0) + 1
st.text(f"{view} view")
st.text(f"run {st.session_state['runs']}")
st.button("Again")
if "quiet" not in st.query_params:
    draw_in_place(ask_for_the_page, every=0.2)()
remember_address()
"""


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """A page with two views and a timer that draws it anew."""
    (tmp_path / "app.py").write_text(APP)
    port = known_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", str(tmp_path / "app.py"), "--server.port", str(port)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    health = f"http://127.0.0.1:{port}/_stcore/health"

    def answers() -> bool:
        assert process.poll() is None
        try:
            return bool(urllib.request.urlopen(health, timeout=2).read())
        except OSError:
            return False

    until(answers)
    yield health.removesuffix("/_stcore/health")
    process.terminate()
    process.wait(60)


def hold_addresses(page: Page) -> list[bytes]:
    """Keep from the browser what the server says of the address of the second view; returns the held messages."""
    held: list[bytes] = []

    def connect(near: WebSocketRoute) -> None:
        far = near.connect_to_server()
        near.on_message(far.send)
        far.on_message(lambda m: held.append(m) if isinstance(m, bytes) and b"view=second" in m else near.send(m))

    page.route_web_socket("**/_stcore/stream", connect)
    return held


@pytest.mark.slow
def test_an_address_that_comes_late_takes_no_press_back(page: Page, url: str) -> None:
    held = hold_addresses(page)
    page.goto(url)
    page.get_by_text("Second").click()
    expect(page.get_by_text("second view")).to_be_visible()
    runs = page.get_by_text("run ")
    first = int(runs.inner_text().split()[1])
    page.get_by_text(re.compile(f"^run ({'|'.join(str(first + n) for n in range(3, 30))})$")).wait_for()  # drawn by the timer
    expect(page.get_by_text("second view")).to_be_visible()
    assert held and "view=" not in page.url


@pytest.mark.slow
def test_a_press_that_comes_with_a_late_address_takes_no_other_press_back(page: Page, url: str) -> None:
    held = hold_addresses(page)
    page.goto(f"{url}/?quiet=1")
    page.get_by_text("Second").click()
    expect(page.get_by_text("second view")).to_be_visible()
    page.get_by_text("Again").click()
    expect(page.get_by_text("run 3")).to_be_visible()
    expect(page.get_by_text("second view")).to_be_visible()
    assert held and "view=" not in page.url


@pytest.mark.slow
def test_going_back_right_after_a_press_shows_the_page_before_it(page: Page, url: str) -> None:
    page.goto(f"{url}/?quiet=1")
    page.get_by_text("Second").click()
    expect(page).to_have_url(re.compile("view=second"))
    expect(page.get_by_text("second view")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("first view")).to_be_visible()
    assert "view=" not in page.url
