"""Approximate search in engines: recall of the ten best against exact search, and the time of a query beside an exact search in
memory, at 200,000 clustered vectors of 384 numbers. OpenSearch is measured where BENCHWRIGHT_TEST_OPENSEARCH names one."""

import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.retrieval.engine_index import EngineIndex, SearchEngine, make_stamp
from core.retrieval.search import find_nearest_rows
from eval.engine_search import EngineRequest
from eval.retrievers import lancedb
from eval.retrievers.opensearch import OpenSearchVectors
from eval.retrievers.pgvector import PostgresEngine
from tests.benchmarks.table import head, row
from tests.eval.engines import OPENSEARCH, delete_opensearch, running_postgres

CHUNKS, DIMENSIONS = 200_000, 384
QUERIES = 50
K = 10
INDEX = "bench_engines"


def make_vectors() -> Any:
    generator = np.random.default_rng(2)
    middles = generator.normal(size=(max(CHUNKS // 100, 1), DIMENSIONS)).astype(np.float32)
    places = generator.integers(0, len(middles), CHUNKS)
    vectors = middles[places] + generator.normal(size=(CHUNKS, DIMENSIONS)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def seconds(work: Callable[[], object]) -> float:
    """Wall-clock seconds: an engine works in its own process or threads."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def measure(name: str, engine: SearchEngine, vectors: Any, queries: Any, exact: float) -> None:
    index = EngineIndex(engine, make_stamp(passages=len(vectors)))
    made = seconds(lambda: index.fill(lambda first, end: vectors[first:end]))
    recall = index.measure_recall(queries)
    assert recall is not None
    took = seconds(lambda: [index.search(query, K) for query in queries]) / len(queries)
    size = f"{CHUNKS:,} x {DIMENSIONS}"
    row(f"{name}, recall@{K}, {size}", "exact search", 1.0, recall.recall, 0.9, higher=True)
    row(f"{name}, query, {size}", "exact, in memory", exact, took, 1)
    print(
        f"  indexed in {made:,.0f} s ({CHUNKS / made:,.0f} a second), {took * 1000:.1f} ms a query, lowest {recall.lowest:.2f}"
    )
    engine.close()


def main() -> None:
    head()
    vectors = make_vectors()
    generator = np.random.default_rng(3)
    queries = vectors[generator.integers(0, CHUNKS, QUERIES)] + 0.02 * generator.normal(size=(QUERIES, DIMENSIONS))
    queries = (queries / np.linalg.norm(queries, axis=1, keepdims=True)).astype(np.float32)
    exact = seconds(lambda: [find_nearest_rows(vectors, query[None], K) for query in queries]) / QUERIES
    lancedb.MIN_INDEXED_ROWS = min(lancedb.MIN_INDEXED_ROWS, CHUNKS)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        request = EngineRequest(index=INDEX, folder=folder, environment={})
        measure("LanceDB", lancedb.LanceEngine(request), vectors, queries, exact)
        address = stack.enter_context(running_postgres(folder / "postgres"))
        measure("pgvector", PostgresEngine(EngineRequest(**fields(request), address=address)), vectors, queries, exact)
        if OPENSEARCH:
            stack.callback(delete_opensearch, INDEX)
            engine = OpenSearchVectors(EngineRequest(**fields(request), address=OPENSEARCH))
            measure("OpenSearch", engine, vectors, queries, exact)


def fields(request: EngineRequest) -> dict[str, Any]:
    return {"index": request.index, "folder": request.folder, "environment": request.environment}


if __name__ == "__main__":
    main()
