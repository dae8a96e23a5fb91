"""The page of question sets: a list, one set to be changed, and what it was before."""

from streamlit.testing.v1 import AppTest

from store.runs.question_sets import TABLE, QuestionSet
from tests.pages.conftest import Show
from workbench import Workbench

PAGE = "evaluate/question_sets"


def said(at: AppTest) -> str:
    """Captions as they are read: without the marks that keep them from being markdown."""
    return "\n".join(node.value for kind in (at.caption, at.success, at.error) for node in kind).replace("\\", "")


def made(bench: Workbench, place: int = 0) -> QuestionSet:
    item = bench.reviews.items(status="accepted")[place]
    one = QuestionSet(
        item.id, "It *burnt* in 1902.", "en", (("<b>When?</b>", "1902"), ("Who?", "unanswerable")), 1, "m", ("p@b2:1",)
    )
    bench.database.write(lambda cursor: TABLE.insert_sets(cursor, [one]))
    return one


def test_no_set_says_what_makes_one(empty_bench: Workbench, show: Show) -> None:
    assert "Runs scored by rag_quest_eval create question sets" in said(show(PAGE))


def test_the_list_leads_to_a_set_and_a_change_is_saved_and_kept_beside_the_one_before(bench: Workbench, show: Show) -> None:
    one = made(bench)
    assert "1 set" in said(show(PAGE))
    at = show(PAGE, item=one.item, gold=one.gold)
    assert one.answer in [text.value for text in at.main.text] and "2 questions, 1 of them answered" in said(at)
    bench.question_sets.save(one.item, one.gold, [{"question": "Where?", "answer": ""}], seen=1, by="Bob")
    at.button(key="question_set_save").click().run()
    assert "Bob changed this set in the meantime" in said(at) and "Bob saved set 2 in the meantime" in at.warning[0].value
    at.button(key="question_set_newest").click().run()
    assert "Set 2, saved by Bob" in said(at) and not at.warning
    at = show(PAGE, item=one.item, gold=one.gold)
    assert "saved by Bob" in said(at) and any("Other sets (1)" in box.label for box in at.expander)
    at.button(key="question_set_save").click().run()
    assert "Nothing was changed" in said(at)


def test_a_set_that_is_not_there_is_a_sentence(bench: Workbench, show: Show) -> None:
    at = show(PAGE, item="x", gold="y")
    assert "No question set of x" in said(at)


def test_what_was_typed_is_saved_by_the_press_that_follows_it_which_opens_the_next_set(bench: Workbench, show: Show) -> None:
    one, other = made(bench), made(bench, 1)
    at = show(PAGE, item=one.item, gold=one.gold)
    at.text_area[0].set_value("When, then?")
    at.button(key="question_set_add").click().run()
    at.text_area[4].set_value("Where?")
    at.button(key="question_set_save_next").click().run()
    saved = bench.question_sets.card(one.item, one.gold).current
    assert saved.pairs == (("When, then?", "1902"), ("Who?", "unanswerable"), ("Where?", "unanswerable"))
    assert "The set before: saved as set 2: 3 questions, 1 of them answered" in said(at)
    assert [at.query_params[name] for name in ("item", "gold")] == [other.item, other.gold]
    at = show(PAGE, item=one.item, gold=one.gold, only="written")
    assert "No other set matches the filters" in "\n".join(node.value for node in at.info)


def test_a_refusal_keeps_what_was_typed(bench: Workbench, show: Show) -> None:
    one = made(bench)
    at = show(PAGE, item=one.item, gold=one.gold)
    at.text_area[0].set_value("Who?")
    at.button(key="question_set_save").click().run()
    assert "This question is in the set twice" in said(at) and at.text_area[0].value == "Who?"
    at.button(key="question_set_remove").click().run()
    assert "Tick the questions to remove first" in said(at)
    at.checkbox[0].check()
    at.button(key="question_set_remove").click().run()
    assert [area.value for area in at.text_area] == ["Who?", "unanswerable"] and "not saved" in said(at)
    at.button(key="question_set_back").click().run()
    assert not {"item", "gold"} & set(at.query_params) and len(bench.question_sets.card(one.item, one.gold).versions) == 1
