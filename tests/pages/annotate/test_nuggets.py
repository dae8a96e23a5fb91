"""The page of nuggets: a list of items, one item whose nuggets a person edits, and what they were before."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import BenchError
from core.nouns import Span
from core.text.numbered import Sentence
from pages.parts.annotate.nugget import rows as nugget_rows
from store.runs.nugget_sets import TABLE, Nugget, NuggetSet
from tests.pages.conftest import Show
from workbench import Workbench

PAGE = "annotate/nuggets"
FACTS = [{"text": "It burnt.", "importance": "vital", "evidence": []}]


def said(at: AppTest) -> str:
    """Captions and messages as they are read: without the marks that keep them from being markdown."""
    return "\n".join(node.value for kind in (at.caption, at.success, at.error, at.warning, at.info) for node in kind).replace(
        "\\", ""
    )


def rationale(bench: Workbench) -> Any:
    return next(item for item in bench.reviews.items(status="accepted") if item.task == "explicit_rationale")


def test_no_accepted_item_says_what_to_do(empty_bench: Workbench, show: Show) -> None:
    assert "Nuggets belong to accepted items with a gold answer" in said(show(PAGE))


def test_the_list_counts_and_drafts(bench: Workbench, show: Show) -> None:
    at = show(PAGE)
    total = bench.nuggets.page()[1]
    assert "without nuggets" in said(at) and total > 0
    at.button(key="nuggets_draft_estimate").click().run()
    for _ in range(100):
        if "Prompts filled" in said(at):
            break
        at.run()
    assert "Prompts filled with 5 of the items" in said(at) and any(
        "Nothing has been asked yet" in one.value for one in at.markdown
    )
    at.button(key="nuggets_draft_start").click().run()
    assert not at.exception and at.query_params["job"]


def test_a_person_saves_nuggets_and_goes_on_to_the_next_item(bench: Workbench, show: Show) -> None:
    item = rationale(bench)
    at = show(PAGE, item=item.id)
    assert "This item has no nuggets yet" in said(at)
    at.button(key="nuggets_save").click().run()
    assert f"No nugget was given for {item.id}" in said(at)
    at.text_area[0].set_value("It burnt down.")
    bench.nuggets.save(item.id, FACTS, seen=0, by="Bob")
    at.button(key="nuggets_save").click().run()
    assert "Bob changed this set in the meantime" in said(at) and "Bob saved set 1 in the meantime" in said(at)
    at.button(key="nuggets_newest").click().run()
    assert "Set 1, saved by Bob" in said(at) and not at.warning
    at.button(key="nuggets_save").click().run()
    assert "Nothing was changed" in said(at)
    at.button(key="nuggets_save_next").click().run()
    following = at.query_params["item"]
    assert following not in ([item.id], item.id)
    at = show(PAGE, item=item.id, state="written")
    assert "No other item matches the filters" in said(at)


def test_a_saved_draft_stays_beside_the_set_of_the_person(bench: Workbench, show: Show) -> None:
    item = rationale(bench)
    made = NuggetSet(item.id, item.answers[0], item.language, (Nugget("*It* burnt.", "okay"),), "m", ("p@b2:1",))
    bench.database.write(lambda cursor: TABLE.insert_sets(cursor, [made]))
    at = show(PAGE, item=item.id)
    assert "Set 1, drafted by m" in said(at) and "1 nugget, 0 of them vital" in said(at)
    at.button(key="nuggets_save").click().run()
    assert "Saved as set 2" in said(at) and any("Other sets (1)" in box.label for box in at.expander)
    assert "1 saved by a person" in said(show(PAGE))


def test_an_item_that_is_not_there_is_a_sentence(bench: Workbench, show: Show) -> None:
    assert "nowhere" in said(show(PAGE, item="nowhere"))


def test_rows_of_the_form_cite_sentences_by_their_numbers() -> None:
    sentences = [Sentence(Span("d", start, start + 4), f"S{start}.") for start in (0, 5)]
    rows = [{"text": "A.", "importance": "okay", "evidence": [["d", 5, 9], ["d", 0, 4], ["e", 0, 1]]}]
    [built] = nugget_rows.build_rows(rows, sentences)
    assert built["sentences"] == "1, 2" and nugget_rows.quote_sentences("2, 1, 9", sentences) == "S0. … S5."
    [read] = nugget_rows.read_rows([{"text": "A.", "importance": "okay", "sentences": "2、 1 ,1"}], sentences)
    assert read == {"text": "A.", "importance": "okay", "evidence": [["d", 0, 4], ["d", 5, 9]]}
    for words in ("3", "0", "one", "1-2"):
        with pytest.raises(BenchError, match=r"Row 1 names the sentences .*: give numbers from 1 to 2"):
            nugget_rows.read_rows([{"text": "A.", "importance": "okay", "sentences": words}], sentences)


def test_what_was_typed_is_saved_by_the_press_that_follows_it(bench: Workbench, show: Show) -> None:
    item = rationale(bench)
    bench.nuggets.save(item.id, FACTS, seen=0, by="Bob")
    at = show(PAGE, item=item.id)
    at.text_area[0].set_value("It burnt down.")
    at.button(key="nuggets_add").click().run()
    at.text_area[1].set_value("Ada bought it.")
    at.selectbox(key=str(at.text_area[1].key).replace("_text", "_importance")).set_value("okay")
    at.button(key="nuggets_save").click().run()
    saved = bench.nuggets.card(item.id).current
    assert saved and [(one.text, one.importance) for one in saved.nuggets] == [
        ("It burnt down.", "vital"),
        ("Ada bought it.", "okay"),
    ]


def test_ticked_nuggets_are_merged_or_removed_and_a_refusal_keeps_what_was_typed(bench: Workbench, show: Show) -> None:
    item = rationale(bench)
    bench.nuggets.save(item.id, [{"text": text} for text in ("A.", "B.", "C.")], seen=0, by="Bob")
    at = show(PAGE, item=item.id)
    at.text_area[0].set_value("A!")
    at.button(key="nuggets_merge").click().run()
    assert "Tick two nuggets or more" in said(at) and at.text_area[0].value == "A!"
    for place in (0, 2):
        at.checkbox[place].check()
    at.button(key="nuggets_merge").click().run()
    assert [one.value for one in at.text_area] == ["A! C.", "B."]
    at.checkbox[1].check()
    at.button(key="nuggets_remove").click().run()
    at.text_input(key=str(at.text_area[0].key).replace("_text", "_sentences")).set_value("99")
    at.button(key="nuggets_save").click().run()
    assert "Row 1 names the sentences" in said(at) and [one.value for one in at.text_area] == ["A! C."]
    assert len(bench.nuggets.card(item.id).versions) == 1


def test_changes_that_are_not_saved_wait_for_the_person(bench: Workbench, show: Show) -> None:
    item = rationale(bench)
    at = show(PAGE, item=item.id)
    at.text_area[0].set_value("It burnt.")
    at.button(key="nuggets_back").click().run()
    assert "item" not in at.query_params
    at.query_params["item"] = item.id
    at.run()
    assert at.text_area[0].value == "It burnt." and "You have changes that are not saved" in said(at)
    at.button(key="nuggets_newest").click().run()
    assert at.text_area[0].value == "" and "not saved" not in said(at)
