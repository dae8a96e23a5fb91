"""Builds answered questions from the spans of a RAG application: a CHAIN, AGENT or LLM span contains the question and the
answer, RETRIEVER and RERANKER spans contain the passages. For a trace that is incomplete or of another kind of application, the
result is a sentence with the reason."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from core.spans.span_files import SpanRecord, read_span_file

QUESTION_KINDS = ("CHAIN", "AGENT", "LLM")
QUESTION_KEYS = ("question", "query", "input", "user_input", "text", "prompt", "content", "str_or_query_bundle", "query_str")
ANSWER_KEYS = ("answer", "output", "result", "response", "text", "content", "replies", "output_text")
MAX_UNWRAPPED = 6
"""Maximum depth to which JSON is decoded inside JSON to find a question or an answer."""


class AnsweredQuestion(NamedTuple):
    """One question that a RAG application answered, as recorded in the application's trace."""

    trace: str
    question: str
    answer: str | None
    """Answer of the application; None = the application failed."""
    error: str
    """Error message of the application; "" = the application did not fail."""
    contexts: tuple[str, ...] | None
    """Texts of the passages that the application found, best first, or None if the application did not search."""
    seconds: float | None
    calls: int
    """Number of calls to a language model, which are the LLM spans of the trace."""
    tokens_in: int | None
    tokens_out: int | None
    item: str
    """Id of the item of a Benchwright run that the span names; "" = the span names no item."""


class AnsweredFile(NamedTuple):
    """The answered questions in a file of spans."""

    questions: Sequence[AnsweredQuestion]
    refused: Sequence[str]
    """One sentence for each trace or record of the file that gives no question, with the reason."""


def read_answered_questions(path: Path) -> AnsweredFile:
    """Return the answered questions in a file of spans, oldest first. Raises BenchError if the file cannot be read."""
    file = read_span_file(path)
    traces: dict[str, dict[str, SpanRecord]] = {}
    for span in file.spans:
        traces.setdefault(span.trace, {})[span.id] = span
    questions: list[tuple[float, AnsweredQuestion]] = []
    refused = list(file.refused)
    for trace, spans in traces.items():
        found = _read_trace(trace, sorted(spans.values(), key=lambda span: span.start or 0.0))
        if isinstance(found, str):
            refused.append(f"Trace {trace[:32]} {found}.")
        else:
            questions.append((min((span.start or 0.0 for span in spans.values()), default=0.0), found))
    return AnsweredFile([question for _, question in sorted(questions, key=lambda pair: pair[0])], refused)


def _read_trace(trace: str, spans: Sequence[SpanRecord]) -> AnsweredQuestion | str:
    """Return the answered question of a trace, or the end of a sentence that says why the trace contains no answered
    question."""
    by_id, ours = {span.id: span for span in spans}, [span for span in spans if span.kind]
    if not ours:
        return "is of another kind of application: none of its spans has openinference.span.kind"
    own_ids = {span.id for span in ours}
    tops = [span for span in ours if span.parent not in own_ids]
    is_cut = any(span.parent and span.parent not in by_id for span in spans)
    root = next((span for span in tops if span.kind in QUESTION_KINDS and _read_question(span)), None)
    if root is None:
        if is_cut:
            return "is incomplete: the span with its question is not in the file"
        return "has no question: no CHAIN, AGENT or LLM span at its top has input.value"
    answer = _read_answer(root)
    if not answer and not root.error:
        inner = [span for span in ours if span.kind in QUESTION_KINDS and _is_below(span, root, by_id)]
        answer = next(filter(None, map(_read_answer, reversed(inner))), None) if root.end is not None else None
        if answer is None:
            return (
                "is incomplete: the span with its question has not ended"
                if root.end is None
                else "has a question but no answer (output.value)"
            )
    below = [span for span in ours if span is root or _is_below(span, root, by_id)]
    models = [span for span in below if span.kind == "LLM"]
    return AnsweredQuestion(
        trace=trace,
        question=_read_question(root),
        answer=None if root.error else answer,
        error=root.error,
        contexts=_read_contexts(below),
        seconds=None if root.start is None or root.end is None else max(root.end - root.start, 0.0),
        calls=len(models),
        tokens_in=_sum_tokens(models or [root], "prompt"),
        tokens_out=_sum_tokens(models or [root], "completion"),
        item=str(root.attributes.get("benchwright.item", "")),
    )


