"""The page on which items are found, and many of them changed at once."""

import json

import pytest
from streamlit.testing.v1 import AppTest

import jobs
from store.items import items
from tests.pages.conftest import Show
from tests.store.sample_items import item
from tests.waiting import until
from workbench import Workbench

ROOM = 972
"""Pixels that the table has in a window of 1280."""
TICKS = 33
"""Pixels of the column of boxes."""


@pytest.fixture
def drafts(bench: Workbench) -> list[str]:
    """Sixty drafts beside the accepted samples; one asks about zebras."""
    made = [item(f"draft-{n:02d}", question=f"Which one is number {n}?", domain="law") for n in range(60)]
    items.add(bench.database, [*made, item("zebra", question="Where do <b>zebras</b> $live$?", domain="law")])
    return [one.id for one in made]


def words(at: AppTest) -> str:
    told = (at.caption, at.markdown, at.text, at.error, at.warning)
    return " ".join(str(element.value) for kind in told for element in kind).replace("\\", "")


def questions(at: AppTest) -> list[str]:
    return list(at.dataframe[0].value["Question"]) if at.dataframe else []


@pytest.mark.fault(44)
def test_the_list_has_its_true_number_and_fifty_a_page(drafts: list[str], show: Show) -> None:
    at = show("annotate/find")
    total = int(next(m.value for m in at.markdown if m.value.endswith("items**")).strip("*").split()[0])
    assert total > 61 and len(questions(at)) == 50 and questions(at)[0] == "Where do <b>zebras</b> $live$?"


def test_words_and_filters_go_into_the_address_and_come_from_it(drafts: list[str], show: Show) -> None:
    at = show("annotate/find", domain="law", status="drafted")
    assert "61 items" in words(at)
    at.text_input(key="find_text").set_value("ZEBRA").run()
    assert questions(at) == ["Where do <b>zebras</b> $live$?"] and at.query_params["text"] == "ZEBRA"
    at.text_input(key="find_text").set_value("$li%").run()
    assert questions(at) == [] and "No item matches" in words(at)
    at.button(key="find_all").click().run()
    assert "text" not in at.query_params and "domain" not in at.query_params and len(questions(at)) == 50
    at.selectbox(key="find_order").set_value("oldest").run()
    assert at.query_params["order"] == "oldest" and questions(at)[0] != "Where do <b>zebras</b> $live$?"


def test_a_document_is_chosen_by_a_part_of_its_title(bench: Workbench, drafts: list[str], show: Show) -> None:
    heading = bench.corpus.heading(items.get(bench.database, bench.reviews.items()[0].id).given[0])
    at = show("annotate/find")
    at.text_input(key="find_title").set_value(heading.title[1:9].upper()).run()
    at.selectbox(key="find_document").set_value(heading.id).run()
    assert at.query_params["document"] == heading.id and not at.exception
    assert heading.title[:40] in at.button(key="find_chip_document").label.replace("\\", "")
    assert 0 < len(questions(at)) < 50
    at.button(key="find_chip_document").click().run()
    assert "document" not in at.query_params


@pytest.mark.fault(20)
def test_what_cannot_be_asked_for_is_not(drafts: list[str], show: Show) -> None:
    at = show("annotate/find", order="number; DROP TABLE state", status="password", level="9' OR 1")
    assert "0 items" in words(at) and at.selectbox(key="find_status").value == "" and not at.exception
    at = show("annotate/find")
    at.query_params["page"] = "999"
    at.run()
    assert "This page is past the end" in words(at) and not at.exception


