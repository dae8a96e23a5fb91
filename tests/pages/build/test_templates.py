"""The page of templates: samples are loaded, words are kept as they are typed and tried on real rows, a draw is made as a job,
and a season is refreshed."""

from streamlit.testing.v1 import AppTest

import jobs
from tests.pages.build.test_tables import drawn
from tests.pages.conftest import Show
from workbench import Workbench


def pressed(at: AppTest, label: str) -> AppTest:
    next(b for b in at.button if b.label == label).click().run()
    assert not at.exception, at.exception
    return at


def test_an_empty_page_loads_the_samples_and_shows_one_with_its_chain(empty_bench: Workbench, show: Show) -> None:
    at = pressed(show("build/templates"), "Load the sample tables and templates")
    assert len(empty_bench.templates.list_templates()) == 23
    at = show("build/templates", template="coauthors_named")
    drawn(at, lambda at: any("getCoauthors" in caption.value for caption in at.caption))
    assert any(text.value.startswith("Who has published together with ") for text in at.text)
    assert any("two entities fit" in expander.label for expander in at.expander)


def test_a_template_is_written_kept_tried_and_saved(empty_bench: Workbench, show: Show) -> None:
    empty_bench.tables.load_samples()
    at = pressed(drawn(show("build/templates"), lambda at: at.button), "New template")
    at = drawn(at, lambda at: any(box.label == "Name" for box in at.text_input))
    words = next(box for box in at.text_input if box.label.startswith("Question, with"))
    words.set_value("Where does {who} *work*?").run()
    again = drawn(show("build/templates", view="write"), lambda at: any(box.label == "Name" for box in at.text_input))
    assert next(box for box in again.text_input if box.label.startswith("Question")).value == "Where does {who} *work*?"
    for label, value in (("Table", "persons"), ("Filled by", "name"), ("Answer", "organization")):
        next(box for box in again.selectbox if box.label == label).set_value(value).run()
    next(box for box in again.text_input if box.label == "Name").set_value("place_of_work").run()
    drawn(again, lambda at: any(text.value.startswith("Where does ") and "*work*" in text.value for text in at.text))
    pressed(again, "Save as a version")
    assert [template.id for template in empty_bench.templates.list_templates()] == ["place_of_work"]
    assert "its first version" in again.success[0].value and empty_bench.templates.drafts("Ada") == []


def test_what_is_wrong_with_the_words_is_said_beside_them(empty_bench: Workbench, show: Show) -> None:
    empty_bench.tables.load_samples()
    id_ = empty_bench.templates.begin("Ada", table="persons")
    empty_bench.templates.keep("Ada", id_, {"id": "one", "text": "Where is {who?", "answer": "organization"})
    at = drawn(show("build/templates", view="write"), lambda at: at.warning)
    assert "is not a placeholder" in at.warning[0].value
    pressed(at, "Save as a version")
    assert "is not a placeholder" in at.error[0].value and empty_bench.templates.list_templates() == []


def test_questions_are_made_as_a_job_and_their_season_is_refreshed(empty_bench: Workbench, show: Show) -> None:
    empty_bench.templates.load_samples()
    at = drawn(show("build/templates", view="make"), lambda at: at.number_input)
    next(box for box in at.multiselect if box.label == "Templates").set_value(["company_seat"]).run()
    next(box for box in at.number_input if box.label == "Questions of each").set_value(6).run()
    pressed(at, "Make 6 questions")
    [job] = empty_bench.upkeep.jobs()
    assert jobs.start(empty_bench).submit(job.id).result()["drafted"] == 6
    [season] = empty_bench.seasons.list_seasons()
    at = drawn(show("build/templates", view="seasons"), lambda at: at.dataframe)
    assert list(at.dataframe[0].value["Kind"]) == ["simple"] * 6
    pressed(at, "Refresh")
    refresh = jobs.start(empty_bench).submit(empty_bench.seasons.list_refreshes(season.season.id)[0])
    assert refresh.result()["same"] == 6


def test_what_an_agent_proposes_is_approved_edited_or_turned_down(empty_bench: Workbench, show: Show) -> None:
    empty_bench.tables.load_samples()
    job = empty_bench.proposals.plan("offline", 3, kinds=["simple"])
    jobs.start(empty_bench).submit(job).result()
    at = drawn(show("build/templates", view="proposed", job=job), lambda at: any(b.label == "Approve" for b in at.button))
    assert sum("offline, by rules, no LLM" in caption.value.replace("\\", "") for caption in at.caption) == 3
    pressed(at, "Turn down")
    pressed(at, "Approve")
    assert "is a template now" in at.success[0].value and len(empty_bench.templates.list_templates()) == 1
    pressed(at, "Edit")
    assert len(empty_bench.templates.drafts("Ada")) == 1 and empty_bench.proposals.list_waiting() == []
