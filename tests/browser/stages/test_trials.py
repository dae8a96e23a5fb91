"""Pairs of a prompt trial in a real browser: decided on by keys, and no typed word is lost by a reload."""

from pathlib import Path

from playwright.sync_api import Page, expect

import jobs
from prompts.prompt import read_delivered
from store.drafting import trials
from tests.browser.conftest import Serve, sign
from workbench import Workbench
from workbench.build.trials.trials import TrialPlan, TrialSide

NAME = "draft/explicit_factoid"


def test_pairs_are_decided_by_keys_and_typed_words_outlive_a_reload(serve: Serve, workspace: Path, page: Page) -> None:
    with Workbench.open(workspace) as bench:
        version = bench.prompts.save(NAME, read_delivered(NAME).replace("You write questions", "You write hard ones"), by="Lea")
        assert version
        plan = TrialPlan("explicit_factoid", "law", "en", 2, 7, TrialSide("offline", None), TrialSide("offline", version.hash))
        trial = jobs.start(bench).submit(bench.trials.start(plan, None, "Lea")).result()["trial"]
        jobs.stop(bench)
    app = serve(workspace)
    sign(page, app.url)
    page.goto(f"{app.url}/trials?trial={trial}")
    expect(page.get_by_text("Pair 1 of 2")).to_be_visible()
    left, right = page.locator("[data-place=left]"), page.locator("[data-place=right]")
    expect(page.locator(".paper .marked").first).to_be_visible()
    save = page.get_by_role("button", name="Save and next")
    expect(save).to_be_disabled()

    first = page.locator("[data-subject]").get_attribute("data-subject")
    left.get_by_label("question of draft 1").fill("Whose words are these?")
    page.keyboard.press("Control+Enter")
    expect(left.locator(".state")).to_have_text("Accept, edited")
    expect(right).to_have_class("draft taken")
    page.reload()
    expect(left.get_by_label("question of draft 1")).to_have_value("Whose words are these?")
    expect(left.locator(".state")).to_have_text("Accept, edited")

    page.keyboard.press("2")
    page.keyboard.press("x")
    page.keyboard.press("1")
    expect(right.locator(".state")).to_contain_text("Discard: ")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Pair 2 of 2 · 1 decided on")).to_be_visible()
    expect(left.locator(".state")).to_have_text("")  # and its drafts stand there

    for key in ("u", "a"):  # what is chosen while the pair before is awaited is chosen nowhere
        page.keyboard.press(key)
    expect(page.get_by_text("Pair 1 of 2 · 0 decided on")).to_be_visible()
    page.locator(f"[data-subject='{first}']").wait_for()
    for key in ("1", "a", "2", "a", "0"):
        page.keyboard.press(key)
    expect(save).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Pair 2 of 2 · 1 decided on")).to_be_visible()
    expect(left.locator(".state")).to_have_text("")  # and its drafts stand there
    for key in ("1", "a", "2", "a"):
        page.keyboard.press(key)
    expect(save).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Every pair is decided.")).to_be_visible()
    app.stop()
    with Workbench.open(workspace) as bench:
        given = list(trials.load_answers(bench.database, trial).values())
        assert len(given) == 2 and given[0].person == "Ada" and given[0].preference == "same"
        assert all((one.seconds or 0) >= 0 for one in given)
