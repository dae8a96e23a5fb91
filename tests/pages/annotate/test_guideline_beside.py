"""The guideline of the task stands open beside the work, until its reader closes that version."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import Show
from workbench import Workbench


def guideline_of(at: AppTest) -> bool:
    """Whether the one guideline on the page stands open."""
    (box,) = (box for box in at.expander if box.label.startswith("Guideline, version"))
    assert "Every item" in "".join(text.proto.body for text in at.get("html"))
    return bool(box.proto.expanded)


@pytest.mark.parametrize("page", ["annotate/rewrite", "annotate/variants", "annotate/phases"])
@pytest.mark.parametrize("person", ["Nora", " "])
def test_it_is_open_at_first_with_a_name_and_without(page: str, person: str, bench: Workbench, show: Show) -> None:
    bench.sample_work.load()
    assert guideline_of(show(page, person=person))


def test_a_version_that_was_closed_stays_closed_until_the_next(bench: Workbench, show: Show) -> None:
    bench.sample_work.load()
    [one] = [one for one in bench.own_work.list_changed_guidelines("Nora") if one.task == "explicit_factoid"]
    bench.own_work.mark_seen("Nora", f"guideline_explicit_factoid_{one.version}")
    assert not guideline_of(show("annotate/rewrite", person="Nora")) and guideline_of(show("annotate/rewrite", person="Bo"))
    bench.guidelines.save("explicit_factoid", "One fact alone.", by="Lea")
    assert guideline_of(show("annotate/rewrite", person="Nora"))


def test_a_web_question_can_be_read_without_a_name_and_decided_with_one_alone(bench: Workbench, show: Show) -> None:
    bench.sample_work.load()
    at = show("annotate/phases", person=" ")
    assert at.text_area[0].value.startswith("when does the last ferry") and at.button(key=decide(at)).disabled
    at.text_input(key="person_name_here").set_value("Nora").run()
    assert not at.button(key=decide(at)).disabled


def decide(at: AppTest) -> str:
    return next(str(button.key) for button in at.button if str(button.key).endswith("_say"))
