"""The page of grades: a batch from its form to its figures, blind until it is closed, and judges held against people."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import Show
from tests.pages.runs import freeze, run
from tests.waiting import until
from tests.workbench.graded import begin, grade_all, no_echo, runs_in
from workbench import Workbench


def said(at: AppTest) -> str:
    kinds = ("caption", "subheader", "markdown", "success", "error", "warning", "info")
    return " ".join(str(one.value) for kind in kinds for one in getattr(at, kind)).replace("\\", "")


def tables(at: AppTest) -> str:
    return " ".join(table.value.to_string() for table in at.table).replace("\\", "")


def counted(at: AppTest) -> AppTest:
    """The page once it has counted the answers, which it does in the background."""
    until(lambda: "Counting answers" not in said(at.run()))
    return at


@pytest.fixture
def runs(bench: Workbench) -> list[str]:
    return runs_in(bench)


def test_a_batch_is_drawn_from_the_form_and_its_first_answer_comes(bench: Workbench, runs: list[str], show: Show) -> None:
    at = show("evaluate/grade")
    at.multiselect("grade_runs").set_value(runs).run()
    counted(at.number_input("grade_each").set_value(2).run())
    assert "16 answers to grade, 32 marks" in said(at).replace("*", "") and "2 of 10" in tables(at)
    counted(at.selectbox("grade_of").set_value("s_f1.offline").run())
    assert "verdicts to grade" in said(at).replace("*", "") and not at.error
    counted(at.selectbox("grade_of").set_value("").run())
    at.button("grade_start").click().run()
    assert not at.exception
    [one] = bench.grading.list_batches()
    assert at.query_params["batch"] == one.id and "Answer 1 of 16" in said(at)


def test_an_open_batch_names_no_system_and_a_closed_one_tells_all(bench: Workbench, runs: list[str], show: Show) -> None:
    batch = begin(bench, runs, each=2)
    at = show("evaluate/grade", batch=batch)
    assert "Answer 1 of 16" in said(at) and "0 of 16 done" in str([b.label for b in at.get("badge")] or said(at))
    for secret in ("oracle", "echo", *runs):
        assert secret not in said(at) + tables(at)
    grade_all(bench, batch, "Ada", no_echo)
    at = show("evaluate/grade", batch=batch)
    assert "You have graded all your answers" in said(at)
    grade_all(bench, batch, "Bob", no_echo)
    at = show("evaluate/grade", batch=batch)
    assert "Every answer has a mark" in said(at)
    at.button("grade_close").click().run()
    assert not at.exception
    assert "oracle" in tables(at) and "-1.000" in tables(at) and "Cohen's kappa of two people: 1.000" in said(at)


def test_a_lead_may_look_inside_and_an_annotator_grades_and_starts_nothing(
    bench: Workbench, runs: list[str], show: Show
) -> None:
    batch = begin(bench, runs, each=1)
    bench.people.give("Lea", "lead")
    bench.people.give("Ann", "annotator")
    at = show("evaluate/grade", person="Lea", batch=batch)
    assert "oracle" not in said(at), "it is not told unasked"
    at.toggle(f"grade_look_{batch}").set_value(True).run()
    assert "Systems: oracle" in said(at)
    at = show("evaluate/grade", person="Ann")
    assert "Only a lead or a researcher can start a batch" in said(at) and any(
        b.key == f"grade_open_{batch}" for b in at.button
    )
    at = show("evaluate/grade", person="Ann", batch=batch)
    assert "Answer 1 of 8" in said(at) and at.button("grade_close").disabled and not at.toggle
    bench.grading.close_batch(batch, "Lea")
    at = show("evaluate/grade", person="Ann", batch=batch)
    assert "oracle" not in said(at) + tables(at) and "may not see gradings" in said(at)


def test_marks_come_in_from_a_table_and_what_was_not_taken_is_told(bench: Workbench, runs: list[str], show: Show) -> None:
    batch = begin(bench, runs, each=1)
    at = show("evaluate/grade", batch=batch)
    assert at.button("grade_take").disabled
    rows = b"number,mark\n1,3\n2,incorrect\n3,<b>9</b>\n"
    at.file_uploader("grade_marks_file").set_value([("m.csv", rows, "text/csv")]).run()
    at.button("grade_take").click().run()
    assert not at.exception and "Marks stored: 2; refused: 1." in said(at) and "Line 4 has the mark '<b>9</b>'" in said(at)
    assert bench.grading.look_inside(batch).people == {"Ada": 2}


def test_judges_are_told_beside_people_and_marked_until_enough_was_seen(bench: Workbench, runs: list[str], show: Show) -> None:
    at = show("evaluate/grade", view="judges")
    until(lambda: "No judge has been compared with people yet" in said(at) or not at.run())
    batch = begin(bench, runs, each=5, graders=1)
    grade_all(bench, batch, "Ada", no_echo)
    bench.grading.close_batch(batch, "Lea")
    at = show("evaluate/grade", view="judges")
    until(lambda: len(at.table) > 1 or not at.run())
    assert "crag_truthfulness.offline" in tables(at) and "judge not calibrated" in tables(at) and "True positive" in tables(at)
    at = show("evaluate/results", run=runs[0])
    until(lambda: "not calibrated: " in " ".join(str(t.value) for t in at.text) or not at.run())


def test_a_batch_that_is_none_is_a_sentence(bench: Workbench, show: Show) -> None:
    assert "no batch nothing" in said(show("evaluate/grade", batch="nothing"))
    assert "No answers yet" in said(show("evaluate/grade"))


def test_nuggets_are_marked_in_three_grades_and_their_kappa_is_told(bench: Workbench, show: Show) -> None:
    freeze(bench)
    one = run(bench, "oracle", "offline", judges=("offline",), metrics=["nuggets"], sample=12)
    at = show("evaluate/grade")
    at.multiselect("grade_runs").set_value([one]).run()
    counted(at.selectbox("grade_of").set_value("nuggets.offline").run())
    assert "partial support The answer says an essential part" in said(at).replace("*", "") and not at.error
    at.number_input("grade_graders").set_value(1).run()
    at.button("grade_start").click().run()
    assert not at.exception
    [batch] = bench.grading.list_batches()
    assert "verdicts at nuggets.offline on samples: Support of a nugget" in said(at)
    grade_all(bench, batch.id, "Ada", lambda shown: "partial support" if shown.number % 2 else "support")
    bench.grading.close_batch(batch.id, "Lea")
    at = show("evaluate/grade", batch=batch.id)
    assert "Supported" in tables(at) and "Partial support" in tables(at) and "partial support ½" in said(at)
    at = show("evaluate/grade", view="judges")
    until(lambda: len(at.table) > 1 or not at.run())
    assert "nuggets by the scheme nugget support" in tables(at) and "judge: partial support" in tables(at)


def test_the_next_answers_are_chosen_until_the_marks_settle_it(bench: Workbench, runs: list[str], show: Show) -> None:
    def chosen(at: AppTest) -> AppTest:
        until(lambda: "Choosing answers" not in said(at.run()))
        return at

    at = chosen(show("evaluate/grade", view="next"))
    assert not at.exception and "Too few marks for an interval" in said(at)
    at = chosen(at.selectbox("next_run").set_value(runs[0]).run())
    at = chosen(at.selectbox("next_metric").set_value("token_f1").run())
    at.button("next_start").click().run()
    assert not at.exception
    [batch] = bench.grading.list_batches()
    assert at.query_params["batch"] == batch.id and batch.places == 40
    at = chosen(show("evaluate/grade", view="next"))
    grade_all(bench, batch.id, "Ada", lambda shown: "wrong" if shown.question in shown.answer else "right")
    bench.grading.close_batch(batch.id, "Ada")
    at = show("evaluate/grade", view="next")
    at.selectbox("next_run").set_value(runs[0]).run()
    at = chosen(at.selectbox("next_metric").set_value("token_f1").run())
    assert not at.exception and "settled after 40 marks" in said(at) and "beats" in said(at)
    assert "20 of 40" in tables(at) and "More questions" in tables(at)
