"""After the samples are loaded, every page of Annotate has work for a newcomer, and a guideline stands beside it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.parts.annotate.crag import phase_form
from store.items import items
from store.queue.kind import ItemKind
from workbench import Workbench
from workbench.annotate.desk.guidelines import find_guideline
from workbench.annotate.wordings.variants import VariantKind

NEW = "Nora"


@pytest.fixture(scope="module")
def bench() -> Iterator[Workbench]:
    with Workbench.open(":memory:") as made:
        made.sample_work.load()
        yield made


def test_each_page_of_annotate_has_something_for_a_newcomer(bench: Workbench) -> None:
    assert bench.reviews.find_next(ItemKind(), NEW) and bench.reviews.progress(ItemKind(), NEW).left == 5
    assert bench.adjudication.count_disputed(NEW).left == 1 and bench.adjudication.find_next(NEW)
    assert bench.variants.find_next(VariantKind(), NEW) and bench.variants.progress(VariantKind(), NEW).left >= 3
    sheet = bench.phases.find_next(NEW)
    assert sheet is not None and (sheet.phase, len(sheet.pages)) == ("labels", 2)
    assert bench.rewrites.find_next(ItemKind(), NEW)
    assert bench.variant_quality.list_waiting(NEW)[0].left == 4
    assert len(items.list_items(bench.database, status="accepted")) == 40
    assert bench.nuggets.count_states() == {"none": 37, "drafted": 2, "written": 1}


def test_a_starter_guideline_stands_beside_every_task_of_the_samples(bench: Workbench) -> None:
    for task in {item.task for item in items.list_items(bench.database)}:
        guideline = find_guideline(bench.database, task)
        assert guideline is not None and "## Every item" in guideline.text and guideline.text.count("## ") >= 2, task
    guideline = find_guideline(bench.database, "explicit_factoid")
    assert guideline is not None and "中文" in guideline.text


def test_the_guideline_of_web_questions_names_the_buttons_of_its_page_and_no_others(bench: Workbench) -> None:
    guideline = find_guideline(bench.database, "web_question")
    assert guideline is not None
    page = Path(phase_form.__file__).read_text(encoding="utf-8")
    named = re.findall(r"\*\*([A-Z][^*.:]+)\*\*", guideline.text)
    buttons = ["Right as it stands", "Store it with my changes", "Discard the question", "Later"]
    assert set(buttons) <= set(named) and all(f'"{button}"' in page for button in buttons)
    assert not {"Accept", "Edit and accept", "Discard", "Skip"} & set(named)


def test_loading_again_adds_nothing(bench: Workbench) -> None:
    def counts() -> list[tuple[int, ...]]:
        tables = ("state", "review", "variant", "guideline", "variant_sample", "queue_rule", "document", "nugget_set")
        return [bench.database.rows(f"SELECT count(*) FROM {table}")[0] for table in tables]

    before = counts()
    bench.sample_work.load()
    assert counts() == before


def test_what_nobody_reviewed_of_it_goes_into_no_release(bench: Workbench) -> None:
    made = bench.releases.freeze("v1")
    assert (made.items, made.variants) == (40, 0) and made.left_out["drafted"] == 15


def test_every_document_of_the_samples_has_a_licence(bench: Workbench) -> None:
    assert bench.corpus.size().unlicensed == 0


def test_each_sample_nugget_stands_in_the_evidence_of_its_item(bench: Workbench) -> None:
    for row in bench.nuggets.page()[0]:
        if row.set is not None:
            card = bench.nuggets.card(row.item)
            assert card.current is not None and all(nugget.evidence for nugget in card.current.nuggets)
            spans = {sentence.span for sentence in card.sentences}
            assert all(spans.issuperset(nugget.evidence) for nugget in card.current.nuggets)
            assert 0 < card.current.vital < len(card.current.nuggets)
