"""The page Board in the browser: a file of predictions is submitted and ranked, and the seal is opened."""

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from store.releases import seals
from tests.browser.conftest import Serve, sign, until_still
from workbench import Workbench


def test_a_file_is_submitted_ranked_and_the_seal_opened(serve: Serve, workspace: Path, page: Page, tmp_path: Path) -> None:
    with Workbench.open(workspace) as bench:
        bench.releases.freeze("v1", sealed=True)
        seal = seals.find(bench.database, bench.release_browser.find_header("v1").hash)
        assert seal is not None
        lines = [{"id": id_, "prediction": "perhaps"} for id_ in seal.public_ids.values()]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    app = serve(workspace)
    sign(page, app.url, "Lea")
    page.goto(f"{app.url}/sealed_board")
    page.get_by_label("System").fill("mine")
    page.get_by_label("System").press("Enter")
    page.locator('input[type="file"]').set_input_files(tmp_path / "p.jsonl")
    until_still(page)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_text("Submission 2 is on record; you may make 1 further submission now")).to_be_visible()
    until_still(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off at the side"
    page.get_by_text("Show the gold answers to everybody; this cannot be undone").click()
    page.get_by_role("button", name="Open the seal").click()
    expect(page.get_by_text("The seal of v1 is open")).to_be_visible()
    app.stop()
    with Workbench.open(workspace) as bench:
        view = bench.sealed_boards.view("v1")
        assert view.opened and view.opened.person == "Lea" and view.lines[0].rank == 1
