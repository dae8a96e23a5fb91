"""openinference: export a run as one file of OTLP JSON with OpenInference spans, which collectors and Phoenix read. Each answer
is a trace with its scores as attributes; gold answers are left out."""

from collections.abc import Mapping

from core.installation import VERSION
from eval.reports.export import ExportedRun, Files, RunExporter, write_json
from eval.reports.run_spans import AttributeValue, RunSpan, list_run_spans


def files(exported: ExportedRun) -> Files:
    resource = {"attributes": _list_attributes({"service.name": "benchwright", "openinference.project.name": "benchwright"})}
    scope = {"name": "benchwright", "version": VERSION}
    spans = [_build_record(span) for span in list_run_spans(exported)]
    return write_json({"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": spans}]}]})


def _build_record(span: RunSpan) -> dict[str, object]:
    record: dict[str, object] = {
        "traceId": span.trace.hex(),
        "spanId": span.id.hex(),
        "parentSpanId": span.parent.hex(),
        "name": span.name,
        "kind": 1,
        "startTimeUnixNano": str(span.start),
        "endTimeUnixNano": str(span.end),
        "attributes": _list_attributes(span.attributes),
        "events": [
            {"timeUnixNano": str(event.at), "name": event.name, "attributes": _list_attributes(event.attributes)}
            for event in span.events
        ],
        "status": {"code": 2, "message": span.error} if span.error else {"code": 1},
    }
    return record


def _list_attributes(values: Mapping[str, AttributeValue]) -> list[dict[str, object]]:
    return [{"key": name, "value": _wrap(value)} for name, value in values.items()]


def _wrap(value: AttributeValue) -> dict[str, object]:
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {"doubleValue": value} if isinstance(value, float) else {"stringValue": value}


EXPORT = RunExporter(label="OpenInference spans", files=files)
