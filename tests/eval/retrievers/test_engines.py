"""Retrievers on search engines, each on the real engine: they find what the retrievers in memory find, go on after a stop, and
leave alone what they did not make."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import uuid4

import pytest

from core.errors import BenchError, EngineFailed, EngineRefused
from core.ids import content_hash
from core.model_uses import collect_model_uses, list_model_uses
from core.nouns import Document, Hit
from core.retrieval import engine_index
from core.retrieval.embeddings import embedder
from core.retrieval.vector_cache import cache_embedder
from eval.engine_search import EngineRequest, describe_engine
from eval.retriever import RetrieverContext, Search, retrievers
from eval.retrievers.lancedb import LanceEngine
from eval.retrievers.opensearch import OpenSearchVectors, OpenSearchWords
from eval.retrievers.pgvector import PostgresEngine
from eval.retrievers.qdrant import QdrantEngine
from eval.retrievers.tantivy import TantivyEngine
from eval.running.retrieval import prepare_search
from tests.eval import engines
from tests.eval.engines import OpenEngine
from tests.waiting import until

ROOT = Path(__file__).parents[3]
CLASSES: dict[tuple[str, str], Any] = {
    ("tantivy", "bm25"): TantivyEngine,
    ("lancedb", "dense"): LanceEngine,
    ("qdrant", "dense"): QdrantEngine,
    ("pgvector", "dense"): PostgresEngine,
    ("opensearch", "bm25"): OpenSearchWords,
    ("opensearch", "dense"): OpenSearchVectors,
}
NAMES = ["Ada Quill", "Tom Reed", "Ines Vale", "Olaf Birch", "Mina Stone"]
THINGS = ["mill", "bridge", "court", "harbour", "school", "market", "tower"]
QUERIES = ["Who built the harbour?", "the tower of Olaf Birch", "a place where grain is ground", "Mina Stone"]


def document(text: str, language: str = "en") -> Document:
    return Document(content_hash(text), text, text[:10], language=language)


DOCUMENTS = [
    document(f"The {thing} of Orvel was built by {name} in {1800 + 10 * n + m}.")
    for n, thing in enumerate(THINGS)
    for m, name in enumerate(NAMES)
]
ZH = [
    document("大桥于一八九〇年建成，全长三百米。", "zh"),
    document("法院在六月开庭，判决磨坊主人无罪。", "zh"),
    document("大桥是磨坊主人出资修建的。", "zh"),
]
KO = [document("다리는 1890년에 완공되었다.", "ko"), document("법원은 6월에 열렸다.", "ko")]
JA = [document("橋は1890年に完成した。", "ja"), document("裁判所は六月に開かれた。", "ja")]


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with engines.running_postgres(tmp_path_factory.mktemp("postgres")) as address:
        yield address


@pytest.fixture
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenEngine]:
    """The engine that the test's parameter names as (retriever, how it searches)."""
    retriever, by = request.param
    settings: dict[str, Any] = {"engine_index": f"t{uuid4().hex[:12]}"}
    if retriever == "pgvector":
        settings["engine_address"] = request.getfixturevalue("postgres")
    if retriever == "opensearch":
        settings |= {"engine_address": engines.opensearch_address(), "by": by}
    yield OpenEngine(retriever, settings, tmp_path / "engines")
    if retriever == "opensearch":
        engines.delete_opensearch(settings["engine_index"])


EVERY = pytest.mark.parametrize("engine", list(CLASSES), indirect=True, ids="-".join)
OF_VECTORS = pytest.mark.parametrize("engine", [key for key in CLASSES if key[1] == "dense"], indirect=True, ids="-".join)
OF_WORDS = pytest.mark.parametrize("engine", [key for key in CLASSES if key[1] == "bm25"], indirect=True, ids="-".join)


def class_of(engine: OpenEngine) -> Any:
    by = engine.settings.get("by") or ("bm25" if engine.retriever == "tantivy" else "dense")
    return CLASSES[engine.retriever, by]


class VectorsInMemory:
    """Vectors that the tests of this file share."""

    def __init__(self) -> None:
        self._vectors: dict[tuple[str, str], Any] = {}

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, Any]:
        return {name: self._vectors[model, name] for name in hashes if (model, name) in self._vectors}

    def put(self, model: str, vectors: Mapping[str, Any]) -> None:
        self._vectors |= {(model, name): vector for name, vector in vectors.items()}


