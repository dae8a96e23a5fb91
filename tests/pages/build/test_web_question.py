"""The pages of questions on web pages: what is typed stays, a page comes in, opinions are stored, conflicts are shown."""

from tests.pages.conftest import Show
from tests.workbench.build.test_web_questions import handed_in, says
from workbench import Workbench


def test_a_question_is_begun_typed_and_there_after_a_reload(empty_bench: Workbench, show: Show) -> None:
    at = show("build/web_question")
    next(b for b in at.button if b.label == "New question").click().run()
    next(box for box in at.text_area if box.label == "Question").set_value("when *does* it leave?").run()
    assert not at.exception and any("it has no answer" in caption.value for caption in at.caption)
    again = show("build/web_question")
    assert next(box for box in again.text_area if box.label == "Question").value == "when *does* it leave?"
    assert next(b for b in again.button if b.label == "Hand in").disabled


def test_a_pasted_page_stands_in_the_list_with_what_it_became(empty_bench: Workbench, show: Show) -> None:
    at = show("build/web_question")
    next(b for b in at.button if b.label == "New question").click().run()
    next(box for box in at.text_input if box.label == "URL").set_value("https://e.test/1")
    next(box for box in at.text_area if box.label.startswith("HTML or text of the page")).set_value("Ferries leave at nine.")
    next(b for b in at.button if b.label == "Add the page").click().run()
    assert not at.exception
    at = show("build/web_question")
    assert any(text.value == "1. Ferries leave at nine." for text in at.text)
    next(b for b in at.button if b.label == "Add the page").click().run()
    assert "give a snippet" in at.error[0].value


def test_the_lists_are_shown_with_what_each_value_means(empty_bench: Workbench, show: Show) -> None:
    at = show("build/web_question")
    assert any("post\\-processing" in caption.value and "arithmetic" in caption.value for caption in at.caption)


def test_an_opinion_is_stored_and_the_next_question_comes(empty_bench: Workbench, show: Show) -> None:
    handed_in(empty_bench)
    at = show("annotate/phases")
    assert "Phase 1" in at.subheader[1].value
    next(box for box in at.selectbox if box.label == "Question type").set_value("simple").run()
    next(b for b in at.button if b.label == "Store it with my changes").click().run()
    assert "waits for another opinion" in at.success[0].value
    (rate, _) = empty_bench.phases.rates()
    assert rate.open == 1 and empty_bench.phases.find_next("Ada") is None


def test_the_buttons_have_the_desks_keys_and_a_press_takes_what_was_typed_just_before(
    empty_bench: Workbench, show: Show
) -> None:
    item = handed_in(empty_bench)
    at = show("annotate/phases")
    keys = {button.label: button.proto.shortcut for button in at.button if button.proto.shortcut}
    assert keys == {"Right as it stands": "a", "Discard the question": "x", "Later": "n"}
    next(box for box in at.text_area if box.label == "Question").set_value("When does the last one leave?")
    next(b for b in at.button if b.label == "Right as it stands").click().run()  # both in one rerun
    assert not at.exception
    says(empty_bench, "Bob", "labels")
    [opinion] = [one for one in empty_bench.phases.find_next("Cy", resolves=True).opinions if one.person == "Ada"]
    assert item and opinion.values["question"] == "When does the last one leave?"


def test_a_conflict_shows_both_opinions_to_whoever_resolves(empty_bench: Workbench, show: Show) -> None:
    handed_in(empty_bench)
    says(empty_bench, "Ann", "labels", question_type="simple", comment="<b>one</b>")
    says(empty_bench, "Bob", "labels", question_type="aggregation")
    at = show("annotate/phases", view="conflicts")
    words = [text.value for text in at.text]
    assert "Question type: simple" in words and "Question type: aggregation" in words
    assert any("\\<b\\>one" in caption.value for caption in at.caption)
    next(b for b in at.button if b.label == "Right as it stands").click().run()
    assert "answers come next" in at.success[0].value


def test_rates_and_doubtful_golds_have_their_views(empty_bench: Workbench, show: Show) -> None:
    handed_in(empty_bench, answer="nan")
    assert not show("annotate/phases", view="rates").exception
    at = show("annotate/phases", view="doubts")
    assert any("1 to check" in caption.value for caption in at.caption) and len(at.dataframe) == 1