def _is_below(span: SpanRecord, root: SpanRecord, by_id: Mapping[str, SpanRecord]) -> bool:
    seen: set[str] = set()
    while span.parent in by_id and span.parent not in seen:
        seen.add(span.parent)
        span = by_id[span.parent]
        if span.id == root.id:
            return True
    return False


def _read_question(span: SpanRecord) -> str:
    """Return the text of the user's last message, else the question in the attribute input.value; "" if the span has neither of
    them."""
    messages = [
        str(span.attributes.get(f"llm.input_messages.{n}.message.content", ""))
        for n in _list_numbers(span.attributes, "llm.input_messages")
        if str(span.attributes.get(f"llm.input_messages.{n}.message.role", "")).lower() in ("user", "human")
    ]
    text = _unwrap(span.attributes.get("input.value"), QUESTION_KEYS)
    return (messages[-1].strip() if messages and span.kind == "LLM" else "") or text


def _read_answer(span: SpanRecord) -> str | None:
    text = str(span.attributes.get("llm.output_messages.0.message.content", "")).strip() if span.kind == "LLM" else ""
    return text or _unwrap(span.attributes.get("output.value"), ANSWER_KEYS) or None


def _unwrap(value: Any, keys: Sequence[str], depth: int = MAX_UNWRAPPED) -> str:
    """Return the text of a value: the value itself or, if the value is JSON, the text under the first of `keys` that has a
    text; "" if there is no text."""
    if isinstance(value, str):
        text = value.strip()
        if text[:1] in ("{", "[", '"') and depth:
            try:
                inner = json.loads(text)
            except (ValueError, RecursionError):
                return text
            return _unwrap(inner, keys, depth - 1)
        return text
    if isinstance(value, Mapping) and depth:
        found = (_unwrap(value[key], keys, depth - 1) for key in keys if value.get(key) is not None)
        text = next(filter(None, found), "")
        if not text and value.get("messages"):
            text = _unwrap(value["messages"], keys, depth - 1)
        return text or (_unwrap(next(iter(value.values())), keys, depth - 1) if len(value) == 1 else "")
    if isinstance(value, list) and value and depth:
        return _unwrap(value[-1], keys, depth - 1)
    return ""


def _read_contexts(spans: Iterable[SpanRecord]) -> tuple[str, ...] | None:
    """Return the passages that the last reranker returned or, without a reranker, those of all retrievers without duplicates;
    None if the trace has neither."""
    by_kind: dict[str, list[tuple[str, ...]]] = {"RERANKER": [], "RETRIEVER": []}
    for span in spans:
        stem = {"RERANKER": "reranker.output_documents", "RETRIEVER": "retrieval.documents"}.get(span.kind)
        if stem:
            numbers = _list_numbers(span.attributes, stem)
            texts = (str(span.attributes.get(f"{stem}.{n}.document.content", "")).strip() for n in numbers)
            by_kind[span.kind].append(tuple(filter(None, texts)))
    if by_kind["RERANKER"]:
        return by_kind["RERANKER"][-1]
    return tuple(dict.fromkeys(t for texts in by_kind["RETRIEVER"] for t in texts)) if by_kind["RETRIEVER"] else None


def _list_numbers(attributes: Mapping[str, Any], stem: str) -> list[int]:
    """Return, in order, the numbers that follow `stem` in attribute names, such as 0 and 1 in documents.0 and documents.1."""
    pattern = re.compile(rf"{re.escape(stem)}\.(\d{{1,6}})\.")
    return sorted({int(match[1]) for name in attributes if (match := pattern.match(name))})


def _sum_tokens(spans: Iterable[SpanRecord], side: str) -> int | None:
    counts = [
        int(n) for span in spans if isinstance(n := span.attributes.get(f"llm.token_count.{side}"), int | float) and n >= 0
    ]
    return sum(counts) if counts else None
