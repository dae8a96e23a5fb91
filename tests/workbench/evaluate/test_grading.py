"""A batch of answers from its draw to its figures: blind, in a seeded order, two marks each, a third where they differ."""

import csv
import io
import json
from collections import Counter

import pytest

from core.errors import BenchError, NotAllowed
from core.nouns import Trace
from store.runs import grades, runs
from tests.waiting import until
from tests.workbench.graded import begin, grade_all, no_echo, run_of
from workbench import Workbench, actor
from workbench.evaluate.grading.calibrations import Calibrations
from workbench.evaluate.grading.grading_desk import GradingSheet
from workbench.evaluate.grading.grading_draw import EMPTY, FAILED, GradingPlan


@pytest.fixture
def both(bench: Workbench) -> list[str]:
    """Oracle, then echo."""
    return [run.id for run in runs.list_runs(bench.database)]


def test_a_batch_draws_so_many_of_each_system_and_level_the_same_questions_in_a_seeded_order(
    bench: Workbench, both: list[str]
) -> None:
    found = grades.load_places(bench.database, begin(bench, both, each=3))
    assert Counter((p.run, p.stratum) for p in found) == {(run, level): 3 for run in both for level in "1234"}
    asked = [{p.item for p in found if p.run == run} for run in both]
    assert asked[0] == asked[1], "pairs on the same questions"
    assert [p.number for p in found] == list(range(1, 25)) and len({p.run for p in found[:8]}) == 2, "the systems are mixed"
    again = grades.load_places(bench.database, begin(bench, both, each=3))
    assert [(p.run, p.item) for p in again] == [(p.run, p.item) for p in found]
    other = grades.load_places(bench.database, begin(bench, both, each=3, seed=8))
    assert {p.item for p in other} != asked[0]


def test_sizes_are_told_before_and_a_batch_that_cannot_be_drawn_says_why(bench: Workbench, both: list[str]) -> None:
    plan = GradingPlan(both, each=3, by="language")
    until(lambda: bench.grading.sizes(plan).is_ready)
    sizes = bench.grading.sizes(plan).value
    assert sizes is not None
    assert sizes[both[0]] == sizes[both[1]] and sum(n for n, _ in sizes[both[0]].values()) == 40
    assert {taken for _, taken in sizes[both[0]].values()} == {3} and not bench.grading.list_batches()
    for plan, why in (
        (GradingPlan([]), "at least one run"),
        (GradingPlan(both, each=0), "at least one answer"),
        (GradingPlan(both, scheme="stars"), "four grades, or"),
        (GradingPlan(both, graders=9), "1 to 5"),
        (GradingPlan(both, scheme="right_wrong", of="faithfulness"), "a verdict of faithfulness"),
        (GradingPlan(["nothing"]), "No run nothing"),
    ):
        with pytest.raises(BenchError, match=why):
            bench.grading.start(plan, "Lea")
    with pytest.raises(BenchError, match="Give your name"):
        bench.grading.start(GradingPlan(both), " ")


def test_what_is_shown_tells_neither_system_nor_run_nor_what_others_think(bench: Workbench, both: list[str]) -> None:
    batch = begin(bench, both, each=2)
    place = bench.grading_desk.find_next(batch, "Ann")
    assert place is not None
    bench.grading_desk.mark(batch, place, "Ann", "k", "incorrect", comment="a date too early")
    shown = bench.grading_desk.load_sheet(batch, place, "Bob")
    said = repr(shown)
    for secret in (*both, "oracle", "echo", "offline", "Ann", "a date too early", "token_f1"):
        assert secret not in said, secret
    assert shown.question and shown.golds and shown.evidence[0].text and shown.between == []
    assert "oracle" not in repr(bench.grading.list_batches()) and both[0] not in repr(bench.grading.list_batches())
    with pytest.raises(BenchError, match="open"):
        bench.grading.result(batch)
    with pytest.raises(BenchError, match="open"):
        bench.grading.export_lines(batch)


