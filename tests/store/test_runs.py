"""Runs, traces and scores in the store."""

from dataclasses import replace

import pytest

from core.errors import BenchError
from core.nouns import Run, Score, Span, Step, System, Trace
from store.engine.database import Database
from store.runs import runs, traces
from store.runs.runs import JudgeVerdicts
from tests.store.stored_scores import store_scores

RUN = Run(
    "0123456789abcdef",
    "b2:0123456789abcdef00",
    System("vanilla", {"top_k": 5}),
    "r1",
    "b2:r",
    "offline",
    {"x": [1]},
    offline=("answer",),
)
TRACE = Trace(
    RUN.id,
    "a",
    None,
    "Paris",
    (Span("b2:d", 0, 9),),
    (
        Step("query", "Where?", about={"trigger": {"token": "Paris"}}),
        Step("retrieve", spans=(Span("b2:d", 0, 9),), seconds=0.5, scores=(1.5,)),
        Step("call", "x", call="b2:c"),
    ),
    1,
    100,
    5,
    1.25,
)


def test_the_same_run_again_is_the_stored_one() -> None:
    with Database.open(":memory:") as database:
        assert runs.create(database, RUN, [("a", None), ("a", "v"), ("b", None)]) == (RUN, True)
        assert runs.create(database, RUN) == (RUN, False)
        assert runs.get(database, "012345") == RUN == runs.get(database, RUN.id)
        other = replace(RUN, id="0123456700000000", identity="b2:0123456700000000", release="r2", agent=None)
        runs.create(database, other)
        assert runs.list_runs(database) == [RUN, other] and runs.list_runs(database, "r2") == [other]
        for bad in ("0123456", "01234", "ffffff"):
            with pytest.raises(BenchError, match=r"begin with|No run"):
                runs.get(database, bad)


def test_a_trace_comes_back_as_it_went_in_and_is_stored_once() -> None:
    failed = Trace(RUN.id, "a", "v", stop="timeout", error="no answer in 60 s")
    empty = Trace(RUN.id, "b", None, "", ())
    with Database.open(":memory:") as database:
        runs.create(database, RUN, [("b", None), ("a", None), ("a", "v"), ("c", None)])
        runs.add_traces(database, [TRACE, failed])
        runs.add_traces(database, [replace(TRACE, answer="Rome"), empty])
        assert runs.load_traces(database, RUN.id) == [TRACE, failed, empty]
        assert runs.load_traces(database, "other") == []


def test_a_failure_is_replaced_with_its_scores_once_its_question_has_a_new_outcome_and_no_other() -> None:
    down = Trace(RUN.id, "b", None, stop="engine", error="Shelf failed.")
    slow = Trace(RUN.id, "c", None, stop="timeout", error="no answer in 60 s")
    elsewhere = replace(down, run="other")
    answered = replace(TRACE, stop="engine")
    scores = [Score(RUN.id, item, None, "truthfulness", "1", 0.0) for item in ("a", "b", "c")]
    verdicts = [JudgeVerdicts(RUN.id, item, None, "truthfulness", "1", {"x": 1}) for item in ("a", "b", "c")]
    with Database.open(":memory:") as database:
        runs.create(database, RUN, [("a", None), ("b", None), ("c", None)])
        runs.add_traces(database, [answered, down, slow, elsewhere])
        store_scores(database, scores)
        database.write(lambda cursor: runs.insert_judgements(cursor, verdicts))
        better, again = replace(TRACE, item="b"), replace(slow, error="no answer in 90 s")
        runs.add_traces(database, [better, replace(answered, answer="Rome")])
        assert runs.load_traces(database, RUN.id) == [answered, slow, better], "an answer is kept"
        assert runs.load_traces(database, "other") == [elsewhere]
        assert runs.load_scores(database, RUN.id) == [scores[0], scores[2]]
        assert [one.item for one in runs.load_judgements(database, RUN.id)] == ["a", "c"]
        runs.add_traces(database, [again])
        assert runs.load_traces(database, RUN.id) == [answered, better, again], "a new failure replaces the old one"
        assert [one.item for one in runs.load_scores(database, RUN.id)] == ["a"]


def test_a_score_of_the_same_version_is_replaced_and_none_stays_none() -> None:
    score = Score(RUN.id, "a", None, "s_f1.precision", "1", None, "no judge")
    with Database.open(":memory:") as database:
        store_scores(database, [score, replace(score, variant="v", value=0.5, why="")])
        better = replace(score, value=0.25, why="")
        store_scores(database, [better, replace(better, value=0.75), replace(score, version="2")])
        assert [(s.variant, s.version, s.value, s.why) for s in runs.load_scores(database, RUN.id)] == [
            (None, "1", 0.75, ""),
            (None, "2", None, "no judge"),
            ("v", "1", 0.5, ""),
        ]


def test_a_run_counts_each_scored_answer_once_and_none_is_estimated() -> None:
    with Database.open(":memory:") as db:
        run, names = RUN, [f"i{n}" for n in range(300)]
        runs.create(db, run)
        runs.add_traces(db, [replace(TRACE, run=run.id, item=name) for name in names])
        store_scores(db, [Score(run.id, name, None, metric, "1", 1.0) for name in names[1:] for metric in ("a", "b")])
        (tally,) = traces.load_tallies(db)
        assert (tally.answered, tally.scored) == (300, 299)


def test_a_value_that_is_no_number_is_stored_as_none_with_its_reason() -> None:
    with Database.open(":memory:") as database:
        values = [float("nan"), float("inf"), 0.0]
        store_scores(database, [Score(RUN.id, "a", None, f"m{n}", "1", value) for n, value in enumerate(values)])
        assert [(s.value, s.why) for s in runs.load_scores(database, RUN.id)] == [(None, "not a finite number")] * 2 + [
            (0.0, "")
        ]


def test_what_a_judge_said_is_kept_beside_the_scores() -> None:
    said = JudgeVerdicts(RUN.id, "a", None, "s_f1", "1", {"supported": ["A"], "reply": "A\n甲"})
    with Database.open(":memory:") as database:
        database.write(lambda cursor: runs.insert_judgements(cursor, [said]))
        assert runs.load_judgements(database, RUN.id) == [said]