def test_nothing_is_done_before_it_was_looked_at_and_all_of_it_is_undone(
    bench: Workbench, drafts: list[str], show: Show
) -> None:
    bench.reviews.holds.hold("draft-07", "Bo")
    at = show("annotate/find", domain="law", text="number")
    assert at.button(key="find_look_first").disabled, "nothing is chosen, and that is not all"
    at.button_group(key="find_which_False").set_value(["all"]).run()
    at.selectbox(key="find_action").set_value("discard").run()
    assert at.button(key="find_look_first").disabled, "a discard wants a reason"
    at.selectbox(key="find_reason").set_value("duplicate").run()
    at.button(key="find_look_first").click().run()
    until(lambda: "would change" in words(at.run()))
    said = words(at)
    assert "59 of 60 items would change" in said and "Nothing has changed yet" in said
    assert "1 held by or given to somebody else (draft-07)" in said and "Domain: law (59)" in said
    assert all(one.status == "drafted" for one in bench.reviews.items(domain="law", text="number"))
    at.button(key="find_do").click().run()
    job = bench.upkeep.jobs()[0].id
    jobs.start(bench).submit(job).result()
    at.run()
    assert len(bench.reviews.items(domain="law", status="discarded")) == 59 and "59 of 60 changed" in words(at)
    at.button(key="find_job_undo").click().run()
    until(lambda: "would change" in words(at.run()))
    at.button(key="find_do").click().run()
    jobs.start(bench).submit(bench.upkeep.jobs()[0].id).result()
    assert not bench.reviews.items(domain="law", status="discarded") and "undone" in words(at.run())


def test_what_changed_since_the_look_is_not_done(bench: Workbench, drafts: list[str], show: Show) -> None:
    at = show("annotate/find", text="zebras")
    at.button_group(key="find_which_False").set_value(["all"]).run()
    at.selectbox(key="find_action").set_value("accept").run()
    at.button(key="find_look_first").click().run()
    until(lambda: "would change" in words(at.run()))
    items.add(bench.database, [item("more", question="More zebras?")])
    at.button(key="find_do").click().run()
    assert "has changed since you looked at it" in words(at) and not bench.upkeep.jobs()


@pytest.mark.fault(23)
def test_whoever_may_not_change_many_finds_them_all_the_same(bench: Workbench, drafts: list[str], show: Show) -> None:
    bench.people.give("Lea", "lead")
    at = show("annotate/find", person="Ann")
    assert questions(at) and not [b for b in at.button if b.key == "find_look_first"]
    assert [b for b in show("annotate/find", person="Lea").button if b.key == "find_look_first"]


def test_the_desk_walks_through_what_was_found(bench: Workbench, drafts: list[str], show: Show) -> None:
    at = show("annotate/review", item="draft-01", found="text=%22number+1%22&order=oldest")
    at.query_params["item"], at.query_params["found"] = "draft-01", "text=%22number+1%22&order=oldest"
    at.run()
    assert "Item 1 of the 11 found" in words(at)
    at.button(key="found_After").click().run()
    assert at.query_params["item"] == "draft-10" and "Item 2 of the 11 found" in words(at)
    at.button(key="found_Before").click().run()
    assert at.query_params["item"] == "draft-01" and at.button(key="found_Before").disabled
    at.button(key="found_leave").click().run()
    assert "found" not in at.query_params


def test_crags_labels_are_filters_with_what_their_values_mean(empty_bench: Workbench, show: Show) -> None:
    from tests.workbench.build.test_web_questions import handed_in

    handed_in(empty_bench)
    at = show("annotate/find", question_type="set", popularity="web")
    box = next(box for box in at.selectbox if box.label == "Question type")
    assert box.value == "set" and "a set of things" in str(box.help)
    assert len(at.dataframe[0].value) == 1
    assert not show("annotate/find", question_type="multi-hop").dataframe
    assert len(show("annotate/find", question_type="no such type").dataframe[0].value) == 1


def test_difficulty_and_measured_level_stand_in_the_address_and_over_the_list(bench: Workbench, show: Show) -> None:
    at = show("annotate/find", measured="none", difficulty="undefined")
    assert {"Measured level: none", "Difficulty: undefined"} <= {button.label.replace("\\", "") for button in at.button}
    assert "**40 items**" in [text.value for text in at.markdown]
    assert "**0 items**" in [text.value for text in show("annotate/find", difficulty="hard").markdown]


def test_overlap_and_flags_stand_in_sight_at_1280_and_a_tick_moves_no_row(drafts: list[str], show: Show) -> None:
    at = show("annotate/find")
    told = json.loads(at.dataframe[0].proto.columns)
    order = list(at.dataframe[0].proto.column_order)
    assert order[-3:] == ["Overlap", "Flags", "Agent"]
    assert TICKS + sum(told[name]["width"] for name in order) <= ROOM, "pixels"
    assert any("Nothing changes before you see a preview" in caption.value for caption in at.caption)
    at.segmented_control(key="find_which_False").set_value("all").run()
    assert any("Nothing changes before you see a preview" in caption.value for caption in at.caption)
