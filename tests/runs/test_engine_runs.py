"""Runs on search engines through the command line: what the run's record says, an engine that dies half-way, refusals, and
passwords that stand nowhere."""

import json
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest

from core.retrieval import engine_index
from core.retrieval.sentence_model import SentenceModel
from eval.retrievers.lancedb import LanceEngine
from eval.retrievers.opensearch import OpenSearchEngine
from store.runs import runs
from tests.conftest import Bench
from tests.openai_server import Running
from workbench import Workbench

ECHO = ("run", "v1", "--system", "echo", "--metrics", "evidence_recall")
SECRET = "hunter2-and-more"


def settings(**values: object) -> list[str]:
    return [word for name, value in values.items() for word in ("--set", f"{name}={value}")]


@pytest.mark.parametrize("retriever", ["tantivy", "lancedb"])
def test_a_run_makes_its_index_once_and_states_how_it_was_searched(
    bw: Bench, world: dict[str, str], retriever: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = bw(*ECHO, "--retriever", retriever).json
    assert (run["answered"], run["failed"], run["stopped"]) == (2, 0, None)
    assert (tmp_path / "w.duckdb.engines" / retriever).is_dir()
    [report] = bw("report", run["run"]).json["runs"]
    [use] = [model for model in report["models"] if model["role"] == "search engine"]
    assert use["passages"] == 2 and str(use["model"]).split()[0].lower() == retriever
    if retriever == "lancedb":
        assert (use["search"], use["recall@10"], use["lowest"], use["sample"]) == ("approximate", 1.0, 1.0, "2 questions")
        assert "recall@10 1.0" in bw("report", run["run"], json_too=False).out
    else:
        assert use["search"] == "exact"
    cells = {cell["metric"]: cell["mean"] for cell in report["cells"]}
    assert cells["evidence_recall@5"] == 1.0
    monkeypatch.setattr(engine_index.EngineIndex, "_create", lambda *_: pytest.fail("the index was there"))
    assert bw(*ECHO, "--retriever", retriever, *settings(top_k=1)).json["run"] != run["run"]


@pytest.mark.fault(56)
def test_an_engine_that_dies_half_way_fails_the_rest_and_the_next_run_pays_nothing_twice(
    bw: Bench, world: dict[str, str], server: Running, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-any")
    hyde = ("run", "v1", "--system", "vanilla", "--agent", "openai:m", "--metrics", "token_f1", "--retriever", "lancedb")
    words = (*hyde, *settings(concurrency=1))
    search, asked = LanceEngine.search, list[int]()

    def die(self: LanceEngine, query: Any, k: int, is_exact: bool = False) -> Any:
        if k == 5 and not is_exact:
            asked.append(k)
            if len(asked) > 1:
                raise RuntimeError("the disk is gone")
        return search(self, query, k, is_exact)

    monkeypatch.setattr(LanceEngine, "search", die)
    first = bw(*words)
    assert first.code == 0 and (first.json["answered"], first.json["failed"], first.json["stopped"]) == (1, 1, None)
    assert first.json["first_failure"].startswith("LanceDB failed while it was searched (the disk is gone): ")
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        stops = {trace.item: trace.stop for trace in runs.load_traces(bench.database, first.json["run"])}
    assert sorted(stops.values()) == ["answered", "engine"]
    requests = server.count()["requests"]
    monkeypatch.setattr(LanceEngine, "search", search)
    again = bw(*words)
    assert again.json["run"] == first.json["run"] and (again.json["answered"], again.json["failed"]) == (2, 0)
    assert again.json["reused"] == 1 and server.count()["requests"] == requests + 1, "only the failed question is asked"
    [cell] = bw("report", first.json["run"], "--by", "domain").json["runs"][0]["cells"]
    assert (cell["metric"], cell["n"], cell["failed"]) == ("token_f1", 2, 0)


@pytest.mark.fault(56)
def test_an_engine_that_dies_while_indexing_stops_the_run_and_the_vectors_are_kept(
    bw: Bench, world: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_index, "SHARD_PASSAGES", 1)
    encoded, encode, add = list[str](), SentenceModel.encode, LanceEngine.add

    def note(model: SentenceModel, texts: list[str], *given: Any) -> Any:
        encoded.extend(texts)
        return encode(model, texts, *given)

    def die(self: LanceEngine, first: int, rows: Any) -> None:
        if first == 1:
            raise OSError("no space left")
        add(self, first, rows)

    monkeypatch.setattr(SentenceModel, "encode", note)
    monkeypatch.setattr(LanceEngine, "add", die)
    stopped = bw(*ECHO, "--retriever", "lancedb")
    assert stopped.code == 1 and (stopped.json["run"], stopped.json["stopped"]) == (None, "endpoint")
    assert "LanceDB failed while passages 2 to 2 of 2 were indexed (no space left)" in stopped.sentence
    assert len(encoded) == 2
    monkeypatch.setattr(LanceEngine, "add", add)
    done = bw(*ECHO, "--retriever", "lancedb")
    assert done.code == 0 and done.json["answered"] == 2
    assert len(encoded) == len(set(encoded)) == 4, "the passages are encoded once, then the questions"


@pytest.mark.fault(57)
def test_a_run_refuses_an_index_that_was_made_from_something_else(bw: Bench, world: dict[str, str]) -> None:
    assert bw(*ECHO, "--retriever", "tantivy", *settings(engine_index="town")).code == 0
    said = bw(*ECHO, "--retriever", "tantivy", *settings(engine_index="town", chunk_tokens=12))
    assert said.code == 1
    assert "The index town_en in Tantivy was made from" in said.sentence and "engine_index" in said.sentence


def test_where_an_index_is_does_not_change_the_run(bw: Bench, world: dict[str, str]) -> None:
    first = bw(*ECHO, "--retriever", "tantivy", *settings(engine_index="town")).json
    again = bw(*ECHO, "--retriever", "tantivy", *settings(engine_index="copy")).json
    assert again["run"] == first["run"] and again["reused"] == 2


@pytest.mark.fault(25)
@pytest.mark.parametrize(
    ("retriever", "address"),
    [
        ("opensearch", f"http://me:{SECRET}@127.0.0.1:9"),
        ("qdrant", f"https://:{SECRET}@127.0.0.1:9"),
        ("pgvector", f"postgresql://me:{SECRET}@127.0.0.1:9/x"),
        ("pgvector", f"host=127.0.0.1 password={SECRET}"),
    ],
)
def test_a_password_in_an_address_is_refused_and_stored_nowhere(
    bw: Bench, world: dict[str, str], retriever: str, address: str, tmp_path: Path
) -> None:
    said = bw(*ECHO, "--retriever", retriever, *settings(engine_address=address))
    assert said.code == 1 and "The setting engine_address contains a password" in said.sentence
    assert SECRET not in said.err + json.dumps(bw("jobs").json)
    assert not any(SECRET.encode() in path.read_bytes() for path in tmp_path.glob("w.duckdb*") if path.is_file())


@pytest.mark.fault(25, 57)
@pytest.mark.parametrize("by", ["bm25", "dense"])
def test_a_refused_password_is_a_sentence_without_it(
    bw: Bench, world: dict[str, str], monkeypatch: pytest.MonkeyPatch, by: str, tmp_path: Path
) -> None:
    seen = list[str]()

    def refuse(request: httpx2.Request) -> httpx2.Response:
        seen.append(request.headers.get("authorization", ""))
        return httpx2.Response(401, json={"error": "Unauthorized"})

    serve_opensearch(monkeypatch, refuse)
    monkeypatch.setenv("OPENSEARCH_PASSWORD", SECRET)
    said = bw(*ECHO, "--retriever", "opensearch", *settings(by=by, engine_user="me"))
    assert said.code == 1 and seen[0].startswith("Basic ")
    assert (
        "refuses the user or the password: give the setting engine_user, and set the variable OPENSEARCH_PASSWORD"
        in said.sentence
    )
    assert SECRET not in said.err + json.dumps(bw("jobs").json)
    assert not any(SECRET.encode() in path.read_bytes() for path in tmp_path.glob("w.duckdb*") if path.is_file())


@pytest.mark.fault(57)
def test_an_opensearch_without_the_plug_in_says_what_to_do(
    bw: Bench, world: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reason = "unknown setting [index.knn] please check that any required plugins are installed"

    def answer(request: httpx2.Request) -> httpx2.Response:
        if request.method == "GET":
            return httpx2.Response(404, json={"error": {"reason": "no such index"}})
        return httpx2.Response(400, json={"error": {"root_cause": [{"reason": reason}], "reason": reason}})

    serve_opensearch(monkeypatch, answer)
    said = bw(*ECHO, "--retriever", "opensearch", *settings(by="dense"))
    assert said.code == 1 and "OpenSearch at http://localhost:9200 has no k-NN plug-in" in said.sentence
    assert "set by=bm25" in said.sentence


@pytest.mark.fault(56)
def test_an_engine_that_is_not_there_stops_the_run_with_its_address(bw: Bench, world: dict[str, str]) -> None:
    for retriever, address in (
        ("opensearch", "http://127.0.0.1:9"),
        ("qdrant", "http://127.0.0.1:9"),
        ("pgvector", "postgresql://127.0.0.1:9/postgres"),
    ):
        said = bw(*ECHO, "--retriever", retriever, *settings(engine_address=address))
        assert said.code == 1 and said.json["stopped"] == "endpoint", said.err
        assert f"at {address} failed while its indexes were looked up (" in said.sentence


@pytest.mark.parametrize(
    ("retriever", "module", "package"),
    [
        ("tantivy", "tantivy", "tantivy"),
        ("lancedb", "lancedb", "lancedb"),
        ("qdrant", "qdrant_client", "qdrant-client"),
        ("pgvector", "psycopg", "psycopg[binary]"),
    ],
)
def test_a_missing_client_is_named(
    bw: Bench, world: dict[str, str], monkeypatch: pytest.MonkeyPatch, retriever: str, module: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    said = bw(*ECHO, "--retriever", retriever)
    assert said.code == 1
    assert (
        f"needs the Python package {package}, which is not installed: install it with pip install {package}." in said.sentence
    )


def serve_opensearch(monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    """Let the engine's client speak to `answer`."""
    init = OpenSearchEngine.__init__

    def connect(self: Any, request: Any) -> None:
        init(self, request)
        self._client = httpx2.Client(base_url=request.address, auth=self._client.auth, transport=httpx2.MockTransport(answer))

    monkeypatch.setattr(OpenSearchEngine, "__init__", connect)
