"""Spans of production come together to questions with answers, whatever file they are in; what is cut is said."""

import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from core.errors import BenchError
from core.spans.answered_questions import AnsweredQuestion, read_answered_questions

SECOND = 1_000_000_000


def otlp(trace: str, id_: str, parent: str, values: dict[str, Any], end: int = 2, **more: Any) -> dict[str, Any]:
    def wrap(value: Any) -> dict[str, Any]:
        if isinstance(value, list):
            return {"arrayValue": {"values": [wrap(one) for one in value]}}
        return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}

    attributes = [{"key": key, "value": wrap(value)} for key, value in values.items()]
    times = {"startTimeUnixNano": str(SECOND), "endTimeUnixNano": str(end * SECOND)}
    return {"traceId": trace, "spanId": id_, "parentSpanId": parent, "name": "n", "attributes": attributes, **times, **more}


def write_otlp(path: Path, spans: list[dict[str, Any]]) -> Path:
    path.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}), encoding="utf-8")
    return path


def chain(question: str, answer: str | None = None) -> dict[str, Any]:
    values = {"openinference.span.kind": "CHAIN", "input.value": question}
    return values if answer is None else {**values, "output.value": answer}


def test_a_trace_of_a_chain_has_its_passages_tokens_and_seconds(tmp_path: Path) -> None:
    documents = {f"retrieval.documents.{n}.document.content": text for n, text in enumerate(("one", "two", "one"))}
    spans = [
        otlp("a1", "0a", "", {"http.route": "/ask"}, end=9),
        otlp("a1", "0b", "0a", chain(json.dumps({"query": "Who?"}), json.dumps({"answer": "Marta"})), end=4),
        otlp("a1", "0c", "0b", {"openinference.span.kind": "retriever", **documents}),
        otlp(
            "a1", "0d", "0b", {"openinference.span.kind": "LLM", "llm.token_count.prompt": 70, "llm.token_count.completion": 5}
        ),
    ]
    file = read_answered_questions(write_otlp(tmp_path / "t.json", spans))
    assert file.refused == []
    assert file.questions == [AnsweredQuestion("a1", "Who?", "Marta", "", ("one", "two"), 3.0, 1, 70, 5, "")]


def test_a_failed_answer_is_a_failure_and_a_reranker_decides_the_passages(tmp_path: Path) -> None:
    messages = {
        "llm.input_messages.0.message.role": "system",
        "llm.input_messages.0.message.content": "Answer.",
        "llm.input_messages.1.message.role": "user",
        "llm.input_messages.1.message.content": "When?",
        "llm.output_messages.0.message.content": "In 1902.",
    }
    spans = [
        otlp("a1", "0a", "", chain("Who?"), status={"code": 2, "message": "timeout"}),
        otlp("b2", "0a", "", {"openinference.span.kind": "LLM", **messages}),
        otlp("b2", "0b", "0a", {"openinference.span.kind": "RETRIEVER", "retrieval.documents.0.document.content": "far"}),
        otlp("b2", "0c", "0a", {"openinference.span.kind": "RERANKER", "reranker.output_documents.0.document.content": "near"}),
    ]
    failed, answered = read_answered_questions(write_otlp(tmp_path / "t.json", spans)).questions
    assert (failed.answer, failed.error, failed.contexts) == (None, "timeout", None)
    assert (answered.question, answered.answer, answered.contexts) == ("When?", "In 1902.", ("near",))


@pytest.mark.fault(61)
def test_what_is_cut_or_of_another_application_is_one_sentence_and_the_rest_goes_on(tmp_path: Path) -> None:
    spans = [
        otlp("a1", "0a", "", chain("Who?", "Marta")),
        otlp("b2", "0c", "0b", {"openinference.span.kind": "RETRIEVER"}),
        otlp("c3", "0a", "", chain("Who?"), end=0),
        otlp("d4", "0a", "", chain("Who?")),
        otlp("e5", "0a", "", {"db.system": "postgres"}),
        otlp("f6", "0a", "", {"openinference.span.kind": "EMBEDDING"}),
        {"name": "no ids"},
    ]
    file = read_answered_questions(write_otlp(tmp_path / "t.json", spans))
    assert [one.trace for one in file.questions] == ["a1"]
    assert file.refused == [
        "Record 1 of t.json is not a span: it has no trace id or no span id.",
        "Trace b2 is incomplete: the span with its question is not in the file.",
        "Trace c3 is incomplete: the span with its question has not ended.",
        "Trace d4 has a question but no answer (output.value).",
        "Trace e5 is of another kind of application: none of its spans has openinference.span.kind.",
        "Trace f6 has no question: no CHAIN, AGENT or LLM span at its top has input.value.",
    ]


def test_a_file_of_phoenix_is_read_as_parquet_and_as_lines(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {
            "context.trace_id": "a1", "context.span_id": "0a", "parent_id": None, "name": "ask", "span_kind": "CHAIN",
            "start_time": "2026-11-01T10:00:00+00:00", "end_time": "2026-11-01T10:00:01+00:00", "status_code": "OK",
            "attributes.input.value": "Who?", "attributes.output.value": "Marta", "attributes.retrieval.documents": None,
        },
        {
            "context.trace_id": "a1", "context.span_id": "0b", "parent_id": "0a", "name": "find", "span_kind": "RETRIEVER",
            "start_time": "2026-11-01T10:00:00+00:00", "end_time": "2026-11-01T10:00:01+00:00", "status_code": "OK",
            "attributes.input.value": "Who?", "attributes.output.value": None,
            "attributes.retrieval.documents": [{"document.content": "one"}, {"document.content": "two"}],
        },
    ]  # fmt: skip
    table, lines = tmp_path / "spans.parquet", tmp_path / "spans.jsonl"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), table)
    lines.write_text("".join(json.dumps(row) + "\n" for row in [*rows, {"no": "span"}]), encoding="utf-8")
    [from_table] = read_answered_questions(table).questions
    read = read_answered_questions(lines)
    assert read.questions == [from_table] and from_table.contexts == ("one", "two") and from_table.seconds == 1
    assert read.refused == ["Line 3 of spans.jsonl is not a span: it has no trace id or no span id."]


@pytest.mark.fault(61)
@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.parquet", b"PAR1", "cannot be read as Parquet"),
        ("a.json", b"{}", "is not a span"),
        ("a.json", b"", "holds no spans"),
        ("a.json", b"\xff\xfe", "Line 1 of a.json"),
        ("a.json", b'{"resourceSpans": [{"scopeSpans": [1, {"spans": "x"}]}]}', "holds no spans"),
        ("a.json", b'{"resourceSpans": 3}', "holds no spans"),
    ],
)
def test_a_file_without_spans_is_one_sentence(tmp_path: Path, name: str, content: bytes, sentence: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BenchError, match=sentence):
        read_answered_questions(tmp_path / name)
    with pytest.raises(BenchError, match="is not a file"):
        read_answered_questions(tmp_path / "nothing.json")