def test_two_grade_blind_a_third_decides_where_they_differ_and_the_figures_are_of_what_was_resolved(
    bench: Workbench, both: list[str]
) -> None:
    batch = begin(bench, both, each=3)
    assert grade_all(bench, batch, "Ann", no_echo) == 24
    odd: list[str] = []

    def bob(shown: GradingSheet) -> str:
        odd.append(shown.place)
        return "acceptable" if len(odd) <= 4 else no_echo(shown)

    assert grade_all(bench, batch, "Bob", bob) == 24
    assert grade_all(bench, batch, "Ann", no_echo) == 0, "nobody decides between their own mark and another's"
    assert bench.grading.list_batches()[0].conflicts == 4
    place = bench.grading_desk.find_next(batch, "Cem")
    assert place in odd[:4]
    between = bench.grading_desk.load_sheet(batch, str(place), "Cem").between
    assert len(between) == 2 and {one.mark for one in between} >= {"acceptable"} and "Ann" not in repr(between)
    assert grade_all(bench, batch, "Cem", lambda shown: "acceptable") == 4
    assert bench.grading.list_batches()[0].done == 24
    bench.grading.close_batch(batch, "Lea")
    found = bench.grading.result(batch)
    assert (found.twice, found.same, found.resolved, found.left_out) == (24, 20, 4, [])
    assert found.agreement.value is not None and 0 < found.agreement.value < 1 and found.agreement.low is not None
    assert found.people == {"Ann": 24, "Bob": 24}
    oracle, echo = found.systems
    assert oracle.name.startswith("oracle") and (oracle.of, sum(oracle.counts.values()), oracle.unresolved) == (40, 12, 0)
    assert oracle.mean.mean is not None and echo.mean.mean is not None and oracle.mean.mean > echo.mean.mean
    assert oracle.mean.low is not None and oracle.mean.low < oracle.mean.mean < (oracle.mean.high or 0)
    with pytest.raises(BenchError, match="closed"):
        bench.grading_desk.mark(batch, str(place), "Dora", "k", "perfect")


def test_a_mean_counts_each_level_for_what_it_is_of_the_run(bench: Workbench, both: list[str]) -> None:
    batch = begin(bench, both[:1], each=2, by="domain", graders=1)
    domain = {p.key: p.stratum for p in grades.load_places(bench.database, batch)}
    first = min(domain.values())
    grade_all(bench, batch, "Ann", lambda shown: "perfect" if domain[shown.place] == first else "missing")
    bench.grading.close_batch(batch, "Lea")
    [system] = bench.grading.result(batch).systems
    sizes = grades.list_gradings(bench.database)[0].sizes[both[0]]
    assert system.mean.mean == pytest.approx(sizes[first] / sum(sizes.values()))
    assert bench.grading.result(batch).agreement.value is None, "one mark each agrees with nobody"


def test_failed_and_empty_answers_are_missing_by_rule_with_four_grades_and_failed_ones_no_question_of_right_or_wrong(
    bench: Workbench, both: list[str]
) -> None:
    (first, second, *_) = runs.load_traces(bench.database, both[0])
    failed = Trace(both[0], first.item, stop="timeout", error="Too late.")
    for trace in (failed, Trace(both[0], second.item, answer=" ")):
        bench.database.write(
            lambda cursor, t=trace: cursor.execute(
                "UPDATE trace SET answer = ?, stop = ? WHERE run = ? AND item = ?", [t.answer, t.stop, t.run, t.item]
            ).fetchall()
        )
    four = grades.load_places(bench.database, begin(bench, both[:1], each=40))
    by_rule = {(p.item, p.mark, p.why) for p in four if p.mark}
    assert by_rule == {(first.item, "missing", FAILED), (second.item, "missing", EMPTY)}
    two = grades.load_places(bench.database, begin(bench, both[:1], each=40, scheme="right_wrong"))
    assert len(four) == 40 and {p.item for p in four} - {p.item for p in two} == {first.item} and not any(p.mark for p in two)


def test_two_people_are_not_given_more_answers_than_are_wanted_and_an_undone_mark_comes_again(
    bench: Workbench, both: list[str]
) -> None:
    batch = begin(bench, both[:1], each=1, by="", graders=1)
    place = bench.grading_desk.find_next(batch, "Ann")
    assert place and bench.grading_desk.find_next(batch, "Ann") == place
    assert bench.grading_desk.find_next(batch, "Bob") is None, "Ann looks at the only one"
    bench.grading_desk.mark(batch, place, "Ann", "k1", "perfect")
    bench.grading_desk.mark(batch, place, "Ann", "k1", "missing")
    own = bench.grading_desk.load_sheet(batch, place, "Ann").standing
    assert own == ("perfect", ""), "one press is one mark"
    bench.grading_desk.mark(batch, place, "Ann", "k2", "missing")
    own = bench.grading_desk.load_sheet(batch, place, "Ann").standing
    assert own is not None and own.mark == "missing"
    with pytest.raises(BenchError, match="in the meantime"):
        bench.grading_desk.mark(batch, place, "Bob", "k3", "perfect")
    assert bench.grading_desk.undo(batch, "Ann", "u1") == place and bench.grading_desk.find_next(batch, "Bob") == place
    with pytest.raises(BenchError, match="nothing to undo"):
        bench.grading_desk.undo(batch, "Ann", "u2")


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"person": " "}, "Give your name first"),
        ({"mark": "right"}, "not a mark of this batch"),
        ({"seconds": float("nan")}, "not a number"),
        ({"comment": "x" * 5_001}, "too long"),
        ({"place": "nowhere/1"}, "No such answer"),
    ],
)
def test_a_mark_that_cannot_be_stored_says_why(bench: Workbench, both: list[str], more: dict[str, object], why: str) -> None:
    batch = begin(bench, both[:1], each=1)
    given = {"place": f"{batch}/1", "person": "Ann", "key": "k", "mark": "perfect"} | more
    with pytest.raises(BenchError, match=why):
        bench.grading_desk.mark(batch, **given)  # type: ignore[arg-type]
    assert not grades.load_grades(bench.database, batch)


