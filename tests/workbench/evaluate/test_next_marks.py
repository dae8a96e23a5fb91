"""People's marks where they count: the next answers of a comparison, its strata, its intervals, and when marking may stop."""

from collections import Counter

import pytest

from core.errors import BenchError, NotAllowed
from store.runs import grades, runs
from tests.waiting import until
from tests.workbench.graded import begin, grade_all
from workbench import Workbench, actor
from workbench.evaluate.grading.grading_desk import GradingSheet
from workbench.evaluate.grading.next_marks import MarkingPlan, MarkingRequest
from workbench.evaluate.scoring.human_marks import marks_of


@pytest.fixture
def request_of_both(bench: Workbench) -> MarkingRequest:
    """Oracle against echo, by token F1."""
    oracle, echo = (run.id for run in runs.list_runs(bench.database))
    return MarkingRequest(oracle, echo, "token_f1", size=12)


def plan(bench: Workbench, request: MarkingRequest) -> MarkingPlan:
    until(lambda: bench.next_marks.plan(request).is_ready)
    found = bench.next_marks.plan(request).value
    assert found is not None
    return found


def right(shown: GradingSheet) -> str:
    """right for whatever does not just give the question back."""
    return "wrong" if shown.question in shown.answer else "right"


def mark_batch(bench: Workbench, request: MarkingRequest) -> str:
    batch = bench.next_marks.start(request, "Lea")
    grade_all(bench, batch, "Ann", right)
    bench.grading.close_batch(batch, "Lea")
    return batch


def test_a_batch_has_both_answers_to_random_questions_of_every_stratum(
    bench: Workbench, request_of_both: MarkingRequest
) -> None:
    before = plan(bench, request_of_both)
    assert before.verdict == "too few" and before.interval.mean is None and (before.marked, before.questions) == (0, 40)
    assert sum(stratum.next for stratum in before.strata) == 12 and not before.forecast
    batch = bench.next_marks.start(request_of_both, "Lea")
    places = grades.load_places(bench.database, batch)
    assert Counter(place.run for place in places) == {request_of_both.run: 12, request_of_both.against: 12}
    assert Counter(place.stratum for place in places) == {s.name: 2 * s.next for s in before.strata if s.next}
    [stored] = grades.list_gradings(bench.database)
    assert (stored.by, stored.each, stored.seed) == ("token_f1", 0, 13)
    assert sum(stored.sizes[request_of_both.run].values()) == 40
    with pytest.raises(BenchError, match="is open: close it first"):
        bench.next_marks.start(request_of_both, "Lea")
    assert plan(bench, request_of_both).is_open


def test_marks_settle_which_system_is_better_and_cost_what_was_recorded(
    bench: Workbench, request_of_both: MarkingRequest
) -> None:
    first = mark_batch(bench, request_of_both)
    second = mark_batch(bench, request_of_both)
    asked = [{place.item for place in grades.load_places(bench.database, batch)} for batch in (first, second)]
    assert len(asked[0]) == len(asked[1]) == 12 and not asked[0] & asked[1], "nobody marks a question twice"
    found = plan(bench, request_of_both)
    assert (found.marked, found.marks, found.unresolved, found.untimed) == (24, 48, 0, 0)
    assert found.seconds == pytest.approx(48 * 2.0)
    assert found.interval.mean == pytest.approx(1.0) and found.interval.always_low is not None
    assert found.interval.always_low < (found.interval.low or 0) < 1
    assert found.verdict == "above" and found.says.startswith("oracle") and "settled after 48 marks" in found.says
    assert found.forecast[-1].units == 16 and found.forecast[-1].half == pytest.approx(0, abs=1e-9), "then all are marked"
    assert found.forecast[-1].seconds == pytest.approx(16 * 4.0)
    other_way = plan(bench, MarkingRequest(request_of_both.against, request_of_both.run, "token_f1", size=12))
    assert (other_way.marked, other_way.verdict, other_way.sides) == (24, "below", found.sides), "in either direction"
    assert other_way.interval.always_high == pytest.approx(-found.interval.always_low)
    assert other_way.names == found.names[::-1] and other_way.says == found.says


def test_questions_without_an_agreed_mark_are_counted_apart(bench: Workbench, request_of_both: MarkingRequest) -> None:
    request = MarkingRequest(request_of_both.run, request_of_both.against, "token_f1", size=12, graders=2)
    batch = bench.next_marks.start(request, "Lea")
    grade_all(bench, batch, "Ann", right)
    odd = {place.key for place in grades.load_places(bench.database, batch)[:4]}
    grade_all(bench, batch, "Bob", lambda shown: "wrong" if shown.place in odd and right(shown) == "right" else right(shown))
    conflicts = bench.grading.list_batches()[0].conflicts
    bench.grading.close_batch(batch, "Lea")
    assert conflicts > 0
    for _ in range(2):
        found = plan(bench, request)
        assert (found.unresolved, found.marked, found.marks) == (conflicts, 12 - conflicts, 24 - conflicts)
        assert found.seconds == pytest.approx((24 * 2) * 2.0), "the time of marks that came to nothing was spent too"
        if not found.is_open:
            bench.next_marks.start(request, "Lea")


