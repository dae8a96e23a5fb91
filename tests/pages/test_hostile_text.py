"""Names, titles, words and reasons from anywhere stand on every page as they were written: what reads markdown is given them
with every mark escaped."""

import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from core.nouns import Document
from store.corpus import documents
from store.engine.columns import current_time
from store.items import items
from store.queue import leases
from tests.pages.conftest import Show
from tests.pages.test_every_page import PAGES
from workbench import Workbench
from workbench.annotate.wordings.rewrites import Rewrite

EVIL = "<img src=x onerror=alert(1)> $5 or $10, :red[x] [a](javascript:alert(1)) ![p](http://evil/p.png) `c` # {{ h }}"
BARE = re.compile(r"(?<!\\)<img|(?<!\\)\]\(|(?<!\\):red\[|(?<!\\)\$5")
READS_MARKDOWN = (
    "markdown",
    "caption",
    "title",
    "header",
    "subheader",
    "info",
    "error",
    "warning",
    "success",
    "button",
    "expander",
    "checkbox",
    "radio",
    "metric",
    "toggle",
    "multiselect",
    "selectbox",
    "text_input",
)


@pytest.fixture
def hostile(bench: Workbench) -> Workbench:
    """Everything that a person, a file or a model names is EVIL."""
    sample = items.get(bench.database, bench.reviews.items()[0].id)
    text = f"{EVIL} is all that it says."
    documents.add(bench.database, [Document("b2:evil", text, EVIL, domain="evil", language="en")])
    made = [replace(sample, id=f"evil-{n}", question=EVIL, answers=(EVIL,), status="drafted", domain="evil") for n in range(4)]
    items.add(bench.database, made)
    bench.reviews.decide("evil-0", "discard", person=EVIL[:70], reason=EVIL)
    bench.reviews.decide("evil-1", "accept", person=EVIL[:70])
    bench.rewrites.write(Rewrite(EVIL[:70], "evil-1", 1, f"Words of another kind: {EVIL}", EVIL))
    leases.hold(bench.database, "evil-2", EVIL[:70], at=current_time(), minutes=15)
    bench.releases.freeze("v1", allow_unlicensed=EVIL)
    return bench


def read_as_markdown(at: AppTest) -> list[str]:
    """All texts of the page that Streamlit would take for markdown: labels, and the values of what is not a box."""
    found = [element for kind in READS_MARKDOWN for element in at.get(kind)]
    labels = [getattr(one, "label", "") for one in found]
    values = [getattr(one, "value", "") for one in found if not hasattr(one, "label")]
    return [text for text in (*labels, *values) if isinstance(text, str)]


@pytest.mark.fault(1, 2, 3)
def test_hostile_words_are_words_on_every_page(hostile: Workbench, show: Show) -> None:
    for page in PAGES:
        at = show(page, person=EVIL[:70])
        assert [text for text in read_as_markdown(at) if BARE.search(text)] == [], page


@pytest.mark.fault(1, 2, 3)
def test_hostile_items_and_holders_are_words_on_the_desk(hostile: Workbench, show: Show) -> None:
    for item in ("evil-0", "evil-1", "evil-2", "evil-3"):
        for page in ("annotate/review", "annotate/rewrite"):
            assert [text for text in read_as_markdown(show(page, item=item)) if BARE.search(text)] == [], (page, item)