VECTORS = VectorsInMemory()


def load_cached(*given: Any) -> Any:
    return cache_embedder(embedder(*given), VECTORS)


def open_search(engine: OpenEngine, documents: list[Document] = DOCUMENTS, language: str = "en", **settings: Any) -> Search:
    context = RetrieverContext(engine_folder=engine.folder, queries=QUERIES, embedder=load_cached)
    return prepare_search(documents, language, retrievers()[engine.retriever], engine.settings | settings, context)[0]


def show(hits: list[Hit]) -> list[tuple[str, float]]:
    return [(hit.span.document, round(hit.score, 3)) for hit in hits]


@EVERY
def test_an_engine_says_its_version(engine: OpenEngine) -> None:
    own = {name: value for name, value in engine.settings.items() if name == "engine_address"}
    said = describe_engine(engine.retriever, own, os.environ)
    assert re.search(r"\d+\.\d+", said) and "missing" not in said


def test_what_is_missing_of_an_engine_is_one_sentence() -> None:
    with pytest.raises(EngineFailed, match=r"^Qdrant at http://127\.0\.0\.1:9 failed while its version was asked"):
        describe_engine("qdrant", {"engine_address": "http://127.0.0.1:9"}, {})
    with pytest.raises(BenchError, match="searches in memory, without a search engine: name one of lancedb, opensearch"):
        describe_engine("bm25", {}, {})
    with pytest.raises(EngineRefused, match=r"^Qdrant is version 1\.9\.2: 1\.16 or later is needed"):
        engine_index.check_version("Qdrant", "1.9.2", "1.16")
    assert engine_index.check_version("Qdrant", "1.16.0", "1.16") == "1.16.0"


@OF_VECTORS
def test_vectors_are_found_as_by_an_exact_search_in_memory(engine: OpenEngine) -> None:
    exact = prepare_search(DOCUMENTS, "en", retrievers()["dense"], {}, RetrieverContext(embedder=load_cached))[0]
    with collect_model_uses() as uses:
        search = open_search(engine)
    for query in QUERIES:
        assert show(search(query, 5)) == show(exact(query, 5)), query
    assert search("", 0) == []
    [use] = [use for use in list_model_uses(uses) if use["role"] == "search engine"]
    assert engine.index in str(use["model"]) and (use["recall@10"], use["lowest"]) == (1.0, 1.0)
    assert (use["passages"], use["search"], use["sample"]) == (len(DOCUMENTS), "approximate", f"{len(QUERIES)} questions")


@OF_VECTORS
@pytest.mark.parametrize("similarity", ["dot", "euclidean", "manhattan"])
def test_each_way_to_compare_vectors_is_that_of_the_exact_search_or_refused(engine: OpenEngine, similarity: str) -> None:
    if similarity == "manhattan" and engine.retriever in ("lancedb", "opensearch"):
        with pytest.raises(BenchError, match="cannot compare vectors by manhattan distance: use the retriever qdrant"):
            open_search(engine, similarity=similarity)
        return
    in_memory = RetrieverContext(embedder=load_cached)
    exact = prepare_search(DOCUMENTS, "en", retrievers()["dense"], {"similarity": similarity}, in_memory)[0]
    search = open_search(engine, similarity=similarity)
    assert show(search(QUERIES[0], 5)) == show(exact(QUERIES[0], 5))


@OF_WORDS
@pytest.mark.parametrize(
    ("documents", "language", "query", "found"),
    [
        (DOCUMENTS, "en", "Who built the harbour of Orvel in 1832?", DOCUMENTS[17]),
        (ZH, "zh", "磨坊主人出资修建了什么？", ZH[2]),
        (KO, "ko", "다리는", KO[0]),
        (JA, "ja", "裁判所", JA[1]),
    ],
)
def test_words_are_those_of_bm25_in_every_language(
    engine: OpenEngine, documents: list[Document], language: str, query: str, found: Document
) -> None:
    in_memory = prepare_search(documents, language, retrievers()["bm25"], {})[0]
    search = open_search(engine, documents, language)
    assert search(query, 1)[0].span.document == found.id == in_memory(query, 1)[0].span.document
    k = len(documents)
    assert {hit.span for hit in search(query, k)} == {hit.span for hit in in_memory(query, k)}, "the same words match"
    assert search("zzz qqq", 3) == [] == search("?", 3)