def test_marks_of_other_batches_and_of_changed_scores_do_not_count(bench: Workbench, request_of_both: MarkingRequest) -> None:
    both = [request_of_both.run, request_of_both.against]
    drawn = begin(bench, both, each=2, scheme="right_wrong", graders=1)
    grade_all(bench, drawn, "Ann", right)
    bench.grading.close_batch(drawn, "Lea")
    found = plan(bench, request_of_both)
    assert (found.marked, found.other_batches) == (0, 1)
    mark_batch(bench, request_of_both)
    assert plan(bench, request_of_both).marked == 12
    scores = runs.load_scores(bench.database, both[1])
    bench.database.write(lambda cursor: cursor.execute("UPDATE score SET value = 1 - value WHERE metric = 'token_f1'"))
    assert scores and (plan(bench, request_of_both).marked, plan(bench, request_of_both).other_batches) == (0, 2)


def test_without_a_metric_strata_are_levels_and_a_run_alone_has_a_mean(
    bench: Workbench, request_of_both: MarkingRequest
) -> None:
    request = MarkingRequest(request_of_both.run, size=24, width=0.2)
    before = plan(bench, request)
    assert {stratum.name for stratum in before.strata} == set("1234") and before.tuning == 0
    assert [stratum.next for stratum in before.strata] == [6, 6, 6, 6]
    mark_batch(bench, request)
    found = plan(bench, request)
    assert found.interval.mean == 1.0 and (found.marked, found.marks) == (24, 24) and found.verdict in ("narrow", "go on")
    assert plan(bench, MarkingRequest(request.run, size=24, width=0.9)).verdict == "narrow"


def test_equal_answers_need_no_mark_but_three_keep_single_means_right(
    bench: Workbench, request_of_both: MarkingRequest
) -> None:
    run, against = request_of_both.run, request_of_both.against
    copied = f"""
        UPDATE trace SET answer = (SELECT o.answer FROM trace o WHERE o.run = '{run}' AND o.item = trace.item)
        WHERE run = '{against}' AND item IN (SELECT item FROM trace WHERE run = '{run}' ORDER BY item LIMIT 20)
        """
    bench.database.write(lambda cursor: cursor.execute(copied))
    found = plan(bench, request_of_both)
    assert (found.questions, found.known) == (40, 20) and sum(stratum.size for stratum in found.strata) == 20
    mark_batch(bench, request_of_both)
    first = grades.load_places(bench.database, grades.list_gradings(bench.database)[0].id)
    assert Counter(place.stratum for place in first)["the same answer"] == 6
    assert plan(bench, request_of_both).marked == 12
    by_mark = {(mark.item, mark.variant): mark.times for mark in marks_of(bench.database, run)}
    assert sum(by_mark.values()) == pytest.approx(40), "the marks stand for all answers of the run"
    mark_batch(bench, request_of_both)
    by_mark = {(mark.item, mark.variant): mark.times for mark in marks_of(bench.database, run)}
    assert len(by_mark) == 23 and sum(by_mark.values()) == pytest.approx(40)
    done = plan(bench, request_of_both)
    assert done.marked == 20 and done.interval.mean == pytest.approx(0.5), "20 of 40 differ, all by 1"
    with pytest.raises(BenchError, match="nothing is left to mark"):
        bench.next_marks.start(request_of_both, "Lea")


def test_requests_that_cannot_be_planned_say_why(bench: Workbench, request_of_both: MarkingRequest) -> None:
    run, against = request_of_both.run, request_of_both.against
    for request, why in (
        (MarkingRequest(run, against, "bleu"), "no scores of bleu: score them, or choose one of .*token_f1"),
        (MarkingRequest(run, run), "two different runs"),
        (MarkingRequest(run, against, size=0), "1 to 2,500 questions"),
        (MarkingRequest(run, scheme="nugget_support"), "four_grades or right_wrong"),
        (MarkingRequest(run, width=0), "a width above 0"),
        (MarkingRequest("nothing"), "No run nothing"),
    ):
        with pytest.raises(BenchError, match=why):
            bench.next_marks.start(request, "Lea")
    with pytest.raises(BenchError, match="Give your name"):
        bench.next_marks.start(request_of_both, " ")
    assert "token_f1" in bench.next_marks.list_metrics(request_of_both)
    bench.people.give("Lea", "admin")
    bench.people.give("Ann", "annotator")
    with actor.act_as("Ann"), pytest.raises(NotAllowed):
        bench.next_marks.plan(request_of_both)
