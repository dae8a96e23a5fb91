"""Convert the traces of a run to OpenInference spans: a CHAIN span for each answer, and below it the spans of its searches and
calls. Ids and times depend only on stored data, so the same run always gives the same spans."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from core.nouns import Item, Score, Step, Trace
from eval.reports.export import ExportedRun, name_trace, split_scores

AttributeValue = str | int | float
KINDS: Mapping[str, str] = {"retrieve": "RETRIEVER", "call": "LLM", "output": "LLM", "action": "TOOL"}
"""A dict from the kind of a trace's step to the OpenInference kind of its span; other steps become events of the answer's
span."""
NANOSECONDS = 1_000_000_000


class SpanEvent(NamedTuple):
    """An event within an OpenInference span, with its time."""

    name: str
    at: int
    """Time of the event, in nanoseconds since 1970."""
    attributes: Mapping[str, AttributeValue]


class RunSpan(NamedTuple):
    """One OpenInference span of a run."""

    trace: bytes
    id: bytes
    parent: bytes
    """Id of the parent span; "" = the span has no parent."""
    name: str
    start: int
    end: int
    attributes: Mapping[str, AttributeValue]
    events: tuple[SpanEvent, ...]
    error: str
    """Error message of a failed answer; "" = the answer did not fail."""


def list_run_spans(exported: ExportedRun) -> Iterator[RunSpan]:
    """Yield the spans of every answer: first the answer's own, then those of its steps. Traces store durations but no start
    times, so the first answer starts at the time of the run, and each further answer starts when the previous one ends."""
    moment = datetime.fromisoformat(exported.made_at)
    at = int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * NANOSECONDS)
    for trace, item, question, scores in exported.answers():
        spans = _build_spans(exported, trace, item, question, scores, at)
        at = spans[0].end
        yield from spans


def _build_spans(exported: ExportedRun, trace: Trace, item: Item, question: str, scores: list[Score], at: int) -> list[RunSpan]:
    run, key = exported.result.run, f"{trace.run}/{name_trace(trace)}"
    own, root = _hash_id("trace", key, 16), _hash_id("span", key, 8)
    end = at + int((trace.seconds or 0.0) * NANOSECONDS)
    attributes: dict[str, AttributeValue] = {
        "openinference.span.kind": "CHAIN",
        "input.value": question,
        "input.mime_type": "text/plain",
        "session.id": run.id,
        "benchwright.run": run.id,
        "benchwright.item": name_trace(trace),
        "benchwright.release": run.release,
        "benchwright.system": run.system.name,
        "metadata": json.dumps({"task": item.task, "level": item.level, "domain": item.domain, "stop": trace.stop}),
    }
    if trace.answer is not None:
        attributes |= {"output.value": trace.answer, "output.mime_type": "text/plain"}
    if run.agent:
        attributes["benchwright.agent"] = run.agent
    if run.offline:
        attributes["benchwright.offline"] = ", ".join(run.offline)
    attributes |= {f"benchwright.score.{name}": value for name, value in split_scores(scores)[0].items()}
    below: list[RunSpan] = []
    events, tokens = [], _count_tokens(trace)
    steps = trace.steps or ((Step("retrieve", spans=trace.retrieved),) if trace.retrieved is not None else ())
    query, start = question, at
    for number, step in enumerate(steps):
        stop = min(start + int((step.seconds or 0.0) * NANOSECONDS), end)
        kind = KINDS.get(step.kind)
        if step.kind == "query":
            query = step.text
        if kind is None:
            events.append(SpanEvent(step.kind, start, {"text": step.text}))
            continue
        if step.kind == "output" and number and steps[number - 1].kind == "call":
            below[-1] = below[-1]._replace(attributes={**below[-1].attributes, "output.value": step.text})
            continue
        parts = _describe_step(exported, step, kind, query)
        span_id = _hash_id("span", f"{key}/{number}", 8)
        below.append(RunSpan(own, span_id, root, step.kind, start, max(stop, start), parts, (), ""))
        start = max(stop, start)
    models = [n for n, span in enumerate(below) if span.attributes["openinference.span.kind"] == "LLM"]
    if len(models) == 1:
        below[models[0]] = below[models[0]]._replace(attributes={**below[models[0]].attributes, **tokens})
    else:
        attributes |= tokens
    error = "" if trace.answer is not None else trace.error or trace.stop
    return [RunSpan(own, root, b"", run.system.name, at, end, attributes, tuple(events), error), *below]


def _describe_step(exported: ExportedRun, step: Step, kind: str, query: str) -> dict[str, AttributeValue]:
    parts: dict[str, AttributeValue] = {"openinference.span.kind": kind}
    if kind == "RETRIEVER":
        parts["input.value"] = step.text or query
        for n, span in enumerate(step.spans):
            stem = f"retrieval.documents.{n}.document"
            parts |= {f"{stem}.id": span.name, f"{stem}.content": exported.cut(span)}
            if n < len(step.scores):
                parts[f"{stem}.score"] = float(step.scores[n])
    elif kind == "TOOL":
        parts["input.value"] = step.text
    elif step.kind == "call":
        parts["benchwright.prompt"] = step.text
    elif step.text:
        parts["output.value"] = step.text
    if kind == "LLM" and exported.result.run.agent:
        parts["llm.model_name"] = exported.result.run.agent
    if step.call:
        parts["benchwright.call"] = step.call
    return parts


def _count_tokens(trace: Trace) -> dict[str, AttributeValue]:
    counts = {"prompt": trace.tokens_in, "completion": trace.tokens_out}
    return {f"llm.token_count.{name}": n for name, n in counts.items() if n is not None}


def _hash_id(kind: str, key: str, length: int) -> bytes:
    return hashlib.blake2b(f"{kind} {key}".encode(), digest_size=length).digest()