def test_a_file_has_crags_codes_and_the_marks_of_each(bench: Workbench, both: list[str]) -> None:
    batch = begin(bench, both[:1], each=1)
    grade_all(bench, batch, "Ann", lambda shown: "acceptable")
    grade_all(bench, batch, "Bob", lambda shown: "acceptable")
    bench.grading.close_batch(batch, "Lea")
    rows = [json.loads(line) for line in bench.grading.export_lines(batch).splitlines()]
    assert len(rows) == 4 and {(row["mark"], row["code"], row["state"]) for row in rows} == {("acceptable", 2, "agreed")}
    assert rows[0]["marks"] == {"Ann": "acceptable", "Bob": "acceptable"} and rows[0]["run"] == both[0]


def test_answers_go_out_as_a_table_that_tells_no_system_and_come_in_with_crags_figures(
    bench: Workbench, both: list[str]
) -> None:
    batch = begin(bench, both, each=1)
    sheet = bench.grading_files.sheet(batch).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(sheet)))
    assert [row["number"] for row in rows] == [str(n) for n in range(1, 9)]
    assert not any(name in sheet for name in (*both, "oracle", "echo"))
    at_the_desk = bench.grading_desk.load_sheet(batch, f"{batch}/3", "Ann")
    assert (rows[2]["question"], rows[2]["answer"]) == (at_the_desk.question, at_the_desk.answer)
    filled = "number,mark,comment\n1,3,good\n2,0,\n3,1,\n4,2.0,\n5,Perfect,\n6,,later\n"
    first = bench.grading_files.take(batch, "Ann", filled.encode())
    assert (first.stored, first.already, first.blank, first.refused) == (5, 0, 1, [])
    given = grades.load_grades(bench.database, batch)
    assert [given[f"{batch}/{n}"][0].mark for n in range(1, 6)] == ["perfect", "missing", "incorrect", "acceptable", "perfect"]
    assert given[f"{batch}/1"][0].comment == "good"
    again = bench.grading_files.take(batch, "Ann", filled.replace("2,0,", "2,3,").encode())
    assert (again.stored, again.already) == (1, 4)
    own = bench.grading_desk.load_sheet(batch, f"{batch}/2", "Ann").standing
    assert own is not None and own.mark == "perfect"


def test_a_file_of_several_people_is_resolved_as_at_the_desk_and_takes_somebody_who_begins_batches(
    bench: Workbench, both: list[str]
) -> None:
    batch = begin(bench, both[:1], each=1)
    lines = "".join(
        json.dumps({"number": n, "person": who, "code": code}) + "\n"
        for n, who, code in ((1, "Ann", 3), (1, "Bob", 3), (2, "Ann", 3), (2, "Bob", 2), (2, "Cem", 2), (1, "Cem", 0))
    )
    bench.people.give("Lea", "lead")
    bench.people.give("Ann", "annotator")
    with actor.act_as("Ann"), pytest.raises(NotAllowed):
        bench.grading_files.take(batch, "Ann", lines.encode())
    assert not grades.load_grades(bench.database, batch)
    found = bench.grading_files.take(batch, "Lea", lines.encode())
    assert (found.stored, found.refused) == (5, ["Line 6 is of an answer that already has its 2 marks."])
    bench.grading.close_batch(batch, "Lea")
    result = bench.grading.result(batch)
    assert (result.twice, result.same, result.resolved) == (2, 1, 1) and result.systems[0].counts["acceptable"] == 1


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("9,3", "answers 1 to 4"),
        ("x,3", "'x'"),
        (",3", "names no answer"),
        ("1,4", "and the numbers 0 to 3"),
        ("1,good", "'good'"),
        ("2,0", "gives another mark to the answer of line 2"),
        ("1,-1", "'-1'"),
    ],
)
def test_a_row_that_is_no_mark_is_told_and_the_rest_is_taken(bench: Workbench, both: list[str], row: str, why: str) -> None:
    batch = begin(bench, both[:1], each=1)
    found = bench.grading_files.take(batch, "Ann", f"number,mark\n2,1\n{row}\n3,2\n".encode())
    assert found.stored == 2 and len(found.refused) == 1 and found.refused[0].startswith("Line 3 ") and why in found.refused[0]


