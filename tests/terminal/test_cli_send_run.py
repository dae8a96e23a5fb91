"""A run goes out as OpenInference spans, by OTLP to a collector and as a file, and to MLflow; spans come in as a run."""

import gzip
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest, ExportTraceServiceResponse

from tests.conftest import Bench
from tests.house.documents import find_shown
from tests.house.test_docs import compare_shapes


class Collector:
    """An OTLP receiver on loopback, which keeps the spans that it takes."""

    def __init__(self) -> None:
        self.spans: list[Any] = []
        self.status = 200
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["content-length"]))
                raw = gzip.decompress(raw) if self.headers.get("content-encoding") == "gzip" else raw
                request = ExportTraceServiceRequest.FromString(raw)
                if collector.status == 200 and self.path == "/v1/traces":
                    scopes = [scope for resource in request.resource_spans for scope in resource.scope_spans]
                    collector.spans += [span for scope in scopes for span in scope.spans]
                body = ExportTraceServiceResponse().SerializeToString()
                self.send_response(collector.status)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def collector() -> Iterator[Collector]:
    made = Collector()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def run(bw: Bench, world: dict[str, str]) -> str:
    words = ("--system", "vanilla", "--agent", "offline", "--retriever", "bm25", "--metrics", "token_f1,evidence_recall")
    return str(bw("run", "v1", *words).json["run"])


def read_attributes(span: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in span.attributes}


