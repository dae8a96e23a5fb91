"""The main job on the screen, from an empty workspace to one trace, in real Chromium; then what the store holds of it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from store.items import items
from store.reviews import reviews
from store.reviews.state import list_differences
from store.runs import runs
from tests.browser.conftest import Serve, sign, until_still
from workbench import Workbench

REVIEWED = 6
EDITED, DISCARDED, MOVED = 1, 3, 4
"""Which of the reviewed items is edited, discarded, given other evidence."""
ASKED = "What did a person ask here?"


@pytest.mark.slow
def test_the_main_job_from_samples_to_a_trace(serve: Serve, page: Page, tmp_path: Path) -> None:
    workspace = tmp_path / "main.duckdb"
    with Workbench.open(workspace) as bench:
        bench.corpus.load_samples()  # without the work that the button on the first page brings: this job makes its own
    app = serve(workspace)
    sign(page, app.url)
    page.goto(app.url)
    page.get_by_text("Items by domain").wait_for()

    by_hand = drafted_by_hand(page)
    drafted_in_bulk(page)
    seen = reviewed_by_keyboard(page)
    frozen(page)
    run = checked_quickly(page)
    traced(page)
    app.stop()

    with Workbench.open(workspace) as bench:
        found = [item for item in items.list_items(bench.database) if item.provenance.origin == "drafted"]
        assert {item.id for item in found if item.status != "refused"} == {by_hand, *seen}
        decided = reviews.load_effective(bench.database, [item.id for item in found])
        assert sorted(review.item for review in decided) == sorted([by_hand, *seen]), "only what was shown is decided, once"
        assert all(review.person == "Ada" and review.seconds and review.seconds > 0 for review in decided)
        now = {item.id: item for item in found}

        edited = now[seen[EDITED]]
        first, second = items.load_history(bench.database, [edited.id])
        assert (second.question, second.by, second.revision) == (ASKED, "Ada", 2)
        assert (first.by, first.revision) == ("offline", 1)
        assert first.question.endswith(("?", "？")) and first.question != ASKED

        (discard,) = [review for review in decided if review.decision == "discard"]
        assert discard.item == seen[DISCARDED]
        assert discard.reason == bench.reviews.desk(discard.item, "Ada").reasons[0]

        moved = now[seen[MOVED]]
        before = bench.reviews.desk(moved.id, "Ada").machine.evidence
        added = {(s.document, s.start, s.end) for s in moved.evidence} - {(s.document, s.start, s.end) for s in before}
        assert len(added) == 1 and moved.revision == 2
        assert {item.id for item in found if item.revision == 2} == {edited.id, moved.id}
        assert not list_differences(bench.database)

        assert [release.items for release in bench.release_browser.list_releases() if release.name == "v1"] == [
            40 + 1 + REVIEWED - 1
        ]
        assert len(runs.load_traces(bench.database, run)) == 12


def drafted_by_hand(page: Page) -> str:
    """One draft of the recorded agent, accepted; its id."""
    go(page, "Draft")
    choose(page, "Agent", "recorded")
    choose(page, "Domain", "tech")
    page.get_by_role("button", name="Sample context").click()
    page.get_by_role("button", name="Generate").click()
    item = another(page, "")
    page.locator("button.accept:enabled").wait_for()
    page.keyboard.press("a")
    page.get_by_text("Saved, revision 1").wait_for()
    return item


def drafted_in_bulk(page: Page) -> None:
    """A job, after its estimate."""
    page.get_by_text("In bulk").click()
    page.get_by_label("Items each").fill(str(REVIEWED))
    page.keyboard.press("Enter")
    settled(page)
    page.get_by_role("button", name="Estimate").click()
    page.get_by_role("button", name="Start the job").click()
    page.get_by_text(f"{REVIEWED} of {REVIEWED} drafted").first.wait_for(timeout=180_000)
    settled(page)  # the page draws itself anew when its job ends


def reviewed_by_keyboard(page: Page) -> list[str]:
    """All decided without a mouse, which only marks evidence in one; the ids in the order in which they stood there."""
    go(page, "Review")
    seen: list[str] = []
    for n in range(REVIEWED):
        seen.append(another(page, seen[-1] if seen else ""))
        page.locator("button.accept:enabled").wait_for()
        if n == EDITED:
            page.keyboard.press("q")
            page.keyboard.press("Control+a")
            page.keyboard.type(ASKED)  # holds letters that would decide
            page.keyboard.press("Control+Enter")
        elif n == DISCARDED:
            page.keyboard.press("x")
            page.keyboard.press("1")
            page.keyboard.press("Enter")
        else:
            if n == MOVED:
                mark_evidence(page)
            page.keyboard.press("a")
    page.get_by_text("Nothing waits for review").wait_for()
    return seen


def mark_evidence(page: Page) -> None:
    """Draws the mouse over a stretch of text that is not evidence yet."""
    rows = page.locator(".evidence .span-row")
    count = rows.count()
    block = page.locator(".sheet .block:not(:has(mark))").filter(has_text=re.compile(r"(\S+\s+){6}")).first
    block.scroll_into_view_if_needed()
    box = block.bounding_box()
    assert box
    page.mouse.move(box["x"] + 90, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 260, box["y"] + 12, steps=8)
    page.mouse.up()
    page.get_by_role("button", name="Add as evidence").click()
    rows.nth(count).wait_for()


def frozen(page: Page) -> None:
    go(page, "Freeze")
    page.get_by_label("Name", exact=True).fill("v1")
    page.keyboard.press("Enter")
    settled(page)
    page.get_by_role("button", name="Freeze").click()
    page.get_by_text("v1 is frozen").wait_for()


def checked_quickly(page: Page) -> str:
    """The quick check with the offline agent; the id of its first run."""
    go(page, "Run")
    choose(page, "Release", "v1")
    choose(page, "Agent", "offline")
    page.get_by_role("button", name="Start the quick check").click()
    page.get_by_role("link", name="Open in Results").click(timeout=180_000)
    page.get_by_role("heading", name="Results", level=2).wait_for()
    page.get_by_text("Mean over the answered questions, with its 95 % bootstrap interval").wait_for()
    return re.findall(r"run=([0-9a-f]+)", page.url)[0]


def traced(page: Page) -> None:
    """From the results to one question, and what was sent and found there."""
    page.get_by_test_id("stButtonGroup").get_by_text("Questions", exact=True).click()
    settled(page)
    page.get_by_role("link", name=re.compile(r"\?$")).first.click()
    page.get_by_role("heading", name="Traces", level=2).wait_for()
    page.get_by_text("Gold", exact=False).first.wait_for()


def settled(page: Page) -> None:
    """The rerun under way is over."""
    page.wait_for_timeout(150)
    until_still(page)


def go(page: Page, name: str) -> None:
    """By the menu, on a page that is drawn: what the first run still draws may take a press away."""
    link = page.get_by_test_id("stSidebarNavLink").filter(has_text=name).first
    link.wait_for()
    until_still(page)
    link.click()
    page.get_by_role("heading", name=name).first.wait_for()
    settled(page)


def choose(page: Page, label: str, option: str) -> None:
    """In a select box."""
    page.get_by_label(label, exact=True).click()
    page.get_by_role("option", name=option).first.click()
    settled(page)


def another(page: Page, before: str) -> str:
    """Waits until another item than that one stands on the desk; its id."""
    desk: Locator = page.locator(f"[data-desk-item]:not([data-desk-item='{before}'])")
    desk.wait_for()
    return str(desk.get_attribute("data-desk-item"))
