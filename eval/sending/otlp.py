"""Send a run as OpenInference spans over OTLP/HTTP to a collector, such as Phoenix."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from core.errors import BenchError
from core.installation import VERSION
from eval.reports.export import ExportedRun
from eval.reports.run_spans import RunSpan, list_run_spans

PATH = "/v1/traces"
BATCH_SPANS = 500
MAX_WAIT_SECONDS = 30.0
"""Maximum number of seconds to wait until the collector accepts a request, including its repeats."""


def send_by_otlp(exported: ExportedRun, address: str) -> int:
    """Send every answer to the collector, and return their number. Headers, such as a key, come from
    $OTEL_EXPORTER_OTLP_HEADERS. Raises BenchError if the packages are missing, the address is not a URL, or the collector does
    not accept the spans."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"[\s@]", address):
        raise BenchError(f"{address} is not the address of a collector: give http://HOST:PORT or http://HOST:PORT{PATH}.")
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace.export import SpanExportResult
    except ImportError as error:
        raise BenchError("Sending spans needs OpenTelemetry's packages: install Benchwright with its extra otlp.") from error
    endpoint = address if parts.path.strip("/") else address.rstrip("/") + PATH
    exporter = OTLPSpanExporter(endpoint=endpoint, timeout=MAX_WAIT_SECONDS)
    sent = 0
    try:
        spans = list_run_spans(exported)
        while batch := list(islice(spans, BATCH_SPANS)):
            if exporter.export(list(_build_spans(batch))) is not SpanExportResult.SUCCESS:
                raise BenchError(
                    f"The collector at {endpoint} did not accept the spans: check that it is running, and read its log."
                )
            sent += sum(not span.parent for span in batch)
    finally:
        exporter.shutdown()
    return sent


def _build_spans(spans: Sequence[RunSpan]) -> Iterator[Any]:
    """Yield the spans as objects of OpenTelemetry's SDK."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import Event, ReadableSpan
    from opentelemetry.sdk.util.instrumentation import InstrumentationScope
    from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags

    resource = Resource({"service.name": "benchwright", "openinference.project.name": "benchwright"})
    scope = InstrumentationScope("benchwright", VERSION)

    def context(trace: bytes, id_: bytes) -> SpanContext:
        flags = TraceFlags(TraceFlags.SAMPLED)
        return SpanContext(int.from_bytes(trace), int.from_bytes(id_), is_remote=False, trace_flags=flags)

    for span in spans:
        yield ReadableSpan(
            span.name,
            context=context(span.trace, span.id),
            parent=context(span.trace, span.parent) if span.parent else None,
            resource=resource,
            attributes=dict(span.attributes),
            events=[Event(event.name, dict(event.attributes), event.at) for event in span.events],
            kind=SpanKind.INTERNAL,
            status=Status(StatusCode.ERROR, span.error) if span.error else Status(StatusCode.OK),
            start_time=span.start,
            end_time=span.end,
            instrumentation_scope=scope,
        )
