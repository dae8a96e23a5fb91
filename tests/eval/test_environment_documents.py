"""A page is opened by its title, looked through for a word, one paragraph a call; a new page begins its look-ups anew."""

import pytest

from core.errors import BenchError
from core.functions.functions import Registry
from core.ids import content_hash
from core.nouns import Document, Hit, Span
from eval.environment import EnvironmentSources, open_environments
from eval.environments.documents import split_paragraphs
from tests.core.tables.films import films


def document(title: str, text: str) -> Document:
    return Document(content_hash(text), text, title)


ORVEL = document(
    "Orvel", "Orvel is a harbour town.\n\nThe mill burned in 1911.\n \n  The mill was built again; the Mill stands.\n"
)
LISK = document("Lisk River", "The Lisk flows past Orvel.\n\nIts mill is old.")
FIRST, SECOND = document("Vane", "Ira Vane, painter."), document("Vane", "Vane, a village.")
GROUND = EnvironmentSources([ORVEL, LISK, FIRST, SECOND])


def registry(language: str = "en") -> Registry:
    return open_environments(["documents"], GROUND, language=language)


def test_paragraphs_stand_between_blank_lines() -> None:
    assert [ORVEL.text[p.start : p.end] for p in split_paragraphs(ORVEL)] == [
        "Orvel is a harbour town.",
        "The mill burned in 1911.",
        "The mill was built again; the Mill stands.",
    ]


def test_a_search_opens_a_page_and_look_ups_go_on_from_hit_to_hit() -> None:
    reader = registry()
    seen = reader.call_text("Search", "orvel")
    assert (seen.text, seen.spans) == ("Orvel is a harbour town.", (Span(ORVEL.id, 0, 24),))
    assert reader.call_text("Lookup", "MILL").text == "(Result 1/2) The mill burned in 1911."
    assert reader.call_text("Lookup", "mill").text == "(Result 2/2) The mill was built again; the Mill stands."
    assert reader.call_text("Lookup", "mill").text == "No more results."
    assert reader.call_text("Lookup", "castle").text == "No results."
    assert reader.call_text("Lookup", "mill").text.startswith("(Result 1/2)")  # another word came between


def test_a_new_search_begins_the_look_ups_anew() -> None:
    reader = registry()
    reader.call_text("Search", "Orvel")
    reader.call_text("Lookup", "mill")
    reader.call_text("Search", "Lisk River")
    assert reader.call_text("Lookup", "mill").text == "(Result 1/1) Its mill is old."


def test_a_title_that_is_not_there_names_similar_ones_and_closes_the_page() -> None:
    reader = registry()
    reader.call_text("Search", "Orvel")
    assert reader.call_text("Search", "Lisk Rivver").text == "There is no page 'Lisk Rivver'. Similar: Lisk River."
    seen = reader.call_text("Lookup", "mill")
    assert (seen.ok, seen.text, seen.trouble) == (False, "No page is open: call Search with a title first.", "failed")


def test_at_most_five_similar_titles_are_named_those_of_documents_that_tell_of_it_too() -> None:
    many = [document(f"Mill {n}", f"Mill number {n}.") for n in range(9)]
    assert open_environments(["documents"], EnvironmentSources(many)).call_text("Search", "mill").value == [
        f"Mill {n}" for n in range(5)
    ]
    ground = EnvironmentSources([ORVEL, LISK], search=lambda query, k: [Hit(Span(LISK.id, 0, 5), 1.0)])
    assert (
        open_environments(["documents"], ground).call_text("Search", "stream").text
        == "There is no page 'stream'. Similar: Lisk River."
    )
    assert registry().call_text("Search", "Quux").text == "There is no page 'Quux', and none like it."


def test_two_pages_of_one_title_open_one_after_the_other() -> None:
    reader = registry()
    texts = [reader.call_text("Search", "Vane").text for _ in range(3)]
    again = "(page {}/2 of this title; search again for the next) "
    assert texts == [
        again.format(1) + "Ira Vane, painter.",
        again.format(2) + "Vane, a village.",
        again.format(1) + "Ira Vane, painter.",
    ]


def test_a_branch_reads_on_by_itself() -> None:
    reader = registry()
    reader.call_text("Search", "Orvel")
    reader.call_text("Lookup", "mill")
    other = reader.start_branch()
    assert other.call_text("Lookup", "mill").text.startswith("(Result 2/2)")
    assert reader.call_text("Lookup", "mill").text.startswith("(Result 2/2)")
    other.call_text("Search", "Vane")
    assert reader.call_text("Lookup", "1911").ok


def test_finish_ends_the_work_and_several_environments_end_once() -> None:
    both = open_environments(["documents", "tables"], EnvironmentSources([ORVEL], films()))
    assert [name for name in both if both[name].ends] == ["Finish"]
    assert both.start_branch().call_text("Search", "Orvel").ok
    assert list(both)[:3] == ["Search", "Lookup", "search_person"]
    seen = registry().call_text("Finish", "1911")
    assert (seen.ends, seen.value) == (True, "1911")
    with pytest.raises(BenchError, match="No environment named 'web'; there are: documents, tables"):
        open_environments(["web"], GROUND)
    with pytest.raises(BenchError, match=r"has no document to open: .* or use only tables with --set environment=tables"):
        open_environments(["documents"], EnvironmentSources())
    assert "没有页面" not in registry("zh").as_prompt()
    assert "打开该标题的页面" in registry("zh").as_prompt()
