"""The spans of an answer: one for each search with its query, one for each call with its prompt, and the reply of the last."""

from dataclasses import replace

from core.nouns import Span, Step, Trace
from eval.reports.export import ExportedRun
from eval.reports.run_spans import list_run_spans
from tests.eval.runs import item, result

SEARCH, ANSWER = Step("call", "workflow/search@b2:x", seconds=1.0), Step("call", "answer/short@b2:y", seconds=2.0)
FOUND = Step("retrieve", "mill fire", (Span("d1", 0, 9),), scores=(2.5,))


def describe(*steps: Step) -> list[dict[str, object]]:
    """The attributes of the spans of one answer, the answer's own first, without those that every answer has."""
    run = result("r", [item("a")], {})
    trace = Trace("r", "a", answer="1904", steps=steps, calls=2, seconds=3.0, tokens_in=70, tokens_out=8)
    spans = list(list_run_spans(ExportedRun(replace(run, traces=[trace]), {}, "2026-01-01T10:00:00+00:00")))
    assert all(span.parent == spans[0].id for span in spans[1:])
    names = ("input.value", "output.value", "benchwright.prompt", "llm.token_count.prompt")
    return [{name: span.attributes[name] for name in names if name in span.attributes} for span in spans]


def test_a_reply_belongs_to_the_call_before_it() -> None:
    root, search, found, answer = describe(SEARCH, FOUND, ANSWER, Step("output", "So it is \\boxed{1904}"))
    assert root == {"input.value": "Question a?", "output.value": "1904", "llm.token_count.prompt": 70}
    assert search == {"benchwright.prompt": "workflow/search@b2:x"}
    assert found == {"input.value": "mill fire"}
    assert answer == {"benchwright.prompt": "answer/short@b2:y", "output.value": "So it is \\boxed{1904}"}


def test_the_tokens_of_an_answer_stand_at_its_only_call() -> None:
    root, answer = describe(ANSWER, Step("output", "1904"))
    assert "llm.token_count.prompt" not in root
    assert answer == {"benchwright.prompt": "answer/short@b2:y", "output.value": "1904", "llm.token_count.prompt": 70}


def test_a_reply_without_a_call_is_a_span_of_its_own() -> None:
    assert describe(FOUND, Step("output", "1904"))[1:] == [
        {"input.value": "mill fire"},
        {"output.value": "1904", "llm.token_count.prompt": 70},
    ]
