"""Contests in the browser: the button in index.html of an exported release, which works from a file, and the lead's queue."""

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve, sign, until_still
from workbench import Workbench
from workbench.release.contests import NewContest


def test_index_html_saves_contests_as_a_file_that_the_workspace_takes(workspace: Path, page: Page, tmp_path: Path) -> None:
    with Workbench.open(workspace) as bench:
        bench.releases.freeze("v1")
        bench.releases.export("v1", "jsonl", tmp_path / "out", withhold=["test"])
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text))
    page.goto((tmp_path / "out" / "index.html").as_uri())
    page.keyboard.press("c")
    expect(page.get_by_label("What is wrong")).to_be_focused()
    page.get_by_role("button", name="Collect, and contest more").click()
    expect(page.get_by_role("alert")).to_have_text("Say what is wrong, or propose an answer.")
    page.get_by_label("Proposed answer, if any").fill("Ada <b>Quill</b>")
    page.get_by_label("Reason").fill("See page 3.")
    page.get_by_label("Your name, if you like").fill("Zoe")
    page.get_by_role("button", name="Collect, and contest more").click()
    expect(page.get_by_role("status").filter(has_text="1 contest, not saved")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("c")
    page.get_by_label("Reason").fill("Which one?")
    page.get_by_label("What is wrong").select_option("unclear_question")
    for key in ("Escape", "k", "j"):  # to another item and back: the words stay
        page.keyboard.press(key)
    expect(page.get_by_label("Reason")).to_have_value("Which one?")
    page.get_by_label("Reason").click()
    with page.expect_download() as download:
        page.keyboard.press("Control+Enter")
    download.value.save_as(tmp_path / "saved.json")
    expect(page.get_by_role("status").filter(has_text="2 contests, saved")).to_be_visible()
    saved = json.loads((tmp_path / "saved.json").read_text(encoding="utf-8"))
    assert [one["kind"] for one in saved["contests"]] == ["wrong_answer", "unclear_question"] and not errors
    with Workbench.open(workspace) as bench:
        taken = bench.contests.take((tmp_path / "saved.json").read_bytes(), "saved.json")
        assert len(taken.new) == 2 and not taken.refused
        first = bench.contests.list_contests("v1")[0]
        assert (first.answer, first.reason, first.person) == ("Ada <b>Quill</b>", "See page 3.", "Zoe")


def test_a_lead_decides_by_keyboard(serve: Serve, workspace: Path, page: Page) -> None:
    with Workbench.open(workspace) as bench:
        bench.releases.freeze("v1")
        first, second = (one.id for one in bench.reviews.items(status="accepted")[:2])
        for item, answer in ((first, "Ada Quill"), (second, "")):
            bench.contests.submit("v1", NewContest(item=item, kind="wrong_answer", answer=answer, reason="See page 3."))
    app = serve(workspace)
    sign(page, app.url, "Lea")
    page.goto(f"{app.url}/contests")
    page.get_by_role("link").filter(has_text=_question(page)).first.click()
    answer = page.get_by_role("textbox", name="Answer", exact=True)
    expect(answer).to_have_value("Ada Quill")
    until_still(page)
    answer.click()
    page.keyboard.press("End")
    page.keyboard.type(" of Orvel")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text(f"The contest of {first} is accepted.")).to_be_visible()
    until_still(page)
    reason = page.get_by_role("textbox", name="Reason (needed to dismiss)")
    reason.fill("The deed says so.")
    page.reload()
    expect(reason).to_have_value("The deed says so.")
    until_still(page)
    page.keyboard.press("Alt+d")
    expect(page.get_by_text(f"The contest of {second} is dismissed.")).to_be_visible()
    app.stop()
    with Workbench.open(workspace) as bench:
        states = {one.item: (one.state, one.decisions[-1].person) for one in bench.contests.list_contests("v1")}
        assert states == {first: ("accepted", "Lea"), second: ("dismissed", "Lea")}
        assert bench.item_list.load_items([first])[0].answers[0] == "Ada Quill of Orvel"


def _question(page: Page) -> str:
    """The beginning of the first question in the list."""
    row = page.locator("tbody tr").first
    expect(row).to_be_visible()
    return row.locator("td").first.inner_text()[:20]