@OF_WORDS
def test_a_repeated_word_counts_each_time(engine: OpenEngine) -> None:
    search = open_search(engine)
    [once], [twice] = search("harbour", 1), search("harbour harbour", 1)
    assert twice.score == pytest.approx(2 * once.score, rel=1e-5)


@EVERY
@pytest.mark.fault(56)
def test_an_index_that_broke_off_goes_on_and_is_then_the_same(engine: OpenEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_index, "SHARD_PASSAGES", 8)
    kind, add = class_of(engine), class_of(engine).add
    written: list[int] = []

    def break_off(self: Any, first: int, rows: Any) -> None:
        if first == 16:
            raise self.errors[0]("the pipe broke")
        add(self, first, rows)
        written.append(first)

    monkeypatch.setattr(kind, "add", break_off)
    with pytest.raises(EngineFailed, match=r"failed while passages 17 to 24 of 35 were indexed \(the pipe broke\)"):
        open_search(engine)
    assert written == [0, 8]
    monkeypatch.setattr(kind, "add", lambda self, first, rows: (add(self, first, rows), written.append(first))[0])
    search = open_search(engine)
    assert written == [0, 8, 16, 24, 32], "complete shards are not written again"
    assert [hit.span.document for hit in search("Mina Stone built the tower", 1)] == [DOCUMENTS[-1].id]
    again = open_search(engine)
    assert written == [0, 8, 16, 24, 32] and show(again(QUERIES[0], 5)) == show(search(QUERIES[0], 5))


@EVERY
@pytest.mark.fault(57)
def test_an_index_with_another_stamp_is_refused_and_stays(engine: OpenEngine) -> None:
    before = show(open_search(engine)(QUERIES[1], 5))
    with pytest.raises(EngineRefused, match=r"was made from other chunks \(chunk_tokens 256 there, 8 now\)"):
        open_search(engine, chunk_tokens=8)
    with pytest.raises(EngineRefused, match="was made from other documents"):
        open_search(engine, documents=[*DOCUMENTS[1:], document("The inn burnt.")])
    assert show(open_search(engine)(QUERIES[1], 5)) == before


@OF_VECTORS
@pytest.mark.fault(57)
def test_an_index_of_another_model_is_refused(engine: OpenEngine) -> None:
    open_search(engine)
    with pytest.raises(EngineRefused, match="was made with another embedding model, or with other settings of the model"):
        open_search(engine, prompt_document="passage: ")
    open_search(engine, prompt_query="query: ")


def make_foreign(engine: OpenEngine) -> Callable[[], Any]:
    """Put data of somebody else under the index's name; returns what reads it."""
    if engine.retriever == "tantivy":
        folder = engine.folder / "tantivy" / engine.index
        folder.mkdir(parents=True)
        (folder / "diary.txt").write_text("mine", encoding="utf-8")
        return lambda: [(path.name, path.read_text(encoding="utf-8")) for path in folder.iterdir()]
    if engine.retriever == "lancedb":
        import lancedb
        import pyarrow as pa

        table = lancedb.connect(str(engine.folder / "lancedb")).create_table(engine.index, pa.table({"diary": ["mine"]}))
        return lambda: table.to_arrow().to_pydict()
    if engine.retriever == "qdrant":
        from qdrant_client import models

        client = QdrantEngine(EngineRequest(index="x", folder=engine.folder, environment={}))._client
        client.create_collection(engine.index, models.VectorParams(size=2, distance=models.Distance.DOT))
        client.upsert(engine.index, [models.PointStruct(id=1, vector=[1.0, 2.0], payload={"diary": "mine"})])
        return lambda: [point.payload for point in client.scroll(engine.index)[0]]
    if engine.retriever == "pgvector":
        import psycopg

        connection = psycopg.connect(engine.settings["engine_address"], autocommit=True)
        connection.execute(f"CREATE TABLE {engine.index} (diary text)")
        connection.execute(f"INSERT INTO {engine.index} VALUES ('mine')")
        return lambda: connection.execute(f"SELECT * FROM {engine.index}").fetchall()
    import httpx2

    address = f"{engines.OPENSEARCH}/{engine.index}"
    httpx2.put(f"{address}/_doc/1?refresh=true", json={"diary": "mine"}).raise_for_status()
    return lambda: httpx2.get(f"{address}/_search").json()["hits"]["hits"]


