"""Plain records from traces, and from the lines of a predictions file."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.nouns import Item, Run, Span, Step, System, Trace, Variant
from eval.robustness.records import RetrievalHop, WordingRecord, read_lines, read_traces
from eval.scoring.predictions import read_predictions
from eval.workflows.hops import make_query_step, make_refused_step

ITEM = Item("i", "question_answering", "Who?", ("Ada",), evidence=(Span("g", 0, 3), Span("h", 4, 9)))
VARIANT = Variant("v", "i", 1, "spelling", "Whoo?")


def made(trace: Trace, system: str = "search_o1") -> WordingRecord:
    (found,) = read_traces(
        Run("r", "r", System(system), "rel", "b2:x", "m", {}, 2), [trace], {"i": ITEM}, {"v": VARIANT}, {("i", "v"): (3.5, 4.0)}
    )
    return found


def test_a_trace_tells_searches_calls_and_words() -> None:
    steps = (
        Step("call", "p", call="c1"),
        make_query_step("who", marker="<search>"),
        Step("retrieve", "who", spans=(Span("g", 0, 5), Span("g", 5, 9), Span("x", 0, 5))),
        Step("call", "p", call="c2"),
        make_refused_step("who", "repeat", marker="<search>"),
        make_refused_step("whom", "limit", marker="<search>"),
        Step("call", "p", call="c3"),
    )
    found = made(Trace("r", "i", "v", "It is Ada.", steps=steps, calls=3, tokens_in=40, tokens_out=9))
    assert found == WordingRecord(
        item="i",
        variant="v",
        kind="spelling",
        run="r",
        repeat=2,
        language="en",
        query="Whoo?",
        answer="It is Ada.",
        correct=1.0,
        searches=1,
        calls=3,
        hops=(RetrievalHop("who", ("g", "x")),),
        gold=frozenset("gh"),
        tokens_in=40,
        tokens_out=9,
        loss=3.5,
        length=4.0,
    )


def test_a_failed_trace_has_no_answer_and_is_not_wrong() -> None:
    found = made(Trace("r", "i", None, None, stop="timeout", error="late"))
    assert (found.answer, found.correct, found.kind, found.query, found.loss) == (None, None, "original", "Who?", None)


@pytest.mark.parametrize(("system", "searches"), [("closed_book", 0), ("endpoint", None), ("one that is gone", None)])
def test_whether_an_outside_system_searched_is_not_known(system: str, searches: int | None) -> None:
    assert made(Trace("r", "i", None, "Ada"), system).searches == searches


def lines(tmp_path: Path, *records: dict[str, Any]) -> list[WordingRecord]:
    file = tmp_path / "p.jsonl"
    file.write_text("\n".join(map(json.dumps, records)))
    return read_lines(read_predictions(file).lines)


def test_lines_with_parent_and_kind_are_rewrites_of_their_parent(tmp_path: Path) -> None:
    original, rewrite, failed = lines(
        tmp_path,
        {"id": "q1", "prediction": "Ada", "answers": ["Ada"], "question": "Who?"},
        {
            "id": "q1s",
            "parent": "q1",
            "kind": "spelling",
            "prediction": "Bob",
            "answers": ["Ada"],
            "calls": 3,
            "hops": [{"query": "a", "documents": ["g"]}, {"query": "b"}],
            "gold": ["g"],
            "tokens_out": 7,
            "query_loss": 2.5,
        },
        {"id": "q1h", "parent": "q1", "kind": "human", "error": "timeout", "answers": ["Ada"], "retriever_calls": 2},
    )
    assert (original.item, original.kind, original.variant, original.correct) == ("q1", "original", None, 1.0)
    assert (rewrite.item, rewrite.kind, rewrite.variant, rewrite.correct) == ("q1", "spelling", "q1s", 0.0)
    assert (rewrite.searches, rewrite.calls, rewrite.hops) == (2, 3, (RetrievalHop("a", ("g",)), RetrievalHop("b", ())))
    assert (rewrite.gold, rewrite.tokens_out, rewrite.loss) == (frozenset("g"), 7, 2.5)
    assert (failed.answer, failed.correct, failed.searches) == (None, None, 2)


def test_an_original_may_name_itself_or_its_kind(tmp_path: Path) -> None:
    found = lines(
        tmp_path,
        {"id": "a", "parent": "a", "kind": "original", "prediction": "x"},
        {"id": "b0", "parent": "b", "kind": "original", "prediction": "x"},
    )
    assert [(one.item, one.kind, one.variant) for one in found] == [("a", "original", None), ("b", "original", None)]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"hops": "none"}, "not a list"),
        ({"hops": [3]}, "not JSON objects"),
        ({"query_loss": -1}, "not a number of at least 0"),
        ({"retriever_calls": True}, "not a number of at least 0"),
        ({"gold": "g"}, "not a list"),
    ],
)
def test_a_field_that_cannot_be_read_is_told_with_its_line(tmp_path: Path, more: dict[str, Any], words: str) -> None:
    with pytest.raises(BenchError, match=f"Line q1s .*{words}"):
        lines(tmp_path, {"id": "q1s", "parent": "q1", "kind": "spelling", "prediction": "x", **more})


def test_two_originals_of_one_question_are_refused_unless_they_are_repeats(tmp_path: Path) -> None:
    two = [{"id": "q1", "prediction": "x"}, {"id": "again", "parent": "q1", "kind": "original", "prediction": "y"}]
    with pytest.raises(BenchError, match="second original question of item q1"):
        lines(tmp_path, *two)
    assert len(lines(tmp_path, two[0], two[1] | {"repeat": 1})) == 2