@pytest.mark.parametrize(("raw", "why"), [(b"PK\xff", "not UTF-8"), (b"a,b\n1,2\n", "no columns"), (b"", "no columns")])
def test_a_file_that_is_none_is_a_sentence(bench: Workbench, both: list[str], raw: bytes, why: str) -> None:
    batch = begin(bench, both[:1], each=1)
    with pytest.raises(BenchError, match=why):
        bench.grading_files.take(batch, "Ann", raw)
    bench.grading.close_batch(batch, "Lea")
    with pytest.raises(BenchError, match="closed"):
        bench.grading_files.take(batch, "Ann", b"number,mark\n1,3\n")


def test_a_leads_look_at_an_open_batch_names_what_is_in_it(bench: Workbench, both: list[str]) -> None:
    batch = begin(bench, both, each=1)
    grade_all(bench, batch, "Ann", no_echo)
    inside = bench.grading.look_inside(batch)
    assert [name.split()[0] for name in inside.systems] == ["oracle", "echo"] and inside.people == {"Ann": 8}
    assert run_of(bench, f"{batch}/1") in both


def table(bench: Workbench) -> Calibrations:
    found = bench.calibrations.table()
    until(lambda: bench.calibrations.table().is_ready)
    return found.value or bench.calibrations.table().value  # type: ignore[return-value]


def test_judges_are_held_against_closed_batches_alone_and_a_run_tells_its_corrected_mean(
    bench: Workbench, both: list[str]
) -> None:
    batch = begin(bench, both, each=7, graders=1)
    grade_all(bench, batch, "Ann", no_echo)
    assert table(bench).judges == [], "what an open batch holds is told to nobody"
    before = json.loads(bench.reports.report(both, form="json"))["runs"]
    assert {one["why"] for run in before for one in run["judges"]} == {"judge not calibrated: no person marked what it judged"}
    bench.grading.close_batch(batch, "Lea")
    found = table(bench)
    crag, s_f1 = ([one for one in found.judges if one["metric"] == f"{name}.offline"] for name in ("crag_truthfulness", "s_f1"))
    assert [one["n"] for one in crag] and sum(one["n"] for one in crag) == 56 and {one["judge"] for one in crag} == {"offline"}
    assert all(one["prompt"].startswith("judge/correct.") for one in crag), "a prompt of each language by itself"
    assert all(one["prompt"].startswith("judge/containment.") for one in s_f1)
    after = json.loads(bench.reports.report(both, form="json"))["runs"]
    lines = [one for run in after for one in run["judges"] if one["metric"] == "crag_truthfulness.offline"]
    assert [(one["n"], one["corrected"]["of"]) for one in lines] == [(28, 40), (28, 40)]
    assert lines[0]["corrected"]["value"] is not None
    assert "Judges against people" in bench.reports.report(both, form="table")
    told = bench.reports.report(both, form="table", preset="crag_judge")
    assert "accurate" in told and "crag_truthfulness.offline, s_f1.offline by offline: judge not calibrated" in told


def test_single_verdicts_of_a_judge_are_graded_against_the_text_that_it_read(bench: Workbench, both: list[str]) -> None:
    assert bench.grading.verdicts(both) == {"s_f1.offline": "offline"}
    batch = begin(bench, both[:1], of="s_f1.offline", scheme="right_wrong", by="", each=12, graders=1)
    sides: Counter[str] = Counter()

    def contained(shown: GradingSheet) -> str:
        claim = shown.claim
        assert claim and claim.sentence and claim.asks == "Does the text say what the sentence says?" and not claim.passages
        side = "recall" if claim.text == shown.answer else "precision"
        assert side == "recall" or claim.text == shown.golds[0]
        sides[side] += 1
        return "right" if claim.sentence.strip(".") in claim.text else "wrong"

    assert grade_all(bench, batch, "Ann", contained) == 12 and len(sides) == 2
    assert "value" not in repr(bench.grading_desk.load_sheet(batch, f"{batch}/1", "Bob").claim), "nor what the judge said"
    bench.grading.close_batch(batch, "Lea")
    [line] = [one for one in table(bench).runs if one["per"] == "claim"]
    every = [
        v
        for said in runs.load_judgements(bench.database, both[0])
        if said.metric == "s_f1.offline"
        for v in said.details["verdicts"]
        if v["value"] is not None
    ]
    assert (line["metric"], line["n"], line["raw"]["n"]) == ("s_f1.offline", 12, len(every))
    assert line["raw"]["value"] == pytest.approx(sum(v["value"] for v in every) / len(every))
    assert sum(one["n"] for one in table(bench).judges) == 12