@EVERY
@pytest.mark.fault(57)
def test_data_of_somebody_else_is_neither_read_nor_changed(engine: OpenEngine) -> None:
    read = make_foreign(engine)
    before = read()
    with pytest.raises(EngineRefused, match=f"has something named {engine.index} that Benchwright did not make; it stays"):
        open_search(engine)
    assert read() == before and "mine" in json.dumps(before)


KILLED = """
import os, signal, sys
from pathlib import Path
from core.retrieval import engine_index
from core.retrieval.embeddings import embedder
from core.retrieval.vector_cache import cache_embedder
from tests.eval.retrievers import test_engines as tests
engine_index.SHARD_PASSAGES = 8
kind = tests.CLASSES[sys.argv[1], sys.argv[2]]
add = kind.add
def die(self, first, rows):
    add(self, first, rows)
    if first == 16:
        os.kill(os.getpid(), signal.SIGKILL)
kind.add = die
tests.fill_by_hand(kind, Path(sys.argv[3]))
"""


def fill_by_hand(kind: Any, folder: Path) -> engine_index.EngineIndex:
    """Fill an index with 35 rows of which each is like no other."""
    import numpy as np

    index = engine_index.EngineIndex(
        kind(EngineRequest(index="town", folder=folder, environment={})), engine_index.make_stamp(passages=35)
    )
    rows: Any = [[f"word{row}"] for row in range(35)] if kind is TantivyEngine else np.eye(35, dtype=np.float32)
    index.fill(lambda first, end: rows[first:end])
    assert index.search(rows[34], 1)[0][0] == 34 and index.engine.count() == 35
    return index


@pytest.mark.parametrize(("retriever", "by"), [("tantivy", "bm25"), ("lancedb", "dense")])
@pytest.mark.fault(56)
def test_an_embedded_index_goes_on_after_kill_9(
    retriever: str, by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", KILLED, retriever, by, str(tmp_path)]
    assert subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False).returncode == -9
    monkeypatch.setattr(engine_index, "SHARD_PASSAGES", 8)
    kind, add, written = CLASSES[retriever, by], CLASSES[retriever, by].add, list[int]()
    monkeypatch.setattr(kind, "add", lambda self, first, rows: (written.append(first), add(self, first, rows))[1])
    fill_by_hand(kind, tmp_path)
    assert written == [24, 32]


def open_postgres(postgres: str, user: str, password: str, database: str = "postgres") -> PostgresEngine:
    address = postgres.replace("postgres@/postgres", f"{user}@/{database}")
    return PostgresEngine(EngineRequest(index="locked", folder=Path(), environment={"PGPASSWORD": password}, address=address))


@pytest.fixture(scope="session")
def locked_postgres(postgres: str) -> str:
    """The Postgres with the user `clerk`, who has a password and may create nothing."""
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE ROLE clerk LOGIN PASSWORD 'open sesame'")
        connection.execute("CREATE DATABASE bare")
        [file] = connection.execute("SHOW hba_file").fetchone() or ()
        rules = Path(file).read_text(encoding="utf-8")
        Path(file).write_text(f"local all clerk scram-sha-256\n{rules}", encoding="utf-8")
        connection.execute("SELECT pg_reload_conf()")
        until(lambda: asks_for_password(postgres))
    return postgres


def asks_for_password(postgres: str) -> bool:
    """Whether the server has read its rules again, and refuses the clerk who gives a wrong one."""
    import psycopg

    try:
        psycopg.connect(postgres.replace("postgres@/postgres", "clerk@/postgres"), password="guess").close()
    except psycopg.OperationalError as error:
        return "password" in str(error)
    return False


@pytest.mark.fault(25, 57)
def test_postgres_refuses_a_wrong_password_in_a_sentence_without_it(locked_postgres: str) -> None:
    index = engine_index.EngineIndex(open_postgres(locked_postgres, "clerk", "guess"), engine_index.make_stamp(passages=1))
    with pytest.raises(EngineRefused) as refused:
        index.fill(lambda first, end: pytest.fail("nothing is read"))
    assert str(refused.value) == (
        "Postgres at postgresql:///postgres refuses the user or the password: set the variable PGPASSWORD."
    )
    assert open_postgres(locked_postgres, "clerk", "open sesame").read_stamp() is None


