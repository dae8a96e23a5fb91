"""Reads spans (steps of traced applications) from a file: OTLP JSON, as collectors write it (one object, or one per line); JSON
lines of one span each, as OpenTelemetry's console exporter and Phoenix write them; the reply of Phoenix's REST API, {"data":
[...]}; or Parquet, as Phoenix exports it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import BenchError
from core.json_lines import read_objects, strict_json
from core.tables.parquet_file import ParquetBroken, read_head, read_rows

MAX_PARQUET_BYTES = 2**30
MAX_FILE_BYTES = 2**30
MAX_DEPTH = 12
KIND = "openinference.span.kind"


class SpanRecord(NamedTuple):
    """One span (traced step of an application) as read from a file."""

    trace: str
    id: str
    parent: str
    """Id of the parent span; "" = the span has none."""
    name: str
    start: float | None
    """Start of the span in seconds since 1970."""
    end: float | None
    """End of the span in seconds since 1970; None = the span has not ended."""
    error: str
    """Error message of the span; "" = the traced step did not fail."""
    attributes: Mapping[str, Any]
    """Attributes of the span by dotted name; lists are numbered, as in retrieval.documents.0.document.content."""

    @property
    def kind(self) -> str:
        """Kind of the span in the OpenInference convention, in capitals; "" for a span of another convention."""
        return str(self.attributes.get(KIND, "")).upper()


class SpanFile(NamedTuple):
    """The spans in a file, and messages about the parts of the file that could not be read."""

    spans: Sequence[SpanRecord]
    refused: Sequence[str]
    """One sentence for each record of the file that is not a span, with the reason."""


def read_span_file(path: Path) -> SpanFile:
    """Return the spans in a file. Raises BenchError if the file cannot be read or contains no span."""
    spans: list[SpanRecord] = []
    refused: list[str] = []
    try:
        if not path.is_file():
            raise BenchError(f"{path} is not a file: choose a file of OTLP JSON, JSON lines of spans, or Parquet.")
        if path.stat().st_size > MAX_FILE_BYTES:
            raise BenchError(f"{path.name} is larger than {MAX_FILE_BYTES // 2**30} GiB: split it into several files.")
        records = _read_parquet(path) if path.suffix.lower() == ".parquet" else _read_json(path)
        for place, record, why in records:
            if record is None:
                refused.append(f"{place} of {path.name} {why}.")
                continue
            is_otlp = "resourceSpans" in record or "resource_spans" in record
            for one in _list_otlp(record) if is_otlp else [_read_flat(record)]:
                if one is None:
                    refused.append(f"{place} of {path.name} is not a span: it has no trace id or no span id.")
                else:
                    spans.append(one)
    except OSError as error:
        raise BenchError(f"{path} cannot be read: {error.strerror or error}.") from error
    except ParquetBroken as error:
        raise BenchError(f"{path.name} cannot be read as Parquet: {error}.") from error
    if not spans:
        raise BenchError(refused[0] if refused else f"{path.name} holds no spans: give OTLP JSON, JSON lines or Parquet.")
    return SpanFile(spans, refused)


def _read_json(path: Path) -> Iterator[tuple[str, Mapping[str, Any] | None, str]]:
    """Yield the JSON records of a file, each as (place for messages, record, reason if the record cannot be read): the whole
    file as one record, or else one record per line."""
    try:
        whole = strict_json(path.read_text(encoding="utf-8-sig"))
    except (ValueError, UnicodeDecodeError):
        for number, record, why in read_objects(path):
            yield f"Line {number}", record, why
        return
    if isinstance(whole, dict) and isinstance(whole.get("data"), list):
        whole = whole["data"]
    for number, record in enumerate(whole if isinstance(whole, list) else [whole], 1):
        yield f"Record {number}", record if isinstance(record, dict) else None, "is not a JSON object"


def _read_parquet(path: Path) -> Iterator[tuple[str, Mapping[str, Any] | None, str]]:
    columns = [name for name, _ in read_head(path).fields]
    for number, row in enumerate(read_rows(path, columns, MAX_PARQUET_BYTES), 1):
        yield f"Row {number}", dict(zip(columns, row, strict=True)), ""


def _list_otlp(record: Mapping[str, Any]) -> Iterator[SpanRecord | None]:
    """Yield the spans in an OTLP JSON object, with None for a record that is not a span."""
    for resource in _list_parts(record, "resourceSpans", "resource_spans"):
        for scope in _list_parts(resource, "scopeSpans", "scope_spans", "instrumentationLibrarySpans"):
            for span in _list_parts(scope, "spans"):
                attributes = {
                    str(one.get("key")): _read_otlp_value(one.get("value"), MAX_DEPTH)
                    for one in _list_parts(span, "attributes")
                }
                status = span.get("status")
                status = status if isinstance(status, Mapping) else {}
                is_failed = str(status.get("code")) in ("2", "STATUS_CODE_ERROR")
                yield _make_span(
                    span.get("traceId", span.get("trace_id")),
                    span.get("spanId", span.get("span_id")),
                    span.get("parentSpanId", span.get("parent_span_id")),
                    span.get("name"),
                    _read_nanoseconds(span.get("startTimeUnixNano", span.get("start_time_unix_nano"))),
                    _read_nanoseconds(span.get("endTimeUnixNano", span.get("end_time_unix_nano"))),
                    str(status.get("message") or "the span failed") if is_failed else "",
                    _flatten(attributes),
                )


def _list_parts(record: object, *names: str) -> list[Mapping[str, Any]]:
    for name in names:
        parts = record.get(name) if isinstance(record, Mapping) else None
        if isinstance(parts, list):
            return [part for part in parts if isinstance(part, Mapping)]
    return []


def _read_otlp_value(value: Any, depth: int) -> Any:
    """Return the plain value of an attribute, which OTLP wraps in the form AnyValue."""
    if not isinstance(value, Mapping) or not depth:
        return None
    if "arrayValue" in value:
        return [_read_otlp_value(one, depth - 1) for one in _list_parts(value["arrayValue"], "values")]
    if "kvlistValue" in value:
        pairs = _list_parts(value["kvlistValue"], "values")
        return {str(one.get("key")): _read_otlp_value(one.get("value"), depth - 1) for one in pairs}
    if "intValue" in value:
        text = str(value["intValue"])
        return int(text) if text.removeprefix("-").isdigit() and len(text) < 20 else None
    return next((value[name] for name in ("stringValue", "doubleValue", "boolValue") if name in value), None)


def _read_flat(record: Mapping[str, Any]) -> SpanRecord | None:
    """Return the span in a record whose fields have dotted names or are nested, or None if the record has no trace id or span
    id."""
    flat = _flatten(record)
    attributes = {name.removeprefix("attributes."): value for name, value in flat.items() if name.startswith("attributes.")}
    if KIND not in attributes and isinstance(flat.get("span_kind"), str):
        attributes[KIND] = flat["span_kind"]
    code = str(flat.get("status_code", flat.get("status.status_code", ""))).rpartition(".")[2]
    message = flat.get("status_message") or flat.get("status.description") or "the span failed"
    return _make_span(
        flat.get("context.trace_id", flat.get("trace_id")),
        flat.get("context.span_id", flat.get("span_id")),
        flat.get("parent_id"),
        flat.get("name"),
        _read_time(flat.get("start_time")),
        _read_time(flat.get("end_time")),
        str(message) if code.upper() == "ERROR" else "",
        attributes,
    )


def _make_span(
    trace: Any, span: Any, parent: Any, name: Any, start: float | None, end: float | None, error: str, attributes: Any
) -> SpanRecord | None:
    trace, span, parent = (str(id_ or "").removeprefix("0x").lower() for id_ in (trace, span, parent))
    if not trace or not span:
        return None
    return SpanRecord(trace, span, parent.strip("0") and parent, str(name or ""), start, end, error, attributes)


def _read_nanoseconds(value: Any) -> float | None:
    text = str(value)
    return int(text) / 1e9 if text.isdigit() and len(text) < 20 and int(text) else None


def _read_time(value: Any) -> float | None:
    """Return a time as seconds since 1970, given as ISO text, as a datetime, or in nanoseconds."""
    if isinstance(value, str) and not value.isdigit():
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()
    return _read_nanoseconds(value)


def _flatten(value: Any, prefix: str = "", depth: int = MAX_DEPTH) -> dict[str, Any]:
    """Return the attributes of a span by dotted name. A text under `documents` that is a JSON list or object is decoded too."""
    if isinstance(value, str) and prefix.endswith(("documents", "messages")) and value[:1] in "[{":
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {prefix: value}
    if isinstance(value, Mapping) and depth:
        pairs = ((str(key), part) for key, part in value.items())
    elif isinstance(value, list | tuple) and depth:
        pairs = ((str(number), part) for number, part in enumerate(value))
    else:
        return {} if value is None else {prefix: value}
    flat: dict[str, Any] = {}
    for key, part in pairs:
        flat |= _flatten(part, f"{prefix}.{key}" if prefix else key, depth - 1)
    return flat
