"""The form of a template, in a real browser: what is typed is kept without leaving the box, tried on real rows while it is
typed, and stands there after a reload."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve, sign
from workbench import Workbench

WORDS = "At which institution does {who} work?"


@pytest.fixture
def with_tables(tmp_path: Path) -> Path:
    path = tmp_path / "tables.duckdb"
    with Workbench.open(path) as bench:
        bench.tables.load_samples()
        id_ = bench.templates.begin("Ada", table="persons")
        bench.templates.keep("Ada", id_, {"slots": {"who": {"path": "name", "of": "subject"}}, "answer": "organization"})
    return path


@pytest.mark.fault(32)
def test_typed_words_are_tried_and_kept_letter_by_letter(serve: Serve, with_tables: Path, page: Page) -> None:
    app = serve(with_tables)
    sign(page, app.url)
    page.goto(f"{app.url}/templates?view=write")
    name, words = page.get_by_label("Name", exact=True), page.get_by_label("Question, with a {placeholder}")
    name.click()
    name.press_sequentially("place_of_work", delay=60)
    words.click()
    words.press_sequentially(WORDS, delay=60)  # a row for the place comes in while one types
    expect(page.get_by_text("Halmerow University").first).to_be_visible()
    expect(words).to_have_value(WORDS)
    expect(name).to_have_value("place_of_work")
    words.press("End")
    words.press("Backspace")
    expect(page.get_by_text("work?").first).to_be_hidden()
    page.reload()
    expect(words).to_have_value(WORDS[:-1])
    page.get_by_role("button", name="Save as a version").click()
    expect(page.get_by_text("place_of_work is saved: its first version.")).to_be_visible()
    app.stop()
    with Workbench.open(with_tables) as bench:
        (card,) = bench.templates.list_templates()
        assert (card.record["text"], card.saved_by) == (WORDS[:-1], "Ada")
