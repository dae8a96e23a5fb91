"""Find how the questions of a release can be asked again, from when their answers are, and which newer pages they have."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.nouns import Document, Item
from core.quality.crag import find_query_time
from core.quality.half_life import QuestionSource
from core.statistics.clusters import clusters
from eval.half_life.curve import AgingQuestion
from workbench.evaluate.half_life.newer_files import list_page_keys, list_pages


class AskedPage(NamedTuple):
    """A page of a question, with the key of its newer copy; None = none was given."""

    document: str
    key: str | None
    about: Mapping[str, Any]


def find_source(item: Item) -> QuestionSource:
    """Return how the item's question can be asked again: from its template, of its web pages, or not at all."""
    if any(step.get("kind") == "template" for step in item.steps):
        return "template"
    return "web" if list_pages(item) else "other"


def find_answer_date(item: Item, created: datetime.date) -> datetime.date:
    """Return the date of the item's answer: the time at which its question was asked, else the day of the release."""
    if asked := find_query_time(item.labels):
        return asked.date()
    now = next((step["now"] for step in item.steps if step.get("kind") == "template"), None)
    try:
        return datetime.date.fromisoformat(str(now)[:10]) if now else created
    except ValueError:
        return created


def describe_questions(items: Sequence[Item], created: datetime.date) -> dict[str, AgingQuestion]:
    """Return a dict from item to its question as half-life checks see it; other items are left out. Questions on one row of a
    table, or on one page, are in one cluster."""
    chosen = [(item, source) for item in items if (source := find_source(item)) != "other"]
    together = clusters({item.id: _list_sources(item) for item, _ in chosen})
    return {
        item.id: AgingQuestion(
            str(item.labels.get("static_or_dynamic") or ""),
            item.domain,
            source,
            together.of[item.id],
            find_answer_date(item, created),
        )
        for item, source in chosen
    }


def find_pages(item: Item, documents: Mapping[str, Document], params: Mapping[str, Any]) -> list[AskedPage]:
    """Return the distinct pages of a question, each with the key of its newer copy."""
    pages: dict[str, AskedPage] = {}
    for page in list_pages(item):
        name = str(page["document"])
        if name in documents and not documents[name].meta.get("is_snippet"):  # the released page itself had no text
            key = next((key for key in list_page_keys(page, documents[name]) if key in params["pages"]), None)
            if name not in pages or pages[name].key is None:
                pages[name] = AskedPage(name, key, page)
    return list(pages.values())


def _list_sources(item: Item) -> list[str]:
    rows = [
        f"{step['template']['table']} {key}"
        for step in item.steps
        if step.get("kind") == "template"
        for key in step["subjects"]
    ]
    return rows or [str(page["document"]) for page in list_pages(item)]