def test_a_run_reaches_a_collector_and_mlflow_and_its_spans_become_the_same_run(
    bw: Bench, run: str, world: dict[str, str], collector: Collector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import mlflow  # it takes seconds, which each process of the tests would pay

    sent = bw("send-run", run[:8], "--to", "otlp", collector.url).json
    assert (sent["run"], sent["n"]) == (run, 2)
    compare_shapes(find_shown("docs/reference/json-shapes.md", "send-run"), sent, "send-run")
    roots = {read_attributes(span)["benchwright.item"]: span for span in collector.spans if not span.parent_span_id}
    assert set(roots) == set(world.values())
    traces = {trace["item"]: trace for trace in bw("traces", run).json}
    for item, root in roots.items():
        own = read_attributes(root)
        assert own["openinference.span.kind"] == "CHAIN" and own["output.value"] == traces[item]["answer"]
        assert own["benchwright.offline"] and 0 <= own["benchwright.score.token_f1"] <= 1
        below = [span for span in collector.spans if span.parent_span_id == root.span_id]
        kinds = [read_attributes(span)["openinference.span.kind"] for span in below]
        assert "RETRIEVER" in kinds and all(span.trace_id == root.trace_id for span in below)
        found = read_attributes(below[kinds.index("RETRIEVER")])
        assert found["retrieval.documents.0.document.content"] and found["retrieval.documents.0.document.id"]
        asked = read_attributes(below[kinds.index("LLM")])
        assert asked["benchwright.prompt"].startswith("answer/short.en@") and "output.value" not in asked
        assert root.start_time_unix_nano <= below[0].start_time_unix_nano <= root.end_time_unix_nano
    before = [span.span_id for span in collector.spans]
    collector.spans.clear()
    bw("send-run", run, "--to", "otlp", f"{collector.url}/v1/traces")
    assert [span.span_id for span in collector.spans] == before, "a collector sees the same spans, not new ones"

    collector.status = 400
    refused = bw("send-run", run, "--to", "otlp", collector.url)
    assert refused.code == 1 and "did not accept the spans" in refused.sentence
    assert "is not the address of a collector" in bw("send-run", run, "--to", "otlp", "here").sentence

    file = tmp_path / "spans.json"
    assert bw("export-run", run, "--format", "openinference", file).json["n"] == 2
    again = bw("run", "v1", "--system", "recorded", "--set", f"spans={file}", "--metrics", "token_f1,evidence_recall").json
    assert (again["answered"], again["failed"]) == (2, 0)
    scores = [{(s["item"], s["metric"]): s["value"] for s in bw("scores", one).json} for one in (run, again["run"])]
    assert scores[0] == scores[1]

    folder = tmp_path / "mlruns"
    assert "MLFLOW_ALLOW_FILE_STORE=true" in bw("send-run", run, "--to", "mlflow", folder.as_uri()).sentence
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    sent_there = bw("send-run", run, "--to", "mlflow", folder.as_uri()).json
    assert sent_there == sent | {"to": "mlflow", "address": folder.as_uri()}
    client = mlflow.MlflowClient(tracking_uri=folder.as_uri())
    [made] = client.search_runs([client.get_experiment_by_name("benchwright").experiment_id])
    assert made.data.params["system"] == "vanilla" and made.data.params["agent"] == "offline"
    mean = sum(value for (_, metric), value in scores[0].items() if metric == "token_f1") / 2
    assert made.data.metrics["token_f1"] == pytest.approx(mean) and made.data.metrics["token_f1.n"] == 2
    assert (made.data.metrics["answered"], made.data.metrics["failed"]) == (2, 0)
    assert made.data.tags["benchwright.run"] == run and made.data.tags["benchwright.offline"] != "none"
    assert {one.path for one in client.list_artifacts(made.info.run_id)} == {"answers.jsonl", "config.json"}
    assert "already" in bw("send-run", run, "--to", "mlflow", folder.as_uri()).sentence


@pytest.mark.fault(61)
def test_answers_in_production_become_a_run_and_drafts(bw: Bench, world: dict[str, str], tmp_path: Path) -> None:
    question = next(item["question"] for item in bw("items", "--status", "accepted").json)
    rows = [
        span("a1", "r", "", "CHAIN", **{"input.value": f"  {question} ", "output.value": "Marta Quill"}),
        span("a1", "s", "r", "RETRIEVER", **{"retrieval.documents.0.document.content": "A passage that nobody wrote here."}),
        span("b2", "r", "", "CHAIN", **{"input.value": "Who paid for the lamps?", "output.value": "The guild."}),
        span("c3", "s", "gone", "RETRIEVER", **{"input.value": "lost"}),
        span("d4", "r", "", "", **{"http.route": "/pay"}),
    ]
    file = tmp_path / "spans.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = bw("run", "v1", "--system", "recorded", "--set", f"spans={file}", "--metrics", "token_f1")
    assert (ran.json["answered"], ran.json["failed"]) == (1, 1)
    came = bw("import", file, "--format", "openinference").json
    assert (came["items"], came["documents"]) == (2, 1)
    why = {refused["message"] for refused in came["refused"]}
    assert why == {
        "Trace c3 is incomplete: the span with its question is not in the file.",
        "Trace d4 is of another kind of application: none of its spans has openinference.span.kind.",
    }
    drafts = {item["question"]: item for item in bw("items", "--status", "drafted").json}
    assert drafts["Who paid for the lamps?"]["answers"] == ["The guild."]
    assert drafts["Who paid for the lamps?"]["provenance"]["origin"] == "imported"
    assert bw("import", file, "--format", "openinference").json["already"] == 2
    reply = tmp_path / "reply.json"
    reply.write_text(json.dumps({"data": rows, "next_cursor": None}))
    assert bw("import", reply, "--format", "openinference").json["already"] == 2
    lone = tmp_path / "other.jsonl"
    lone.write_text(json.dumps(rows[2]) + "\n")
    assert (
        "No question of other.jsonl is one of this release"
        in bw("run", "v1", "--system", "recorded", "--set", f"spans={lone}").sentence
    )


def span(trace: str, id_: str, parent: str, kind: str, **attributes: str) -> dict[str, Any]:
    own = {"openinference.span.kind": kind, **attributes} if kind else attributes
    times = {"start_time": "2026-11-01T10:00:00+00:00", "end_time": "2026-11-01T10:00:02+00:00"}
    return {
        "name": "n",
        "context": {"trace_id": trace, "span_id": id_},
        "parent_id": parent or None,
        "attributes": own,
        **times,
    }
