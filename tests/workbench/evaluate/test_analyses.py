"""Analyses over runs of agents made by hand: each answer has its response type, a part of a bar leads to its answers, and in
one of them every place where the gold answer stood is marked, letter by letter."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, get_args

import pytest

from core.errors import BenchError
from core.nouns import Step, Trace
from eval.papers.matching import RadarCell
from tests.waiting import until
from tests.workbench.worked import PLAY, TEXT, TYPES, add, fill
from workbench import Workbench
from workbench.background_cache import RunningWork
from workbench.evaluate.results.analyses import ResponseType, TypeBoard, TypedAnswer
from workbench.evaluate.traces.work_records import split_turns

T = TypeVar("T")
KINDS: tuple[ResponseType, ...] = get_args(ResponseType)


@pytest.fixture
def bench() -> Iterator[Workbench]:
    with Workbench.open(":memory:") as one:
        fill(one)
        yield one


def ready(ask: Callable[[], RunningWork[T]]) -> T:
    until(lambda: ask().is_ready)
    value = ask().value
    assert value is not None
    return value


def answers(bench: Workbench, run: str, kind: ResponseType, **given: Any) -> list[TypedAnswer]:
    found, total = ready(lambda: bench.analyses.answers(run, kind, **given))
    assert total == len(found)
    return found


def types_of(bench: Workbench, ids: Sequence[str], **given: Any) -> TypeBoard:
    return ready(lambda: bench.analyses.types(ids, **given))


def test_every_answer_is_of_the_type_that_its_trace_and_scores_tell(bench: Workbench) -> None:
    ids = {system: add(bench, system) for system in TYPES}
    for system, types in TYPES.items():
        found = {one.asked.item: kind for kind in KINDS for one in answers(bench, ids[system], kind)}
        assert found == types
    board = types_of(bench, list(ids.values()))
    assert [(line.name, line.responses.n) for line in board.lines] == [("react openai:m", 4), ("pal openai:m", 4)]
    assert board.lines[1].responses.of["RE"] == 2 and board.lines[0].responses.share("ME") == 0.25


def test_threshold_and_scratchpad_move_the_types(bench: Workbench) -> None:
    run = add(bench, "pal")
    assert [one.asked.item for one in answers(bench, run, "AM", whole=False)] == ["a"]
    assert [one.asked.item for one in answers(bench, run, "EM", whole=True)] == ["a", "b"], "it wrote its own answer"
    assert types_of(bench, [run]).lines[0].responses.of["RE"] == 2
    assert types_of(bench, [run], threshold=0.0).lines[0].responses.of["RE"] == 0, "everything matches from 0 on"


def test_a_cell_counts_its_own_questions_alone(bench: Workbench) -> None:
    run = add(bench, "pal")
    board = types_of(bench, [run], cell=RadarCell("films", "KA"))
    assert board.lines[0].responses.of["RE"] == board.lines[0].responses.n == 2
    assert [cell.label for cell in board.cells] == ["films KA", "people KS"]
    assert answers(bench, run, "EM", cell=RadarCell("films", "KA")) == []


def test_systems_of_two_seasons_are_not_laid_side_by_side(bench: Workbench) -> None:
    ids = [add(bench, "react"), add(bench, "pal", "v2")]
    assert "2 seasons (releases v1, v2)" in bench.analyses.why_not(ids) and bench.analyses.why_not(ids[:1]) == ""
    with pytest.raises(BenchError, match="choose runs of one release"):
        bench.analyses.types(ids)


def test_runs_without_the_reward_say_what_to_score_with(bench: Workbench) -> None:
    run = add(bench, "pal")
    bench.database.write(lambda cursor: cursor.execute("DELETE FROM score"))
    with pytest.raises(BenchError, match="score them with one of the two"):
        types_of(bench, [run])


def test_the_gold_answer_is_marked_wherever_the_metric_finds_it(bench: Workbench) -> None:
    run = add(bench, "react")
    found = bench.traces.work(run, "b")
    assert found is not None and (found.kind, found.times, found.stop) == ("GE", 1, "finished")
    (call, end) = found.turns
    assert call.seen[0].pieces == [("BEA-SUND? ", False), ("Bea  Sund", True), (" wrote The Long Weir.", False)]
    assert call.passages == [("The Long Weir", PLAY)] and (call.kind, end.kind) == ("call", "ends")
    first = bench.traces.work(run, "a")
    assert first is not None and first.turns[0].thought == [("I look for <b>her</b>.", False)]
    assert ("Orrow Mill", True) in first.turns[0].seen[0].pieces


def test_what_went_wrong_and_what_failed_are_told(bench: Workbench) -> None:
    run = add(bench, "react")
    broken, failed = bench.traces.work(run, "c"), bench.traces.work(run, "d")
    assert broken is not None and failed is not None
    assert (broken.kind, broken.turns[0].seen[0].trouble, broken.times) == ("TE", "unknown_function", 0)
    assert (failed.kind, failed.stop, list(failed.turns)) == ("ME", "model_error", [])


def test_what_a_search_brought_is_seen_and_a_gold_over_two_texts_is_marked_in_both() -> None:
    trace = Trace(
        "r",
        "b",
        answer="x",
        steps=(Step("retrieve", "who?", spans=(PLAY,)), Step("observation", "Bea"), Step("observation", "sund, she")),
    )
    (turn,), times = split_turns(trace, ["Bea Sund"], {PLAY: ("The Long Weir", TEXT[:29])}, whole=False)
    assert turn.kind == "search" and turn.seen[0].title == "The Long Weir"
    assert [one.pieces for one in turn.seen] == [
        [("Bea Sund", True), (" wrote The Long Weir.", False)],
        [("Bea", True)],
        [("sund", True), (", she", False)],
    ]
    assert times == 3


def test_the_whole_scratchpad_marks_what_it_wrote_too() -> None:
    trace = Trace("r", "b", answer="Bea Sund", steps=(Step("thought", "Bea Sund?"), Step("action", "Search(x)")))
    (plain,), _ = split_turns(trace, ["Bea Sund"], {}, whole=False)
    (marked,), _ = split_turns(trace, ["Bea Sund"], {}, whole=True)
    assert plain.thought == [("Bea Sund?", False)] and marked.thought == [("Bea Sund", True), ("?", False)]


def test_a_report_takes_settings_of_its_preset_and_no_others(bench: Workbench) -> None:
    run = add(bench, "pal")
    made = bench.reports.report([run], form="table", preset="r_eval_fig5", settings={"threshold": 0.9})
    assert "if its reward is at least 0.9" in made
    with pytest.raises(BenchError, match="has no setting 'top_k': there are threshold, whole"):
        bench.reports.report([run], form="table", preset="r_eval_fig5", settings={"top_k": 3})
    with pytest.raises(BenchError, match="without a preset has no setting"):
        bench.reports.report([run], form="table", settings={"threshold": 0.9})
