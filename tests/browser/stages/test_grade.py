"""Answers graded in a real browser: by keys alone, and neither a chosen mark nor a typed comment is lost by a reload."""

from pathlib import Path

from playwright.sync_api import Page, expect

import jobs
from store.runs import grades
from tests.browser.conftest import Serve, sign
from tests.workbench.graded import begin, run_of, runs_in
from workbench import Workbench


def test_answers_are_graded_by_keys_and_nothing_is_lost_by_a_reload(serve: Serve, workspace: Path, page: Page) -> None:
    with Workbench.open(workspace) as bench:
        runs = runs_in(bench)
        batch = begin(bench, runs, each=1, by="", graders=2)
        for place in grades.load_places(bench.database, batch)[:1]:
            bench.grading_desk.mark(batch, place.key, "Bob", "b", "incorrect", comment="a year too early")
        first, second = (p.key for p in grades.load_places(bench.database, batch))
        jobs.stop(bench)
    app = serve(workspace)
    sign(page, app.url)

    def at(words: str) -> None:
        """That answer is on the screen, and its keys are alive."""
        expect(page.get_by_text(words)).to_be_visible()
        expect(page.get_by_role("button", name="Later")).to_be_enabled()

    page.goto(f"{app.url}/grade?batch={batch}")
    at("Answer 1 of 2 · you have graded 0")
    chosen, save = page.locator(".mark.chosen .name"), page.get_by_role("button", name="Save and next")
    expect(page.locator(".asked .question")).to_be_visible()
    expect(page.locator(".answered .answer")).to_be_visible()
    expect(save).to_be_disabled()
    for secret in ("oracle", "echo", "a year too early", *runs):
        assert secret not in page.content(), f"{secret} is told"

    page.keyboard.press("3")
    expect(chosen).to_have_text("3missing")
    page.keyboard.press("2")
    expect(chosen).to_have_text("2acceptable")
    page.keyboard.press("c")
    page.keyboard.type("names 2 of 3 causes")
    page.reload()
    expect(chosen).to_have_text("2acceptable")
    expect(page.get_by_label("Comment")).to_have_value("names 2 of 3 causes")
    page.keyboard.press("Enter")
    at("Answer 2 of 2 · you have graded 1")
    expect(chosen).to_have_count(0)

    page.keyboard.press("u")
    at("Answer 1 of 2 · you have graded 0")
    page.keyboard.press("n")
    at("Answer 2 of 2 · you have graded 0")
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    at("Answer 1 of 2 · you have graded 1")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.get_by_text("You have graded all your answers.")).to_be_visible()

    sign(page, app.url, "Cem")
    page.goto(f"{app.url}/grade?batch={batch}&place={first}")
    expect(page.get_by_text("Two people graded this answer differently. Your mark decides.")).to_be_visible()
    expect(page.get_by_text("a year too early")).to_be_visible()
    app.stop()
    with Workbench.open(workspace) as bench:
        given = grades.load_grades(bench.database, batch)
        assert [(g.person, g.mark) for g in given[first]] == [
            ("Bob", "incorrect"),
            ("Ada", "acceptable"),
            ("Ada", None),
            ("Ada", "perfect"),
        ]
        assert [(g.person, g.mark) for g in given[second]] == [("Ada", "incorrect")]
        assert given[first][1].comment == "names 2 of 3 causes" and (given[first][1].seconds or 0) >= 0
        assert {run_of(bench, first), run_of(bench, second)} == set(runs)
