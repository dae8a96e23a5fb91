"""A job at work in the real app: seen and stopped from another tab, and gone on with; a file dropped on the corpus page."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Serve, sign, until_still
from tests.openai_server import running
from workbench import Workbench

ASKED = {
    "task": "explicit_factoid",
    "domain": "all",
    "count": 12,
    "agent": "openai:mock",
    "seed": 1,
    "budget": None,
    "settings": {"agent.concurrency": 1},
}


def press(page: Page, job: str, name: str) -> None:
    """A button of the job's card."""
    page.locator(f".st-key-job_{job}_{name} button").first.click()


def state(page: Page, word: str) -> Locator:
    """The badge on a card that says so."""
    return page.locator(".stMarkdownBadge", has_text=re.compile(f"^{word}$")).first


def drop_files(page: Page, paths: Sequence[Path], button: Locator) -> None:
    """Drop these files and wait until `button` works. An upload that never begins is rare and has not been explained: the
    failure tells what the browser and the server said to each other."""
    traffic: list[str] = []
    page.on("response", lambda reply: traffic.append(f"{reply.status} {reply.request.method} {reply.url[-120:]}"))
    page.on("requestfailed", lambda asked: traffic.append(f"failed {asked.method} {asked.url[-120:]}: {asked.failure}"))
    page.on("websocket", lambda socket: traffic.append("connected again"))
    until_still(page)
    box = page.get_by_test_id("stFileUploader").first
    box.locator("input[type=file]").set_input_files(paths)
    try:
        expect(button).to_be_enabled()
    except AssertionError as error:
        error.add_note(f"The box: {box.inner_text()!r}. Traffic: {[said for said in traffic if '/static/' not in said]}")
        raise


def test_a_job_is_paused_from_another_tab_goes_on_and_is_cancelled(
    page: Page, serve: Serve, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running([{"from": 4, "fault": "hold"}]) as endpoint:  # held, so that the job is at work until a button was pressed
        environment = {"OPENAI_BASE_URL": endpoint.url, "OPENAI_API_KEY": "none"}
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        with Workbench.open(workspace) as bench:
            job = bench.drafts.plan(**ASKED)  # type: ignore[arg-type]
        app = serve(workspace, env=environment)
        sign(page, app.url)
        page.goto(f"{app.url}/jobs?job={job}")
        press(page, job, "resume")
        expect(state(page, "Running")).to_be_visible()
        expect(page.get_by_text(re.compile("[123] of 12 drafted")).first).to_be_visible()
        if os.environ.get("SHOTS"):
            page.screenshot(path=f"{os.environ['SHOTS']}/running.png")
        other = page.context.new_page()
        other.goto(f"{app.url}/jobs")
        press(other, job, "pause")
        expect(state(page, "Pausing")).to_be_visible()
        endpoint.script([{"from": 7, "fault": "hold"}])
        expect(state(page, "Paused")).to_be_visible()
        press(page, job, "resume")
        expect(state(page, "Running")).to_be_visible()
        press(page, job, "cancel")
        press(page, job, "yes")
        expect(state(page, "Cancelling")).to_be_visible()
        endpoint.script([])
        expect(state(page, "Cancelled")).to_be_visible()
        expect(page.locator(f".st-key-job_{job}_resume")).to_have_count(0)
        asked = endpoint.count()["requests"]
        app.stop()
        with Workbench.open(workspace) as bench:
            row = bench.upkeep.job(job)
            assert row.state == "cancelled"
            assert 6 <= row.calls <= asked, "every answered call is in the ledger; the held ones were broken off"
            assert 0 < row.done < 12 and row.seconds > 0


def test_dropped_files_come_in_and_say_what_was_refused(page: Page, serve: Serve, workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Tides\n\nThe tide rises twice a day.\n")
    (tmp_path / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    app = serve(workspace)
    sign(page, app.url)
    page.goto(f"{app.url}/corpus")
    page.get_by_text("Add documents").click()
    add = page.get_by_role("button", name="Add", exact=True)
    drop_files(page, [tmp_path / "notes.md", tmp_path / "picture.csv"], add)
    add.click()
    expect(page.get_by_text("1 added, 0 already there, 1 refused.").first).to_be_visible()
    expect(page.get_by_text("picture.csv is a PNG image")).to_be_visible()
    app.stop()
    with Workbench.open(workspace) as bench:
        assert [d.origin for d in bench.corpus.load_documents() if d.title == "Tides"] == ["notes.md"]
