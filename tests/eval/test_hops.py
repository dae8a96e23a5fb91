"""What hops say of a trace: every search with its cause and its calls, refused ones apart, failures neither none nor some."""

from core.nouns import Span, Step, Trace
from eval.workflows.hops import (
    is_extracted,
    list_hops,
    make_output_step,
    make_query_step,
    make_refused_step,
)
from tests.eval.trace_reading import count_searches, find_raw_output

A, B = Span("d1", 0, 9), Span("d2", 3, 7)
CALL = Step("call", "workflow/search@b2:x")
TRACE = Trace(
    "r",
    "i",
    answer="1904",
    calls=5,
    steps=(
        CALL,
        make_query_step("mill fire", marker="search tags"),
        Step("retrieve", "mill fire", (A, B), scores=(2.5, 1.0)),
        CALL,
        CALL,
        make_refused_step("mill fire", "repeat", marker="search tags"),
        CALL,
        make_refused_step("tower", "limit", marker="search tags"),
        CALL,
        make_output_step("... \\boxed{1904}", extracted=True, ended="answer"),
    ),
)


def test_every_search_is_a_hop_with_its_cause_passages_and_the_calls_after_it() -> None:
    first, second, third = list_hops(TRACE)
    assert (first.number, first.query, first.spans, first.scores) == (1, "mill fire", (A, B), (2.5, 1.0))
    assert (first.trigger, first.blocked, first.calls) == ({"marker": "search tags"}, "", 2)
    assert (second.number, second.query, second.spans, second.blocked, second.calls) == (2, "mill fire", (), "repeat", 1)
    assert (third.blocked, third.calls) == ("limit", 1)


def test_refused_searches_are_no_retriever_calls() -> None:
    assert (count_searches(TRACE), TRACE.calls) == (1, 5)
    assert (find_raw_output(TRACE), is_extracted(TRACE)) == ("... \\boxed{1904}", True)


def test_a_system_that_always_searches_has_hops_without_a_cause() -> None:
    plain = Trace("r", "i", answer="x", calls=1, steps=(Step("retrieve", "Where?", (A,)), CALL))
    (hop,) = list_hops(plain)
    assert (hop.query, hop.trigger, hop.calls, count_searches(plain)) == ("Where?", {}, 1, 1)
    assert (find_raw_output(plain), is_extracted(plain)) == ("x", True)


def test_no_search_is_no_hop_and_a_query_of_another_kind_is_none_either() -> None:
    closed = Trace("r", "i", answer="x", calls=1, steps=(CALL, Step("query", "only thought of")))
    assert (list_hops(closed), count_searches(closed), closed.calls) == ([], 0, 1)


def test_a_failed_trace_has_no_counts() -> None:
    failed = Trace("r", "i", steps=TRACE.steps, calls=5, stop="timeout", error="Too late.")
    counts = (count_searches(failed), find_raw_output(failed), is_extracted(failed))
    assert counts == (None, None, None) and len(list_hops(failed)) == 3


def test_an_answer_that_was_not_found_is_told_apart_from_an_empty_one() -> None:
    lost = Trace("r", "i", answer="", calls=1, steps=(CALL, make_output_step("I wonder.", extracted=False, ended="length")))
    assert is_extracted(lost) is False and find_raw_output(lost) == "I wonder."
    assert is_extracted(Trace("r", "i", answer="", calls=1, steps=(CALL,))) is True
