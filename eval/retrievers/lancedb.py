"""lancedb: searches by the similarity of embeddings in LanceDB, an embedded engine that keeps vectors on disk. Large corpora
get an IVF-HNSW index with scalar quantisation; small ones are searched exactly, without such an index."""

import math
from functools import partial
from importlib.metadata import version
from typing import Any

from core.errors import BenchError
from core.retrieval.engine_index import SearchEngine, require_package
from eval.engine_search import VECTOR_SETTINGS, EngineRequest, build_vector_search
from eval.retriever import Retriever
from eval.retrievers.dense import load_chunk_model

MIN_INDEXED_ROWS = 50_000
"""Least number of passages at which LanceDB gets an approximate index; for fewer, an exact search takes milliseconds."""
REFINE_FACTOR = 2
"""Number of candidates per requested passage that are compared again by their full vectors."""
STAMP_KEY = b"benchwright"
DISTANCES = {"dot": "dot", "euclidean": "l2"}


class LanceEngine(SearchEngine):
    """An index in LanceDB: one table, whose schema stores the index's stamp (a description of its content)."""

    label = "LanceDB"
    errors = (ValueError, OSError, RuntimeError)

    def __init__(self, request: EngineRequest) -> None:
        with require_package(self.label, "lancedb"):
            import lancedb
        if request.comparison not in DISTANCES:
            raise BenchError(
                f"LanceDB cannot compare vectors by {request.comparison} distance: use the retriever qdrant or dense."
            )
        super().__init__(request.index)
        self._request, self._distance = request, DISTANCES[request.comparison]
        self._database: Any = lancedb.connect(str(request.folder / "lancedb"))
        self._table: Any = None

    def describe(self) -> str:
        return f"lancedb {version('lancedb')}, beside the workspace"

    def read_stamp(self) -> str | None:
        if not (self._request.folder / "lancedb" / f"{self.index}.lance").exists():
            return None
        self._table = self._database.open_table(self.index)
        return bytes((self._table.schema.metadata or {}).get(STAMP_KEY, b"")).decode("utf-8")

    def create(self, stamp: str, rows: Any) -> None:
        import pyarrow as pa

        fields = [pa.field("row", pa.int64()), pa.field("vector", pa.list_(pa.float32(), rows.shape[1]))]
        self._database.create_table(self.index, schema=pa.schema(fields, metadata={STAMP_KEY: stamp.encode("utf-8")}))

    def count(self) -> int:
        return int(self._table.count_rows())

    def add(self, first: int, rows: Any) -> None:
        import pyarrow as pa

        vectors = pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), rows.shape[1])
        self._table.add(pa.table([pa.array(range(first, first + len(rows)), pa.int64()), vectors], names=["row", "vector"]))

    def finish(self) -> None:
        from lancedb.index import HnswSq

        if self.count() < MIN_INDEXED_ROWS or self._table.list_indices():
            return
        self._table.optimize()
        self._table.create_index("vector", config=HnswSq(distance_type=self._distance))

    def search(self, query: Any, k: int, is_exact: bool = False) -> list[tuple[int, float]]:
        asked = self._table.search(query, vector_column_name="vector").distance_type(self._distance).limit(k)
        if is_exact:
            asked = asked.bypass_vector_index()
        else:
            asked = asked.ef(max(self._request.candidates, REFINE_FACTOR * k)).refine_factor(REFINE_FACTOR)
        found = asked.select(["row", "_distance"]).to_arrow().to_pydict()
        # dot gives 1 - the inner product, l2 the square of the distance
        scores = [1 - far if self._distance == "dot" else -math.sqrt(max(far, 0.0)) for far in found["_distance"]]
        return list(zip(found["row"], scores, strict=True))

    def close(self) -> None:
        self._table = self._database = None


RETRIEVER = Retriever(
    label="LanceDB (vectors on disk)",
    open_engine=LanceEngine,
    settings=VECTOR_SETTINGS,
    build=partial(build_vector_search, LanceEngine),
    load_chunk_model=load_chunk_model,
)
