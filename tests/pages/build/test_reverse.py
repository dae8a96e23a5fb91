"""Reverse construction on the screen: the page of items with their searches, the freeze's switch, the release's corpus."""

import pytest

import jobs
from core.ids import content_hash
from core.nouns import Document
from store.corpus import documents
from tests.pages.conftest import Show
from tests.workbench.release.test_left_out import article
from workbench import Workbench


def said(at: object) -> str:
    """Every sentence, label and head on the page."""
    kinds = ("caption", "subheader", "text", "markdown", "success", "error", "warning", "expander")
    return " ".join(str(getattr(one, "value", "") or one.label) for kind in kinds for one in getattr(at, kind)).replace(
        "\\", ""
    )


@pytest.fixture
def made(empty_bench: Workbench) -> list[str]:
    """Two accepted summaries and a continuation; their ids."""
    texts = [article(seed) for seed in range(20)]
    found = [
        Document(content_hash(text), text, f"*{text[:20]}*", "news", licence="CC0-1.0")
        for text in [*texts, texts[0] + " A bee."]
    ]
    documents.add(empty_bench.database, found)
    ids = []
    for task, count in (("summary", 2), ("continuation", 1)):
        job = empty_bench.drafts.plan(task=task, domain="news", count=count, agent="offline", seed=1, budget=None, settings={})
        ids += [item["id"] for item in jobs.start(empty_bench).submit(job).result()["items"]]
    for id_ in ids:
        empty_bench.reviews.decide(id_, "accept", person="Ada")
    return ids


def test_an_item_stands_beside_its_source_with_every_hit_and_its_score(
    empty_bench: Workbench, made: list[str], show: Show
) -> None:
    at = show("build/reverse", item=made[0])
    one = empty_bench.reverse.open_item(made[0])
    assert "which systems cannot search" in said(at) and one.item.question in said(at)
    hits = at.dataframe[1].value
    assert list(hits["Document"]) == [hit["title"] for hit in one.searches[0]["hits"]]
    assert hits["Score"].notna().all() and hits["Why"].str.len().min() > 0
    assert "Search provider corpus" in said(at)


def test_a_continuation_has_a_search_for_each_sentence_of_its_second_half(
    made: list[str], empty_bench: Workbench, show: Show
) -> None:
    at = show("build/reverse", item=made[2], task="continuation")
    assert "Searches (2)" in said(at) and len(empty_bench.reverse.open_item(made[2]).searches) == 2


def test_an_item_that_is_none_is_said_in_a_sentence(made: list[str], show: Show) -> None:
    assert "No item nothing" in said(show("build/reverse", item="nothing"))


def test_the_desk_tells_the_search_to_a_reviewer(empty_bench: Workbench, made: list[str]) -> None:
    steps = empty_bench.reviews.desk(made[0], "Ada").steps
    [search] = [step for step in steps if step.kind == "search"]
    kept = sum(hit.is_kept for hit in search.hits)
    assert search.found == f"corpus: {kept} kept, {len(search.hits) - kept} dropped" and search.hits
    assert all(hit.title and hit.score is not None and hit.why for hit in search.hits if not hit.is_kept)


def test_the_switch_of_the_freeze_puts_gold_documents_into_the_corpus(
    empty_bench: Workbench, made: list[str], show: Show
) -> None:
    at = show("release/freeze")
    assert "for audit, not in what systems search" in said(at)
    at.text_input("freeze_name").set_value("v1").run()
    at.toggle("freeze_gold").set_value(True).run()
    assert "systems search them too" in said(at)
    at.button[0].click().run()
    assert empty_bench.release_browser.left_out("v1") == (0, True)


def test_the_release_tells_its_corpus_and_its_leaks(empty_bench: Workbench, made: list[str], show: Show) -> None:
    empty_bench.releases.freeze("v1")
    at = show("release/browse")
    at.session_state["release_tab"] = "Retrieval corpus"
    at.run()
    assert not at.exception
    n = empty_bench.release_browser.left_out("v1")[0]
    assert f"The other {n} documents are sources" in said(at) and at.metric[0].label == "Mean share in the corpus"


def test_a_search_service_is_set_up_on_the_agents_page_and_a_wrong_address_is_a_sentence(
    empty_bench: Workbench, show: Show
) -> None:
    at = show("setup/agents")
    at.text_input("search_http_json_url").set_value("http://127.0.0.1/")
    at.button("search_save_http_json").click().run()
    assert "$query" in said(at)
    at.text_input("search_http_json_url").set_value("http://127.0.0.1/?q=$query")
    at.text_input("search_http_json_text").set_value("body")
    at.button("search_save_http_json").click().run()
    card = next(card for card in empty_bench.search.list_providers() if card.name == "http_json")
    assert (card.settings["url"], card.settings["timeout"], card.needs) == ("http://127.0.0.1/?q=$query", 20.0, [])