@pytest.mark.fault(57)
def test_postgres_without_the_extension_and_the_right_to_create_it_says_so(locked_postgres: str) -> None:
    import numpy as np

    engine = open_postgres(locked_postgres, "clerk", "open sesame", "bare")
    index = engine_index.EngineIndex(engine, engine_index.make_stamp(passages=1))
    with pytest.raises(EngineRefused, match="does not let this user create what an index needs: grant it, or let an owner run"):
        index.fill(lambda first, end: np.ones((1, 3), np.float32))


@pytest.mark.fault(56)
def test_a_connection_that_was_cut_fails_one_search_and_is_made_anew(postgres: str) -> None:
    import numpy as np
    import psycopg

    rows = np.eye(4, dtype=np.float32)
    engine = PostgresEngine(EngineRequest(index="cut_off", folder=Path(), environment={}, address=postgres))
    index = engine_index.EngineIndex(engine, engine_index.make_stamp(passages=4))
    index.fill(lambda first, end: rows[first:end])
    with psycopg.connect(postgres, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [engine._connection.info.backend_pid])
    with pytest.raises(EngineFailed, match="Postgres at postgresql:///postgres failed while it was searched"):
        index.search(rows[2], 1)
    assert index.search(rows[2], 1) == [(2, 1.0)]
    engine.close()


@pytest.mark.fault(57)
@pytest.mark.parametrize("status", [401, 403])
def test_qdrant_refuses_a_wrong_key_in_a_sentence(status: int, tmp_path: Path) -> None:
    seen = list[str]()

    class Refuse(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers["api-key"])
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Refuse) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        request = EngineRequest(index="town", folder=tmp_path, environment={"QDRANT_API_KEY": "sesame"}, address=address)
        with pytest.raises(EngineRefused) as refused, pytest.warns(UserWarning, match="insecure connection"):
            engine_index.EngineIndex(QdrantEngine(request), engine_index.make_stamp(passages=1)).fill(lambda *_: None)
        server.shutdown()
    assert str(refused.value) == (
        f"Qdrant at {address} refuses the key: set the variable QDRANT_API_KEY to a key that may read and write."
    )
    assert seen == ["sesame"]


def test_lancedb_indexes_a_large_corpus_and_states_its_recall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    monkeypatch.setattr("eval.retrievers.lancedb.MIN_INDEXED_ROWS", 1_000)
    vectors = np.random.default_rng(0).normal(size=(4_000, 16)).astype(np.float32)
    request = EngineRequest(index="many", folder=tmp_path, environment={})
    index = engine_index.EngineIndex(LanceEngine(request), engine_index.make_stamp(passages=len(vectors)))
    index.fill(lambda first, end: vectors[first:end])
    assert index.engine._table.list_indices(), "an approximate index"  # type: ignore[attr-defined]
    recall = index.measure_recall(vectors[:40])
    assert recall is not None and recall.n == 40 and 0.5 < recall.recall <= 1
    hasty = engine_index.EngineIndex(
        LanceEngine(replace(request, candidates=1)), engine_index.make_stamp(passages=len(vectors))
    )
    hasty.fill(lambda first, end: pytest.fail("the index is there"))
    assert len(hasty.search(vectors[7], 30)) == 30, "fewer candidates than hits are raised"
    exact = vectors @ vectors[7]
    assert [row for row, _ in index.search(vectors[7], 3, is_exact=True)] == np.argsort(-exact)[:3].tolist()
    index.fill(lambda first, end: pytest.fail("nothing is left to read"))


def test_lexical_vectors_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="no engine can store them: use the retriever dense"):
        open_search(OpenEngine("lancedb", {}, tmp_path), embedding_model="lexical_vectors")


def test_without_a_name_the_index_is_named_after_its_stamp(tmp_path: Path) -> None:
    engine = OpenEngine("tantivy", {}, tmp_path)
    open_search(engine), open_search(engine), open_search(engine, chunk_tokens=8)
    made = sorted(path.name for path in (tmp_path / "tantivy").iterdir())
    assert len(made) == 2 and all(name.startswith("benchwright_") for name in made)
