"""The labels page: a lead asks a question, changes it as far as its answers allow, and retires it."""

from streamlit.testing.v1 import AppTest

from tests.pages.conftest import Show
from workbench import Workbench, actor

PAGE = "setup/labels"


def said(at: AppTest) -> str:
    return "\n".join(node.value for kind in (at.markdown, at.text, at.caption, at.error, at.success, at.info) for node in kind)


def test_a_question_is_asked_changed_and_retired(empty_bench: Workbench, show: Show) -> None:
    at = show(PAGE)
    assert "No label questions yet" in said(at)
    at.button(key="label_new").click().run()
    at.text_input(key="label_name").set_value("tone")
    at.text_input(key="label_text").set_value("Which *tone*?")
    at.text_area(key="label_choices").set_value("dry")
    at.button(key="label_save").click().run()
    assert "has 1 choices: give 2 to 50" in said(at).replace("\\", "")
    at.text_area(key="label_choices").set_value("dry\n\nwarm").run()
    at.toggle(key="label_required").set_value(True).run()
    at.multiselect(key="label_tasks").set_value(["explicit_factoid"]).run()
    at.button(key="label_save").click().run()
    assert not at.exception and r"Which \*tone\*\?" in said(at) and "dry · warm" in said(at) and "required" in said(at)
    [asked] = empty_bench.label_questions.list_questions()
    assert (asked.question.choices, asked.question.is_required, asked.question.tasks) == (
        ("dry", "warm"),
        True,
        ("explicit_factoid",),
    )
    at.button(key="label_change_tone").click().run()
    assert at.text_area(key="label_choices").value == "dry\nwarm"
    at.text_area(key="label_choices").set_value("dry\nwarm\ncold").run()
    at.button(key="label_save").click().run()
    at.button(key="label_retire_tone").click().run()
    assert "**Retired**" in said(at) and empty_bench.label_questions.list_questions()[0].question.choices == (
        "dry",
        "warm",
        "cold",
    )
    at.button(key="label_restore_tone").click().run()
    assert not empty_bench.label_questions.list_questions()[0].question.is_retired


def test_what_answers_would_be_lost_by_is_refused_in_a_sentence(bench: Workbench, show: Show) -> None:
    bench.label_questions.change("tone", "Lea", text="Which tone?", kind="one", choice=["dry", "warm"])
    item = bench.reviews.items(status="accepted")[0].id
    bench.reviews.decide(item, "accept", person="Ada", label_answers={"tone": "dry"})
    at = show(PAGE)
    at.button(key="label_change_tone").click().run()
    assert at.button_group(key="label_kind").disabled and "This question has answers, so its kind" in said(at)
    at.text_area(key="label_choices").set_value("warm\ncold").run()
    at.button(key="label_save").click().run()
    assert "has 1 answers, so it cannot be removed" in said(at).replace("\\", "")
    assert at.text_area(key="label_choices").value == "warm\ncold", "what was typed stays"


def test_an_annotator_sees_what_is_asked_and_changes_nothing(bench: Workbench, show: Show) -> None:
    bench.label_questions.change("tone", "Lea", text="Which tone?", kind="rating", top=3)
    bench.people.give("Lea", "admin")
    at = show(PAGE)
    assert "may not set the rules of the work" in said(at) and at.button(key="label_change_tone").disabled
    with actor.act_as("Ada"):
        assert bench.label_questions.list_questions()[0].question.top == 3
