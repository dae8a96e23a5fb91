"""A reviewer follows on the screen how an item was made: a question on three documents from its documents through each step to
its words, and a summary with its source and every hit that was kept or dropped."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import jobs
from core.ids import content_hash
from core.nouns import Document
from store.corpus import documents
from tests.browser.at_desk import ready
from tests.browser.conftest import Serve, Served, sign
from workbench import Workbench

FIRE = (
    "The mill of Ada Quill burned down in Wend on 4 May 1904. She lost 300 sacks of grain in the fire. Nobody was hurt. "
    "The fire began in the drying room. She means to build the mill again."
)
TEXTS = {
    "Fire at the mill": FIRE,
    "The tower is sold": "Ada Quill sold the tower of Orvel on 2 June 1904. She needed the money. The bell went to the school.",
    "A school of weaving": "In 1911 Ada Quill founded a school of weaving. It stands behind the church. It has forty looms.",
    "A reprint": FIRE.replace("300", "310"),
    "<b>Oats</b>": "Oats grow well on wet ground near Wend. So does rye, says Ada Quill. Wheat does not.",
}


ASKED = "When was it that Ada Quill founded a school of weaving?"
REWRITTEN = "In what order did these three things about Ada Quill happen: the fire, the sale, the school?"
ORDER = "Which came first can only be told from the three dates."
REPLIES = (
    {"common": [{"element": "Ada Quill", "evidence": list(range(1, 12))}], "contact": 1},
    {"differences": [{"point": f"Only sentence {n} tells this.", "evidence": [n]} for n in (1, 6, 11)]},
    {"focus": ["fire", "sale", "school"], "question": ASKED, "answer": "1904, 1904 and 1911.", "evidence": [1, 6, 11]},
    {"rewritten": REWRITTEN, "depends": ORDER},
)
"""Of the four steps; sentences 1, 6 and 11 stand in three documents, in whatever order these come."""


@pytest.fixture
def app(tmp_path: Path, serve: Serve) -> Iterator[tuple[Served, dict[str, str]]]:
    """The app on a workspace with one draft of each, and their ids by task."""
    path, found, script = tmp_path / "w.duckdb", {}, tmp_path / "replies.jsonl"
    script.write_text("\n".join(json.dumps({"text": json.dumps(reply)}) for reply in REPLIES), encoding="utf-8")
    with Workbench.open(path) as bench:
        made = [Document(content_hash(text), text, title, "tales", licence="CC0-1.0") for title, text in TEXTS.items()]
        documents.add(bench.database, made)
        for task, agent in (("qa_three_documents", f"scripted:{script}"), ("summary", "offline")):
            job = bench.drafts.plan(
                task=task,
                domain="tales",
                count=1,
                agent=agent,
                seed=1,
                budget=None,
                settings={"rag_check": False, "asks": ""},
            )
            done = jobs.start(bench).submit(job).result()
            found[task] = done["items"][0]["id"]
        jobs.stop(bench, seconds=0)
    yield serve(path), found


def opened(page: Page, app: Served, item: str) -> None:
    sign(page, app.url)
    page.goto(f"{app.url}/review?item={item}")
    ready(page)


def test_a_question_on_three_documents_is_followed_from_its_documents_to_its_words(
    app: tuple[Served, dict[str, str]], page: Page
) -> None:
    served, found = app
    opened(page, served, found["qa_three_documents"])
    tabs = page.get_by_role("tab")
    expect(tabs).to_have_count(3)
    for place in range(3):
        tabs.nth(place).click()
        expect(page.locator(".sheet mark, .sheet .mark").first).to_be_visible()
    steps = page.locator("section.steps .step")
    names = steps.locator(".gate")
    expect(names).to_have_text(["search", "search", "in common", "told by one alone", "first question", "rewritten"])
    hits = steps.first.locator(".hit")
    expect(hits.filter(has_text="kept")).to_have_count(2)
    expect(hits.filter(has_text="It shares Ada Quill with the first document").first).to_be_visible()
    expect(steps.nth(2)).to_contain_text("Contact point: Ada Quill")
    expect(steps.nth(2)).to_contain_text("Ada Quill (document 1, 2, 3)")
    for place in (1, 2, 3):
        expect(steps.nth(3)).to_contain_text(f"Document {place}: ")
    expect(steps.nth(4)).to_contain_text(ASKED)
    expect(steps.nth(5)).to_contain_text("How its parts depend on each other: Which came first")
    asked = page.locator("textarea.question").input_value()
    assert asked == REWRITTEN
    expect(steps.nth(5)).to_contain_text(asked)
    for step in range(6):
        steps.nth(step).scroll_into_view_if_needed()
        expect(steps.nth(step)).to_be_in_viewport()


def test_a_summary_shows_its_source_and_the_hits_kept_and_dropped_with_their_scores(
    app: tuple[Served, dict[str, str]], page: Page
) -> None:
    served, found = app
    opened(page, served, found["summary"])
    steps = page.locator("section.steps .step")
    expect(steps.first).to_have_text(re.compile(r"source\s*\d\. (Fire at the mill|A reprint) \(hidden from RAG systems\)"))
    search = steps.nth(1)
    expect(search).to_contain_text("corpus: 3 kept, 1 dropped")
    dropped = search.locator(".hit").filter(has_text="dropped")
    expect(dropped).to_have_count(1)
    expect(dropped.locator(".hit-words")).to_contain_text("of its word 5-grams occur in the source, 50% or more are too many.")
    expect(search.locator(".hit.kept")).to_have_count(3)
    for score in search.locator(".hit-score").all_inner_texts():
        assert float(score) > 0
    expect(search.locator(".hit").filter(has_text="<b>Oats</b>")).to_have_count(1)  # letter by letter
