"""The page of question sets: a list, one set to be changed, and what it was before."""

from streamlit.testing.v1 import AppTest

from store.runs.question_sets import TABLE, QuestionSet
from tests.pages.conftest import Show
from workbench import Workbench

PAGE = "evaluate/question_sets"


def said(at: AppTest) -> str:
    """Captions as they are read: without the marks that keep them from being markdown."""
    return "\n".join(node.value for kind in (at.caption, at.success, at.error) for node in kind).replace("\\", "")


def made(bench: Workbench) -> QuestionSet:
    item = bench.reviews.items(status="accepted")[0]
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
    at.button(key=f"question_set_{one.item}_{one.gold}_1_save").click().run()
    assert "Bob changed this set in the meantime" in said(at) and "Bob saved set 2 in the meantime" in at.warning[0].value
    at.button(key="question_set_newest").click().run()
    assert "Set 2, changed by Bob" in said(at) and not at.warning
    at = show(PAGE, item=one.item, gold=one.gold)
    assert "changed by Bob" in said(at) and any("Earlier sets (1)" in box.label for box in at.expander)
    at.button(key=f"question_set_{one.item}_{one.gold}_2_save").click().run()
    assert "Nothing was changed" in said(at)


def test_a_set_that_is_not_there_is_a_sentence(bench: Workbench, show: Show) -> None:
    at = show(PAGE, item="x", gold="y")
    assert "No question set of x" in said(at)
